import { Form } from '@assay/account/form/Form.tsx'
import form from '@assay/account/form/form.module.css'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import { createSavedView, type SavedView } from '@assay/contract/saved-views.ts'
import type { SharedView } from '@assay/contract/shared-views.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { Checkbox, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useSaveView } from '../../api/saved-views.ts'
import { useShareView } from '../../api/shared-views.ts'
import { FormDialog } from '../../page/FormDialog.tsx'

interface Props {
  readonly projectId: string
  readonly views: readonly SavedView[]
  readonly sharedViews: readonly SharedView[]
  readonly canShare: boolean
  /** A dialog about the query of the view. */
  readonly dialog: DialogState<string>
}

/** Saves the current filters and columns under a name. */
export function SaveViewDialog({ dialog, ...props }: Props) {
  return (
    <FormDialog dialog={dialog} title="Save this view">
      {(query, close) => <SaveForm {...props} query={query} onClose={close} />}
    </FormDialog>
  )
}

interface ViewValues {
  readonly name: string
  readonly isShared: boolean
}

interface FormProps extends Omit<Props, 'dialog'> {
  readonly query: string
  readonly onClose: () => void
}

function SaveForm({ projectId, views, sharedViews, canShare, query, onClose }: FormProps) {
  const save = useSaveView(projectId)
  const share = useShareView(projectId, sharedViews)
  const mutation = useMutation({
    mutationFn: ({ isShared, ...view }: ViewValues & { readonly query: string }) =>
      (isShared ? share : save).mutateAsync({ page: 'traces', ...view }),
  })
  const saving = useMutationForm({
    endpoint: createSavedView,
    initialValues: { name: '', isShared: false },
    mutation,
    toBody: ({ name, isShared }) => ({ name: name.trim(), query, isShared }),
    onDone: onClose,
  })
  const { isShared } = saving.values
  const isTaken = (isShared ? sharedViews : views).some(
    ({ name }) => name === saving.values.name.trim(),
  )
  return (
    <Form form={saving} submitLabel={isTaken ? 'Replace view' : 'Save view'} onCancel={onClose}>
      <p className={form.text}>
        {query === ''
          ? 'No filters are set, so this view shows all live traces.'
          : 'Saves the current filters and columns. Relative time ranges stay relative.'}
      </p>
      <TextInput
        label="Name"
        description={
          isTaken &&
          `${isShared ? 'The project' : 'You'} already ${isShared ? 'has' : 'have'} a view with this name. Saving replaces it.`
        }
        data-autofocus
        autoComplete="off"
        required
        {...saving.field('name')}
      />
      {canShare && (
        <Checkbox
          label="Share with everyone in this project"
          checked={isShared}
          onChange={({ currentTarget }) => saving.setValue('isShared', currentTarget.checked)}
        />
      )}
    </Form>
  )
}
