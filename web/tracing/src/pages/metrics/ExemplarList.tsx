import { countOf } from '@assay/ui/count-of.ts'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { useNow } from '@assay/ui/use-now.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { MetricResult } from '../../api/metrics.ts'
import { formatInUnit } from './metric-format.ts'
import type { ChartExemplar } from './metric-lines.ts'
import styles from './metrics.module.css'

interface Props {
  readonly projectId: string
  readonly exemplars: readonly ChartExemplar[]
  readonly result: MetricResult
}

const initialRows = 8

/** Exemplars with links to their traces. */
export function ExemplarList({ projectId, exemplars, result }: Props) {
  const [isWhole, setWhole] = useState(false)
  const nowMs = useNow(60_000)
  const unit = result.series[0]?.unit ?? ''
  if (exemplars.length === 0) return null
  const shown = isWhole ? exemplars : exemplars.slice(0, initialRows)
  return (
    <section className={styles.card} aria-label="Exemplars">
      <h3 className={styles.cardTitle}>{countOf(exemplars.length, 'exemplar')}, newest first</h3>
      <div className={styles.tableBox}>
        <table className={styles.table}>
          <caption className="visually-hidden">Exemplars and their traces</caption>
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col" className={styles.number}>
                Value
              </th>
              <th scope="col">Trace</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ at, value, traceId, spanId }, place) => (
              // Exemplars have no ID and may be identical.
              <tr key={`${traceId} ${spanId} ${at} ${place}`}>
                <td>
                  <TimeText at={new Date(at).toISOString()} nowMs={nowMs} withAge />
                </td>
                <td className={styles.number}>{formatInUnit(value, unit)}</td>
                <td>
                  <Link
                    to="/p/$projectId/traces/$traceId"
                    params={{ projectId, traceId }}
                    search={spanId === null ? {} : { span: spanId }}
                    className="mono"
                  >
                    {traceId}
                  </Link>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < exemplars.length && (
        <button type="button" className={styles.plain} onClick={() => setWhole(true)}>
          Show all {exemplars.length}
        </button>
      )}
    </section>
  )
}
