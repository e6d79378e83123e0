import { countOf } from '@assay/ui/count-of.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { formatCost, formatCount, formatTokens } from '@assay/ui/number-format.ts'
import { formatDuration } from '@assay/ui/time-format.ts'
import { IconChartLine } from '@tabler/icons-react'
import { useMemo } from 'react'
import type { SpanTree } from '../../spans/span-tree.ts'
import { scaleOf } from '../../spans/time-scale.ts'
import { UsageChart } from './UsageChart.tsx'
import { type UsagePoint, usageSeries } from './usage-series.ts'
import styles from './views.module.css'

interface Props {
  readonly tree: SpanTree
  readonly selectedId: string | undefined
  readonly onSelect: (spanId: string) => void
}

const maxPoints = 1000
const maxRows = 200

/** Cumulative tokens and cost over the duration of the trace, linked to the spans. */
export function UsageView({ tree, selectedId, onSelect }: Props) {
  const scale = useMemo(() => scaleOf(tree), [tree])
  const series = useMemo(() => usageSeries(tree, scale.startMs, maxPoints), [tree, scale])
  const { points, unpriced, isCostUnknown } = series
  if (points.length === 0) {
    return (
      <EmptyState icon={<IconChartLine size={20} />} title="No token usage or cost">
        None of the spans in this trace report tokens or cost.
      </EmptyState>
    )
  }
  const chart = { points, lengthMs: scale.lengthMs, selectedId, onSelect }
  return (
    <div className={styles.view}>
      <UsageChart
        {...chart}
        title="Tokens"
        lines={[
          { name: 'Input', color: 'var(--kind-blue)', valueOf: ({ totalIn }) => totalIn },
          {
            name: 'Output',
            color: 'var(--kind-orange)',
            isDashed: true,
            valueOf: ({ totalOut }) => totalOut,
          },
        ]}
        format={formatTokens}
      />
      {isCostUnknown ? (
        <p className={styles.note}>Unknown cost: none was reported and the models have no price.</p>
      ) : (
        <>
          <UsageChart
            {...chart}
            title="Cost"
            lines={[
              { name: 'Cost', color: 'var(--kind-green)', valueOf: ({ totalUsd }) => totalUsd },
            ]}
            format={formatCost}
          />
          {unpriced > 0 && (
            <p className={styles.note}>
              {countOf(unpriced, 'span')} with tokens {unpriced === 1 ? 'has' : 'have'} no price.
              The actual cost is higher.
            </p>
          )}
        </>
      )}
      <h3 className={styles.heading}>Steps</h3>
      <UsageTable {...chart} isCostUnknown={isCostUnknown} tree={tree} />
    </div>
  )
}

interface TableProps extends Props {
  readonly points: readonly UsagePoint[]
  readonly isCostUnknown: boolean
}

function UsageTable({ points, isCostUnknown, tree, selectedId, onSelect }: TableProps) {
  const shown = points.slice(0, maxRows)
  return (
    <>
      <div className={styles.scroller}>
        <table className={styles.table}>
          <caption className="visually-hidden">Usage over time</caption>
          <thead>
            <tr>
              <th scope="col" className={styles.numeric}>
                Time
              </th>
              <th scope="col">Span</th>
              <th scope="col" className={styles.numeric}>
                Input tokens
              </th>
              <th scope="col" className={styles.numeric}>
                Output tokens
              </th>
              <th scope="col" className={styles.numeric}>
                Cost
              </th>
              <th scope="col" className={styles.numeric}>
                Cumulative cost
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((point) => {
              const span = tree.nodes[tree.positionOf.get(point.spanId) ?? -1]?.span
              const name = span === undefined ? point.spanId : span.name
              const isUnpriced = isCostUnknown || (point.costUsd === 0 && span?.cost_usd !== 0)
              return (
                <tr key={point.spanId} data-chosen={point.spanId === selectedId || undefined}>
                  <td className={styles.numeric}>{formatDuration(point.atMs)}</td>
                  <th scope="row">
                    <button
                      type="button"
                      className={styles.plain}
                      onClick={() => onSelect(point.spanId)}
                    >
                      {name}
                    </button>
                  </th>
                  <td className={styles.numeric}>{formatCount(point.tokensIn)}</td>
                  <td className={styles.numeric}>{formatCount(point.tokensOut)}</td>
                  <td className={styles.numeric}>
                    {formatCost(isUnpriced ? null : point.costUsd)}
                  </td>
                  <td className={styles.numeric}>
                    {formatCost(isCostUnknown ? null : point.totalUsd)}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      {shown.length < points.length && (
        <p className={styles.note}>
          Showing the first {formatCount(shown.length)} of {formatCount(points.length)} steps. Use
          the chart to reach the others.
        </p>
      )}
    </>
  )
}
