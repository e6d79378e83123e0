import type { SavedView } from '@assay/contract/saved-views.ts'
import type { SharedView } from '@assay/contract/shared-views.ts'
import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { useRemoveView } from '../../api/saved-views.ts'
import { useRemoveSharedView } from '../../api/shared-views.ts'

interface Props {
  readonly projectId: string
  readonly dialog: DialogState<SavedView | SharedView>
}

export function RemoveViewDialog({ projectId, dialog }: Props) {
  const removeOwn = useRemoveView(projectId)
  const removeShared = useRemoveSharedView(projectId)
  const isShared = dialog.target !== undefined && 'created_by' in dialog.target
  return (
    <ConfirmDialog
      dialog={dialog}
      mutation={isShared ? removeShared : removeOwn}
      variables={({ id }) => id}
      title="Delete this view?"
      confirmLabel="Delete view"
    >
      {({ name }) => (
        <p>
          This deletes the {isShared ? 'shared' : 'saved'} view <strong>{name}</strong>
          {isShared && ' for everyone in this project'}. No traces are deleted.
        </p>
      )}
    </ConfirmDialog>
  )
}
