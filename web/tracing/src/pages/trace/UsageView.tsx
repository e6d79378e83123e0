import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { formatCost, formatCount, formatTokens } from '@assay/ui/number-format.ts'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { formatDuration } from '@assay/ui/time-format.ts'
import { IconChartLine } from '@tabler/icons-react'
import { useMemo } from 'react'
import {
  type CallCounts,
  formatTotalCost,
  formatUnpricedCalls,
} from '../../parts/unpriced-calls.ts'
import type { SpanTree } from '../../spans/span-tree.ts'
import { toTimeScale } from '../../spans/time-scale.ts'
import { UsageChart } from './UsageChart.tsx'
import { type UsagePoint, usageSeries } from './usage-series.ts'
import styles from './views.module.css'

interface Props {
  readonly tree: SpanTree
  readonly selectedId: string | undefined
  readonly onSelect: (spanId: string) => void
}

const maxPoints = 1000

/** Cumulative tokens and cost over the duration of the trace, linked to the spans. */
export function UsageView({ tree, selectedId, onSelect }: Props) {
  const scale = useMemo(() => toTimeScale(tree), [tree])
  const series = useMemo(() => usageSeries(tree, scale.startMs, maxPoints), [tree, scale])
  const { points, calls, isCostUnknown } = series
  const unpriced = formatUnpricedCalls(calls)
  const formatTotal = (usd: number) => formatTotalCost(usd, calls)
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
      {!isCostUnknown && (
        <UsageChart
          {...chart}
          title="Cost"
          lines={[
            { name: 'Cost', color: 'var(--kind-green)', valueOf: ({ totalUsd }) => totalUsd },
          ]}
          format={formatTotal}
        />
      )}
      {(unpriced !== undefined || isCostUnknown) && (
        <p className={styles.note} role="note">
          {unpriced ??
            'The cost is unknown: none was reported, and no span has both a model and tokens.'}
        </p>
      )}
      <h2 className={styles.heading}>Steps</h2>
      <UsageTable {...chart} {...{ calls, isCostUnknown, tree }} />
    </div>
  )
}

interface TableProps extends Props {
  readonly points: readonly UsagePoint[]
  readonly calls: CallCounts
  readonly isCostUnknown: boolean
}

function UsageTable({ points, calls, isCostUnknown, tree, selectedId, onSelect }: TableProps) {
  const columns = useMemo((): readonly Column<UsagePoint>[] => {
    const findSpan = ({ spanId }: UsagePoint) =>
      tree.nodes[tree.positionById.get(spanId) ?? -1]?.span
    const getCost = (point: UsagePoint) =>
      isCostUnknown || (point.costUsd === 0 && findSpan(point)?.cost_usd !== 0)
        ? null
        : point.costUsd
    return [
      numberColumn('Time', ({ atMs }) => formatDuration(atMs)),
      {
        key: 'span',
        header: 'Span',
        isRowHeader: true,
        className: styles.nowrap,
        cell: (point) => (
          <button
            type="button"
            className={styles.plain}
            aria-current={point.spanId === selectedId || undefined}
            onClick={() => onSelect(point.spanId)}
          >
            {findSpan(point)?.name ?? point.spanId}
          </button>
        ),
      },
      numberColumn('Input tokens', ({ tokensIn }) => formatCount(tokensIn)),
      numberColumn('Output tokens', ({ tokensOut }) => formatCount(tokensOut)),
      numberColumn('Cost', (point) => formatCost(getCost(point))),
      numberColumn('Cumulative cost', (point) =>
        formatTotalCost(isCostUnknown ? null : point.totalUsd, calls),
      ),
    ]
  }, [tree, calls, isCostUnknown, selectedId, onSelect])
  return (
    <DataTable
      caption="Usage over time"
      rows={points}
      columns={columns}
      rowKey={({ spanId }) => spanId}
      isRowClickable
    />
  )
}

function numberColumn(header: string, cell: (point: UsagePoint) => string): Column<UsagePoint> {
  return { key: header, header, cell, align: 'end' }
}
