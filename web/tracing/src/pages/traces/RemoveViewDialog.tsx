import type { SavedView } from '@assay/contract/saved-views.ts'
import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { useRemoveView } from '../../api/saved-views.ts'

interface Props {
  readonly projectId: string
  readonly dialog: DialogState<SavedView>
}

export function RemoveViewDialog({ projectId, dialog }: Props) {
  return (
    <ConfirmDialog
      dialog={dialog}
      mutation={useRemoveView(projectId)}
      variables={({ id }) => id}
      title="Delete this view?"
      confirmLabel="Delete view"
    >
      {({ name }) => (
        <p>
          This deletes the saved view <strong>{name}</strong>. No traces are deleted.
        </p>
      )}
    </ConfirmDialog>
  )
}
