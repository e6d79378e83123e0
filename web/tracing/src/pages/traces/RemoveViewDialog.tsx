import type { SavedView } from '@assay/contract/saved-views.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { useRemoveView } from '../../api/saved-views.ts'
import { ConfirmDialog } from '../../page/ConfirmDialog.tsx'

interface Props {
  readonly projectId: string
  readonly dialog: DialogState<SavedView>
}

/** Asks before a view is forgotten. */
export function RemoveViewDialog({ projectId, dialog: { target, isOpen, close } }: Props) {
  const removing = useRemoveView(projectId)
  function leave(): void {
    removing.reset()
    close()
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title="Remove this view?"
      confirmLabel="Remove view"
      cancelLabel="Keep it"
      error={removing.error?.message}
      isPending={removing.isPending}
      onConfirm={() => target !== undefined && removing.mutate(target.id, { onSuccess: leave })}
      onClose={leave}
    >
      <p>
        The filters of <strong>{target?.name}</strong> are forgotten. The traces stay.
      </p>
    </ConfirmDialog>
  )
}
