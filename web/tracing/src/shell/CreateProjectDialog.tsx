import { Form } from '@assay/account/form/Form.tsx'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import { createProject, type Organization } from '@assay/contract/organizations.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { NativeSelect, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useCreateProject } from '../api/organizations.ts'
import { FormDialog } from '../page/FormDialog.tsx'

interface Props {
  /** A dialog about the organizations that the project can be created in. */
  readonly dialog: DialogState<readonly Organization[]>
}

/** Creates a project and opens its *Send your first trace* page. */
export function CreateProjectDialog({ dialog }: Props) {
  return (
    <FormDialog dialog={dialog} title="New project">
      {(organizations, close) => (
        <CreateProjectForm organizations={organizations} onClose={close} />
      )}
    </FormDialog>
  )
}

interface FormProps {
  readonly organizations: readonly Organization[]
  readonly onClose: () => void
}

function CreateProjectForm({ organizations, onClose }: FormProps) {
  const navigate = useNavigate()
  const form = useMutationForm({
    endpoint: createProject,
    initialValues: { orgId: organizations[0]?.id ?? '', name: '' },
    mutation: useCreateProject(),
    onDone({ id }) {
      onClose()
      void navigate({ to: '/p/$projectId/send', params: { projectId: id } })
    },
  })
  return (
    <Form form={form} submitLabel="Create project" onCancel={onClose}>
      {organizations.length > 1 && (
        <NativeSelect
          label="Organization"
          data={organizations.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.field('orgId')}
        />
      )}
      <TextInput
        label="Name"
        description="Each project has its own traces and tracing keys."
        data-autofocus
        required
        {...form.field('name')}
      />
    </Form>
  )
}
