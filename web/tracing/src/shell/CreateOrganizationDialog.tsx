import { FormError } from '@assay/ui/FormError.tsx'
import { Button, Modal, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCreateOrganization } from '../api/organizations.ts'
import { fieldErrors } from '../form/field-errors.ts'
import form from '../form/form.module.css'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Asks for a name, creates the organization and goes to its settings. */
export function CreateOrganizationDialog({ isOpen, onClose }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="New organization">
      <CreateOrganizationForm onDone={onClose} />
    </Modal>
  )
}

function CreateOrganizationForm({ onDone }: { readonly onDone: () => void }) {
  const [name, setName] = useState('')
  const navigate = useNavigate()
  const creating = useCreateOrganization(async (orgId) => {
    await navigate({ to: '/o/$orgId/settings/members', params: { orgId } })
    onDone()
  })
  const errors = fieldErrors(creating.error, ['name'])
  return (
    <form
      className={form.fields}
      onSubmit={(event) => {
        event.preventDefault()
        creating.mutate(name)
      }}
    >
      <TextInput
        label="Name"
        description="You become its first Owner. Its people, projects and traces are kept apart from every other organization's."
        data-autofocus
        required
        maxLength={128}
        value={name}
        error={errors.fields['name']}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <FormError message={errors.rest} />
      <Button type="submit" loading={creating.isPending}>
        Create organization
      </Button>
    </form>
  )
}
