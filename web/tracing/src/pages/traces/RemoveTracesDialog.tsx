import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { countOf } from '@assay/ui/count-of.ts'
import { formatCount } from '@assay/ui/number-format.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { useRemoveTraces } from '../../api/remove-traces.ts'

interface Props {
  readonly projectId: string
  readonly dialog: DialogState<readonly string[]>
  readonly onRemoved: (traceId: string) => void
}

export function RemoveTracesDialog({ projectId, dialog, onRemoved }: Props) {
  const total = dialog.target?.length ?? 0
  const count = countOf(total, 'trace')
  const { mutation, removedCount } = useRemoveTraces(projectId, onRemoved)
  return (
    <ConfirmDialog
      dialog={dialog}
      mutation={mutation}
      variables={(traceIds) => traceIds}
      title={`Delete ${count}?`}
      confirmLabel={`Delete ${count}`}
    >
      <p>
        This permanently deletes {total === 1 ? 'it with its' : 'them with their'} spans and
        comments, also from the dashboard. This can't be undone.
      </p>
      {mutation.isPending && total > 1 && (
        <p role="status">
          {formatCount(removedCount)} of {formatCount(total)} deleted
        </p>
      )}
    </ConfirmDialog>
  )
}
