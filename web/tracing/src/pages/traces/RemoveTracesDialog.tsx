import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { countOf } from '@assay/ui/count-of.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { useRemoveTraces } from '../../api/remove-traces.ts'

interface Props {
  readonly projectId: string
  readonly dialog: DialogState<readonly string[]>
  readonly onRemoved: (traceId: string) => void
}

export function RemoveTracesDialog({ projectId, dialog, onRemoved }: Props) {
  const count = countOf(dialog.target?.length ?? 0, 'trace')
  return (
    <ConfirmDialog
      dialog={dialog}
      mutation={useRemoveTraces(projectId, onRemoved)}
      variables={(traceIds) => traceIds}
      title={`Delete ${count}?`}
      confirmLabel={`Delete ${count}`}
    >
      <p>
        This permanently deletes all spans and comments, and updates the dashboard. This can't be
        undone.
      </p>
    </ConfirmDialog>
  )
}
