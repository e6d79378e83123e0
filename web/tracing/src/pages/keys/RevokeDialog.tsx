import { ApiError } from '@assay/contract/client.ts'
import type { TracingKey } from '@assay/contract/tracing-keys.ts'
import { Button, Modal } from '@mantine/core'
import { useRevokeKey } from '../../api/tracing-keys.ts'
import { FormError } from '../../form/FormError.tsx'
import form from '../../form/form.module.css'
import styles from './keys.module.css'

interface Props {
  readonly projectId: string
  /** The key in question; undefined while there is none. */
  readonly tracingKey: TracingKey | undefined
  readonly name: string
  readonly onClose: () => void
}

/** Asks before a key is revoked, because that cannot be undone. */
export function RevokeDialog({ projectId, tracingKey, name, onClose }: Props) {
  const revoking = useRevokeKey(projectId)
  function close(): void {
    revoking.reset()
    onClose()
  }
  return (
    <Modal opened={tracingKey !== undefined} onClose={close} title="Revoke this key?">
      <div className={form.fields}>
        <p className={styles.text}>
          Whatever sends with <code>{name}</code> is refused from its next request on. This cannot
          be undone. Traces it has sent stay.
        </p>
        <FormError message={wordsFor(revoking.error)} />
        <div className={styles.buttons}>
          <Button variant="default" onClick={close} data-autofocus>
            Keep it
          </Button>
          <Button
            color="red"
            loading={revoking.isPending}
            onClick={() =>
              tracingKey !== undefined && revoking.mutate(tracingKey.id, { onSuccess: close })
            }
          >
            Revoke key
          </Button>
        </div>
      </div>
    </Modal>
  )
}

/** The service answers 500 when the key is gone already; a person is told what that means. */
function wordsFor(error: Error | null): string | undefined {
  if (error === null) return undefined
  if (error instanceof ApiError && error.status === 500) {
    return 'The key could not be revoked. Perhaps someone else has just done so: look at its state in the list.'
  }
  return error.message
}
