import { Form } from '@assay/account/form/Form.tsx'
import form from '@assay/account/form/form.module.css'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import { createSavedView, type SavedView } from '@assay/contract/saved-views.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { TextInput } from '@mantine/core'
import { useSaveView } from '../../api/saved-views.ts'
import { FormDialog } from '../../page/FormDialog.tsx'

interface Props {
  readonly projectId: string
  readonly views: readonly SavedView[]
  /** A dialog about the query of the view. */
  readonly dialog: DialogState<string>
}

/** Saves the current filters and columns under a name. */
export function SaveViewDialog({ projectId, views, dialog }: Props) {
  return (
    <FormDialog dialog={dialog} title="Save this view">
      {(query, close) => <SaveForm {...{ projectId, views, query }} onClose={close} />}
    </FormDialog>
  )
}

interface FormProps extends Omit<Props, 'dialog'> {
  readonly query: string
  readonly onClose: () => void
}

function SaveForm({ projectId, views, query, onClose }: FormProps) {
  const saving = useMutationForm({
    endpoint: createSavedView,
    initialValues: { name: '' },
    mutation: useSaveView(projectId, views),
    toBody: ({ name }) => ({ name: name.trim(), query }),
    onDone: onClose,
  })
  const isTaken = views.some(({ name }) => name === saving.values.name.trim())
  return (
    <Form form={saving} submitLabel={isTaken ? 'Replace view' : 'Save view'} onCancel={onClose}>
      <p className={form.text}>
        {query === ''
          ? 'No filters are set, so this view shows all live traces.'
          : 'Saves the current filters and columns. Relative time ranges stay relative.'}
      </p>
      <TextInput
        label="Name"
        description={isTaken && 'You already have a view with this name. Saving replaces it.'}
        data-autofocus
        autoComplete="off"
        required
        {...saving.field('name')}
      />
    </Form>
  )
}
