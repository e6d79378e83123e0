import { formatCount, formatTokens } from '@assay/ui/number-format.ts'
import { StatusMark } from '@assay/ui/StatusMark.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { useNow } from '@assay/ui/use-now.ts'
import type { ReactNode } from 'react'
import type { TraceGroup } from '../api/trace-sessions.ts'
import { CostText } from '../parts/CostText.tsx'
import styles from './trace-groups.module.css'

interface Props {
  /** `Sessions`. */
  readonly caption: string
  /** `Session`. */
  readonly one: string
  readonly items: readonly TraceGroup[]
  /** The ID as a link. */
  readonly link: (item: TraceGroup, className: string | undefined) => ReactNode
}

/** Trace groups with their totals. */
export function TraceGroupTable({ caption, one, items, link }: Props) {
  const nowMs = useNow(10_000)
  return (
    <div className={styles.scroller}>
      <table className={styles.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{one}</th>
            <th scope="col">Last seen</th>
            <th scope="col" className={styles.wide}>
              First seen
            </th>
            <th scope="col" className={styles.number}>
              Traces
            </th>
            <th scope="col">Errors</th>
            <th scope="col" className={`${styles.number} ${styles.middle}`}>
              Tokens
            </th>
            <th scope="col" className={styles.number} title="Excludes calls without a price">
              Cost
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.id}>
              <td className={styles.name}>{link(item, styles.link)}</td>
              <td>
                <TimeText at={item.last_seen_at} nowMs={nowMs} withAge />
              </td>
              <td className={styles.wide}>
                <TimeText at={item.first_seen_at} nowMs={nowMs} />
              </td>
              <td className={styles.number}>
                {formatCount(item.trace_count)}
                <span className={styles.word}> {item.trace_count === 1 ? 'trace' : 'traces'}</span>
              </td>
              <td className={item.error_count === 0 ? styles.zero : undefined}>
                <Errors count={item.error_count} />
              </td>
              <td className={`${styles.number} ${styles.middle}`}>
                <Tokens item={item} />
              </td>
              <td className={styles.number}>
                <GroupCost usd={item.cost_usd} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Errors({ count }: { readonly count: number }) {
  if (count === 0) return <span className="dimmed">0</span>
  return <StatusMark isError word={formatCount(count)} />
}

function Tokens({ item: { tokens_in, tokens_out } }: { readonly item: TraceGroup }) {
  if (tokens_in + tokens_out === 0) return <span className="dimmed">0</span>
  return (
    <span
      title={`${formatCount(tokens_in)} input tokens, ${formatCount(tokens_out)} output tokens`}
    >
      {formatTokens(tokens_in)} <span className="dimmed">→</span> {formatTokens(tokens_out)}
    </span>
  )
}

/** A zero sum may consist of unknown costs only, so it is shown as unknown. */
function GroupCost({ usd }: { readonly usd: number }) {
  return <CostText usd={usd === 0 ? null : usd} />
}
