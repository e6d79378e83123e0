import { countOf } from '@assay/ui/count-of.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { useRemoveTraces } from '../../api/remove-traces.ts'
import { ConfirmDialog } from '../../page/ConfirmDialog.tsx'

interface Props {
  readonly projectId: string
  readonly dialog: DialogState<readonly string[]>
  readonly onRemoved: (traceId: string) => void
}

export function RemoveTracesDialog({ projectId, dialog, onRemoved }: Props) {
  const { target: traceIds = [], isOpen, close } = dialog
  const removing = useRemoveTraces(projectId, onRemoved)
  const count = countOf(traceIds.length, 'trace')
  function leave(): void {
    removing.reset()
    close()
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={traceIds.length === 1 ? 'Delete this trace?' : `Delete ${count}?`}
      confirmLabel={`Delete ${count}`}
      error={removing.error?.message}
      isPending={removing.isPending}
      onConfirm={() => removing.mutate(traceIds, { onSuccess: leave })}
      onClose={leave}
    >
      <p>
        This permanently deletes all spans and comments, and updates the dashboard. This can't be
        undone.
      </p>
    </ConfirmDialog>
  )
}
