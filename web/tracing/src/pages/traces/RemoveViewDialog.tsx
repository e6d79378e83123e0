import type { SavedView } from '@assay/contract/saved-views.ts'
import { useRemoveView } from '../../api/saved-views.ts'
import { ConfirmDialog } from '../../page/ConfirmDialog.tsx'
import type { Asked } from '../../page/use-asked.ts'

interface Props {
  readonly projectId: string
  readonly asked: Asked<SavedView>
}

/** Asks before a view is forgotten. */
export function RemoveViewDialog({ projectId, asked: { subject, isOpen, close } }: Props) {
  const removing = useRemoveView(projectId)
  function leave(): void {
    removing.reset()
    close()
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title="Remove this view?"
      doWord="Remove view"
      keepWord="Keep it"
      error={removing.error?.message}
      isPending={removing.isPending}
      onConfirm={() => subject !== undefined && removing.mutate(subject.id, { onSuccess: leave })}
      onClose={leave}
    >
      <p>
        The filters of <strong>{subject?.name}</strong> are forgotten. The traces stay.
      </p>
    </ConfirmDialog>
  )
}
