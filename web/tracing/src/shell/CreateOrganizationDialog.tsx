import { Form } from '@assay/account/form/Form.tsx'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import { createOrganization } from '@assay/contract/organizations.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useCreateOrganization } from '../api/organizations.ts'
import { FormDialog } from '../page/FormDialog.tsx'

/** Creates an organization and opens its settings. */
export function CreateOrganizationDialog({ dialog }: { readonly dialog: DialogState<null> }) {
  return (
    <FormDialog dialog={dialog} title="New organization">
      {(_target, close) => <CreateOrganizationForm onClose={close} />}
    </FormDialog>
  )
}

function CreateOrganizationForm({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate()
  const form = useMutationForm({
    endpoint: createOrganization,
    initialValues: { name: '' },
    mutation: useCreateOrganization(),
    onDone({ id }) {
      onClose()
      void navigate({ to: '/o/$orgId/settings/members', params: { orgId: id } })
    },
  })
  return (
    <Form form={form} submitLabel="Create organization" onCancel={onClose}>
      <TextInput
        label="Name"
        description="You become its first Owner. Its members, projects and traces are separate from other organizations."
        data-autofocus
        required
        {...form.field('name')}
      />
    </Form>
  )
}
