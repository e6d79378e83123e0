import { Form } from '@assay/account/form/Form.tsx'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import { type Project, updateProject } from '@assay/contract/organizations.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { TextInput } from '@mantine/core'
import { useRenameProject } from '../../api/organizations.ts'
import { FormDialog } from '../../page/FormDialog.tsx'

export function RenameProjectDialog({ dialog }: { readonly dialog: DialogState<Project> }) {
  return (
    <FormDialog dialog={dialog} title={({ name }) => `Rename ${name}`}>
      {(project, close) => <RenameProjectForm project={project} onClose={close} />}
    </FormDialog>
  )
}

interface Props {
  readonly project: Project
  readonly onClose: () => void
}

function RenameProjectForm({ project, onClose }: Props) {
  const form = useMutationForm({
    endpoint: updateProject,
    initialValues: { name: project.name },
    mutation: useRenameProject(project.id),
    onDone: onClose,
  })
  return (
    <Form form={form} submitLabel="Save" onCancel={onClose}>
      <TextInput
        label="Name"
        description={
          <>
            The slug stays <code>{project.slug}</code>.
          </>
        }
        required
        data-autofocus
        {...form.field('name')}
      />
    </Form>
  )
}
