import { clockTickMs, formatAge, formatLocal, formatUtc, instantMs } from './time-format.ts'
import { useNow } from './use-now.ts'

interface Props {
  /** ISO 8601 in UTC. */
  readonly at: string
  /** The current time; defaults to the clock. */
  readonly nowMs?: number
  readonly withAge?: boolean
}

/** An instant in local time, with its age, and UTC on hover. */
export function TimeText({ at, nowMs: givenNowMs, withAge = false }: Props) {
  const clockMs = useNow(clockTickMs)
  const nowMs = givenNowMs ?? clockMs
  const atMs = instantMs(at)
  return (
    <time dateTime={at} title={formatUtc(at)} style={{ whiteSpace: 'nowrap' }}>
      {formatLocal(atMs, nowMs)}
      {withAge && <span className="dimmed"> · {formatAge(atMs, nowMs)}</span>}
    </time>
  )
}
