import type { AuditLine } from '@assay/contract/audit-log.ts'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { useNow } from '@assay/ui/use-now.ts'
import styles from '../page/page.module.css'
import { formatUserAgent } from '../parts/user-agent.ts'
import own from './audit.module.css'
import { formatAction, formatActor, formatDetails } from './audit-format.ts'

interface Props {
  readonly lines: readonly AuditLine[]
  /** These lines are of the filters before; the new ones are on their way. */
  readonly isStale: boolean
  readonly onActor: (userId: string) => void
}

/** Lines of an audit log. */
export function AuditTable({ lines, isStale, onActor }: Props) {
  const nowMs = useNow(60_000)
  return (
    <div className={styles.scroller} data-stale={isStale || undefined}>
      <table className={`${styles.table} ${own.table}`} aria-busy={isStale}>
        <caption className="visually-hidden">Audit log, newest first</caption>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Who</th>
            <th scope="col">What</th>
            <th scope="col" className={own.from}>
              From
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <Line key={line.id} line={line} nowMs={nowMs} onActor={onActor} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface LineProps {
  readonly line: AuditLine
  readonly nowMs: number
  readonly onActor: (userId: string) => void
}

function Line({ line, nowMs, onActor }: LineProps) {
  const { actor, client_address, user_agent, request_id } = line
  const userId = actor.user_id
  const facts = formatDetails(line)
  return (
    <tr>
      <td>
        <TimeText at={line.at} nowMs={nowMs} />
      </td>
      <td className={own.who}>
        {userId === null ? (
          <span className="dimmed">{formatActor(actor)}</span>
        ) : (
          <button
            type="button"
            className={own.actor}
            title={`Only what ${formatActor(actor)} did`}
            onClick={() => onActor(userId)}
          >
            {formatActor(actor)}
          </button>
        )}
      </td>
      <td className={own.what}>
        {formatAction(line.action)}
        {facts.length > 0 && <span className={own.facts}>{facts.join(' · ')}</span>}
      </td>
      <td className={own.from} title={request_id === null ? undefined : `Request ${request_id}`}>
        {client_address}
        <span className={own.facts} title={user_agent ?? undefined}>
          {formatUserAgent(user_agent)}
        </span>
      </td>
    </tr>
  )
}
