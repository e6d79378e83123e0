import type { SavedView } from '@assay/contract/saved-views.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { useRemoveView } from '../../api/saved-views.ts'
import { ConfirmDialog } from '../../page/ConfirmDialog.tsx'

interface Props {
  readonly projectId: string
  readonly dialog: DialogState<SavedView>
}

export function RemoveViewDialog({ projectId, dialog: { target, isOpen, close } }: Props) {
  const removing = useRemoveView(projectId)
  function leave(): void {
    removing.reset()
    close()
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title="Delete this view?"
      confirmLabel="Delete view"
      error={removing.error?.message}
      isPending={removing.isPending}
      onConfirm={() => target !== undefined && removing.mutate(target.id, { onSuccess: leave })}
      onClose={leave}
    >
      <p>
        This deletes the saved view <strong>{target?.name}</strong>. No traces are deleted.
      </p>
    </ConfirmDialog>
  )
}
