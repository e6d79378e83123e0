import { ApiError } from '@assay/contract/client.ts'
import type { TracingKey } from '@assay/contract/tracing-keys.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { useRevokeKey } from '../../api/tracing-keys.ts'
import { ConfirmDialog } from '../../page/ConfirmDialog.tsx'
import { nameOfKey } from './key-name.ts'

interface Props {
  readonly projectId: string
  readonly dialog: DialogState<TracingKey>
}

/** Asks before a key is revoked, because that cannot be undone. */
export function RevokeDialog({ projectId, dialog: { target, isOpen, close } }: Props) {
  const revoking = useRevokeKey(projectId)
  function leave(): void {
    revoking.reset()
    close()
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title="Revoke this key?"
      confirmLabel="Revoke key"
      cancelLabel="Keep it"
      error={toErrorMessage(revoking.error)}
      isPending={revoking.isPending}
      onConfirm={() => target !== undefined && revoking.mutate(target.id, { onSuccess: leave })}
      onClose={leave}
    >
      <p>
        Whatever sends with <code>{target !== undefined && nameOfKey(target)}</code> is refused from
        its next request on. This cannot be undone. Traces it has sent stay.
      </p>
    </ConfirmDialog>
  )
}

/** The service answers 500 when the key is gone already; a person is told what that means. */
function toErrorMessage(error: Error | null): string | undefined {
  if (error === null) return undefined
  if (error instanceof ApiError && error.status === 500) {
    return 'The key could not be revoked. Perhaps someone else has just done so: look at its state in the list.'
  }
  return error.message
}
