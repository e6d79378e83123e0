import type { Trace } from '@assay/contract/traces.ts'
import { formatCost, formatCount, formatTokens, unknown } from '@assay/ui/number-format.ts'
import { StatusMark } from '@assay/ui/StatusMark.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { formatDuration } from '@assay/ui/time-format.ts'
import { Button, Switch } from '@mantine/core'
import { IconArrowsExchange } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import styles from './compare.module.css'
import { Delta } from './Delta.tsx'
import { type ComparedSpan, countDifferences, type Difference } from './differences.ts'
import type { Outputs } from './use-comparison.ts'

interface Props {
  readonly a: Trace
  readonly b: Trace
  readonly spans: readonly ComparedSpan[]
  readonly outputs: Outputs
  readonly isOnly: boolean
  readonly onOnly: (isOnly: boolean) => void
  readonly onSwap: () => void
}

/** The totals of both traces and the number of spans per kind of difference. */
export function CompareHead({ a, b, spans, outputs, isOnly, onOnly, onSwap }: Props) {
  return (
    <header className={styles.head}>
      <div className={styles.line}>
        <h1 className={styles.title}>Compare traces</h1>
        <Button
          variant="default"
          size="compact-xs"
          leftSection={<IconArrowsExchange size={14} />}
          onClick={onSwap}
        >
          Swap A and B
        </Button>
      </div>
      <DataTable
        caption="Totals"
        rows={[
          { side: 'A', a, b, trace: a },
          { side: 'B', a, b, trace: b },
          { side: 'Difference', a, b, trace: undefined },
        ]}
        columns={columns}
        rowKey={({ side }) => side}
        rowClass={() => styles.dense}
      />
      <div className={styles.line}>
        <Summary spans={spans} />
        <OutputState {...outputs} />
        <Switch
          size="xs"
          label="Differences only"
          checked={isOnly}
          onChange={(event) => onOnly(event.currentTarget.checked)}
        />
      </div>
    </header>
  )
}

interface Total {
  readonly side: string
  readonly a: Trace
  readonly b: Trace
  /** Undefined for the difference of both. */
  readonly trace: Trace | undefined
}

const columns: readonly Column<Total>[] = [
  { key: 'trace', header: 'Trace', cell: TraceLink },
  {
    key: 'started',
    header: 'Started',
    cell: ({ trace }) => trace && <TimeText at={trace.started_at} />,
  },
  {
    key: 'status',
    header: 'Status',
    narrow: 'bare',
    cell: ({ trace }) =>
      trace && (
        <StatusMark
          isError={trace.status === 'ERROR'}
          word={trace.status === 'ERROR' ? 'Error' : 'OK'}
        />
      ),
  },
  totalColumn('Duration', ({ duration_ms }) => duration_ms, formatDuration),
  totalColumn('Spans', ({ span_count }) => span_count, formatCount, true),
  totalColumn('Input tokens', ({ tokens_in }) => tokens_in, formatTokens),
  totalColumn('Output tokens', ({ tokens_out }) => tokens_out, formatTokens),
  totalColumn('Cost', ({ cost_usd }) => cost_usd, formatCost),
]

function totalColumn(
  header: string,
  valueOf: (trace: Trace) => number | null,
  format: (value: number) => string,
  isNeutral = false,
): Column<Total> {
  return {
    key: header,
    header,
    align: 'end',
    cell({ a, b, trace }) {
      if (trace === undefined) {
        return <Delta a={valueOf(a)} b={valueOf(b)} format={format} isNeutral={isNeutral} />
      }
      const value = valueOf(trace)
      return value === null ? unknown : format(value)
    },
  }
}

function TraceLink({ side, trace }: Total) {
  if (trace === undefined) return side
  return (
    <>
      <span className={styles.side}>{side}</span>{' '}
      <Link
        to="/p/$projectId/traces/$traceId"
        params={{ projectId: trace.project_id, traceId: trace.trace_id }}
      >
        {trace.root_name || trace.trace_id}
      </Link>
    </>
  )
}

const summaryLabels: readonly (readonly [Difference, one: string, many?: string])[] = [
  ['added', 'added in B'],
  ['missing', 'missing in B'],
  ['slower', 'slower'],
  ['faster', 'faster'],
  ['costlier', 'more expensive'],
  ['cheaper', 'cheaper'],
  ['status', 'different status', 'different statuses'],
  ['output', 'different output', 'different outputs'],
]

function Summary({ spans }: { readonly spans: readonly ComparedSpan[] }) {
  const counts = countDifferences(spans)
  const counted = summaryLabels.filter(([difference]) => counts[difference] !== undefined)
  return (
    <ul className={styles.summary} aria-label="Differences between A and B">
      {counted.length === 0 && <li>No differences</li>}
      {counted.map(([difference, one, many = one]) => (
        <li key={difference}>
          <strong>{formatCount(counts[difference] ?? 0)}</strong>{' '}
          {counts[difference] === 1 ? one : many}
        </li>
      ))}
    </ul>
  )
}

function OutputState({ state, compare }: Outputs) {
  if (state === 'compared') return null
  if (state === 'reading') return <span role="status">Comparing outputs…</span>
  return (
    <Button
      variant="default"
      size="compact-xs"
      title="Loads the outputs of all spans in both traces"
      onClick={compare}
    >
      {state === 'failed' ? 'Could not load outputs. Retry' : 'Compare all outputs'}
    </Button>
  )
}
