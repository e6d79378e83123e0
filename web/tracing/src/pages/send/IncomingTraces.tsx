import { StatusMark } from '@assay/ui/StatusMark.tsx'
import { Button, Loader } from '@mantine/core'
import { IconBroadcast } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { LiveState } from '../../api/use-live-traces.ts'
import styles from './send.module.css'
import type { IncomingState } from './use-incoming-traces.ts'

interface Props {
  readonly projectId: string
  readonly incoming: IncomingState
}

/** Waits for traces. The first one of a project opens at once; later ones are listed. */
export function IncomingTraces({ projectId, incoming }: Props) {
  const { state, isFirst, traces, error, retry } = incoming
  const navigate = useNavigate()
  const firstId = isFirst === true ? traces[0]?.trace_id : undefined
  useEffect(() => {
    if (firstId === undefined) return
    const params = { projectId, traceId: firstId }
    void navigate({ to: '/p/$projectId/traces/$traceId', params })
  }, [firstId, projectId, navigate])

  if (error !== null) {
    return (
      <div className={styles.waiting} role="alert">
        <span className={styles.bad}>Could not check for traces: {error.message}</span>
        <Button variant="default" size="compact-xs" onClick={retry}>
          Retry
        </Button>
      </div>
    )
  }
  return (
    <div className={styles.waiting} role="status">
      {state === 'live' && isFirst === false ? (
        <IconBroadcast size={16} stroke={1.75} aria-hidden />
      ) : (
        <Loader size={14} aria-hidden />
      )}
      <div className={styles.waitingText}>
        {formatStatus(state, isFirst, traces.length)}
        {traces.length > 0 && (
          <ul className={styles.received}>
            {traces.map(({ trace_id, root_name, status }) => (
              <li key={trace_id}>
                <StatusMark
                  isError={status === 'ERROR'}
                  word={status === 'ERROR' ? 'Error' : 'OK'}
                />
                <Link to="/p/$projectId/traces/$traceId" params={{ projectId, traceId: trace_id }}>
                  {root_name === '' ? trace_id : root_name}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}

function formatStatus(state: LiveState, isFirst: boolean | undefined, arrived: number): string {
  if (state === 'waiting') return 'Connection lost. Reconnecting…'
  // Only a trace that arrives after this check is known to be the first, and opens.
  if (isFirst === undefined) return 'Checking for traces…'
  if (isFirst) return 'Waiting for the first trace. It opens when it arrives.'
  return arrived === 0 ? 'Waiting for new traces…' : 'Received since you opened this page:'
}
