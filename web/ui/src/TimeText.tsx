import { formatAge, formatLocal, formatUtc, instantMs } from './time-format.ts'

interface Props {
  /** ISO 8601 in UTC. */
  readonly at: string
  readonly nowMs: number
  readonly withAge?: boolean
}

/** An instant in local time, with how long ago it was, and UTC on hover. */
export function TimeText({ at, nowMs, withAge = false }: Props) {
  const atMs = instantMs(at)
  return (
    <time dateTime={at} title={formatUtc(at)} style={{ whiteSpace: 'nowrap' }}>
      {formatLocal(atMs, nowMs)}
      {withAge && <span className="dimmed"> · {formatAge(atMs, nowMs)}</span>}
    </time>
  )
}
