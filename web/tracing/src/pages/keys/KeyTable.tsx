import type { TracingKey } from '@assay/contract/tracing-keys.ts'
import { StatusMark } from '@assay/ui/StatusMark.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { useNow } from '@assay/ui/use-now.ts'
import { Button } from '@mantine/core'
import styles from '../../page/page.module.css'
import { nameOfKey } from './key-name.ts'
import { RevokeDialog } from './RevokeDialog.tsx'

interface Props {
  readonly projectId: string
  readonly keys: readonly TracingKey[]
  readonly canManage: boolean
}

/** The keys of a project, newest first, revoked ones included. */
export function KeyTable({ projectId, keys, canManage }: Props) {
  const nowMs = useNow(10_000)
  const revoking = useDialog<TracingKey>()
  const active = keys.filter(({ revoked_at }) => revoked_at === null).length
  return (
    <>
      <p className={styles.count}>
        {keys.length} {keys.length === 1 ? 'key' : 'keys'}, {active} active
      </p>
      <div className={styles.scroller}>
        <table className={styles.table}>
          <caption className="visually-hidden">Tracing keys</caption>
          <thead>
            <tr>
              <th scope="col">Key</th>
              <th scope="col" className={styles.wide}>
                Created
              </th>
              <th scope="col">State</th>
              {canManage && (
                <th scope="col">
                  <span className="visually-hidden">Actions</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {keys.map((key) => (
              <tr key={key.id}>
                <td>
                  <code>{nameOfKey(key)}</code>
                </td>
                <td className={styles.wide}>
                  <TimeText at={key.created_at} nowMs={nowMs} withAge />
                </td>
                <td>
                  <State tracingKey={key} nowMs={nowMs} />
                </td>
                {canManage && (
                  <td className={styles.action}>
                    {key.revoked_at === null && (
                      <Button
                        variant="subtle"
                        color="red"
                        size="compact-xs"
                        aria-label={`Revoke ${nameOfKey(key)}`}
                        onClick={() => revoking.open(key)}
                      >
                        Revoke
                      </Button>
                    )}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <RevokeDialog projectId={projectId} dialog={revoking} />
    </>
  )
}

interface StateProps {
  readonly tracingKey: TracingKey
  readonly nowMs: number
}

function State({ tracingKey: { revoked_at }, nowMs }: StateProps) {
  if (revoked_at === null) return <StatusMark isError={false} word="Active" />
  return (
    <span className="dimmed">
      Revoked{' '}
      <span className={styles.wide}>
        <TimeText at={revoked_at} nowMs={nowMs} />
      </span>
    </span>
  )
}
