import { call } from '@assay/contract/client.ts'
import { createProject, type Organization } from '@assay/contract/organizations.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { Button, Modal, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { base } from '../api/base.ts'
import { directoryQuery } from '../api/projects.ts'
import { rememberKey } from '../api/revealed-keys.ts'
import { fieldErrors } from '../form/field-errors.ts'
import form from '../form/form.module.css'

interface Props {
  readonly isOpen: boolean
  readonly organizations: readonly Organization[]
  readonly onClose: () => void
}

/** Asks for a name, creates the project and goes to its *Send your first trace* page. */
export function CreateProjectDialog({ isOpen, organizations, onClose }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="New project">
      <CreateProjectForm organizations={organizations} onDone={onClose} />
    </Modal>
  )
}

interface FormProps {
  readonly organizations: readonly Organization[]
  readonly onDone: () => void
}

function CreateProjectForm({ organizations, onDone }: FormProps) {
  const [name, setName] = useState('')
  const [orgId, setOrgId] = useState(organizations[0]?.id ?? '')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const creating = useMutation({
    mutationFn: () => call(base, createProject, { params: { orgId }, body: { name } }),
    onSuccess: async (project) => {
      rememberKey(project.id, project.legacy_tracing_key)
      await queryClient.invalidateQueries({ queryKey: directoryQuery.queryKey })
      await navigate({ to: '/p/$projectId/send', params: { projectId: project.id } })
      onDone()
    },
  })
  const errors = fieldErrors(creating.error, ['name'])
  return (
    <form
      className={form.fields}
      onSubmit={(event) => {
        event.preventDefault()
        creating.mutate()
      }}
    >
      {organizations.length > 1 && (
        <NativeSelect
          label="Organization"
          value={orgId}
          onChange={(event) => setOrgId(event.currentTarget.value)}
          data={organizations.map(({ id, name: label }) => ({ value: id, label }))}
        />
      )}
      <TextInput
        label="Name"
        description="Traces, keys and members' rights are kept apart by project."
        data-autofocus
        required
        maxLength={128}
        value={name}
        error={errors.fields['name']}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <FormError message={errors.rest} />
      <Button type="submit" loading={creating.isPending}>
        Create project
      </Button>
    </form>
  )
}
