import { StatusMark } from '@assay/ui/StatusMark.tsx'
import { Button, Loader } from '@mantine/core'
import { IconBroadcast } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import styles from './send.module.css'
import type { IncomingState } from './use-incoming-traces.ts'

interface Props {
  readonly projectId: string
  readonly incoming: IncomingState
}

/** Waits for a trace. The very first one of a project is opened at once; later ones are told of. */
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
      <div className={styles.wait} role="alert">
        <span className={styles.bad}>The wait is broken: {error.message}</span>
        <Button variant="default" size="compact-xs" onClick={retry}>
          Try again
        </Button>
      </div>
    )
  }
  return (
    <div className={styles.wait} role="status">
      {state === 'live' && isFirst === false ? (
        <IconBroadcast size={16} stroke={1.75} aria-hidden />
      ) : (
        <Loader size={14} aria-hidden />
      )}
      <div className={styles.waitText}>
        {formatStatus(state, isFirst, traces.length)}
        {traces.length > 0 && (
          <ul className={styles.arrived}>
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

function formatStatus(state: string, isFirst: boolean | undefined, arrived: number): string {
  if (state === 'waiting') return 'The connection is lost. Trying again…'
  if (isFirst !== false) return 'Waiting for the first trace. It opens by itself when it arrives.'
  return arrived === 0
    ? 'Listening. What arrives now is listed here.'
    : 'Arrived since you opened this page:'
}
