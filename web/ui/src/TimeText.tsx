import { formatAge, formatLocal, formatUtc, instantMs } from './time-format.ts'
import { useNowForAge } from './use-now.ts'

interface Props {
  /** ISO 8601 in UTC. */
  readonly at: string
  readonly withAge?: boolean
}

/** An instant in local time, with its age, and UTC on hover. */
export function TimeText({ at, withAge = false }: Props) {
  const atMs = instantMs(at)
  const nowMs = useNowForAge(atMs)
  return (
    <time dateTime={at} title={formatUtc(at)} style={{ whiteSpace: 'nowrap' }}>
      {formatLocal(atMs, nowMs)}
      {withAge && <span className="dimmed"> · {formatAge(atMs, nowMs)}</span>}
    </time>
  )
}
