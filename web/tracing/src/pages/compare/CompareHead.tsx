import type { Trace } from '@assay/contract/traces.ts'
import { formatCost, formatCount, formatTokens } from '@assay/ui/number-format.ts'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { formatDuration } from '@assay/ui/time-format.ts'
import { Button } from '@mantine/core'
import { IconArrowsExchange } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { CostText } from '../../parts/CostText.tsx'
import { TraceStatus } from '../../parts/TraceStatus.tsx'
import styles from './compare.module.css'
import { Delta } from './Delta.tsx'
import type { WholeTrace } from './use-whole-trace.ts'

interface Props {
  readonly a: WholeTrace
  readonly b: WholeTrace
  readonly onSwap: () => void
}

/** The totals of both traces. */
export function CompareHead({ a, b, onSwap }: Props) {
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
          { side: 'A', a, b, of: a },
          { side: 'B', a, b, of: b },
          { side: 'Difference', a, b, of: undefined },
        ]}
        columns={columns}
        rowKey={({ side }) => side}
        rowClass={() => styles.dense}
      />
    </header>
  )
}

interface Total {
  readonly side: string
  readonly a: WholeTrace
  readonly b: WholeTrace
  /** Undefined for the difference of both. */
  readonly of: WholeTrace | undefined
}

const columns: readonly Column<Total>[] = [
  { key: 'trace', header: 'Trace', cell: TraceLink },
  {
    key: 'started',
    header: 'Started',
    cell: ({ of }) => of && <TimeText at={of.trace.started_at} />,
  },
  {
    key: 'status',
    header: 'Status',
    narrow: 'bare',
    cell: ({ of }) => of && <TraceStatus trace={of.trace} />,
  },
  totalColumn('Duration', ({ duration_ms }) => duration_ms, formatDuration),
  totalColumn('Spans', ({ span_count }) => span_count, formatCount, true),
  totalColumn('Input tokens', ({ tokens_in }) => tokens_in, formatTokens),
  totalColumn('Output tokens', ({ tokens_out }) => tokens_out, formatTokens),
  {
    key: 'Cost',
    header: 'Cost',
    align: 'end',
    cell: ({ a, b, of }) =>
      of === undefined ? (
        <CostDelta a={a} b={b} />
      ) : (
        <CostText usd={of.trace.cost_usd} calls={of.trace} />
      ),
  },
]

function totalColumn(
  header: string,
  valueOf: (trace: Trace) => number,
  format: (value: number) => string,
  isNeutral = false,
): Column<Total> {
  return {
    key: header,
    header,
    align: 'end',
    cell({ a, b, of }) {
      if (of !== undefined) return format(valueOf(of.trace))
      const values = { a: valueOf(a.trace), b: valueOf(b.trace) }
      return <Delta {...values} format={format} isNeutral={isNeutral} />
    },
  }
}

/** The difference of two lower bounds is unknown. */
function CostDelta({ a, b }: Pick<Total, 'a' | 'b'>) {
  if ([a, b].some(({ trace }) => trace.unpriced_call_count > 0)) return <CostText usd={null} />
  return <Delta a={a.trace.cost_usd} b={b.trace.cost_usd} format={formatCost} />
}

function TraceLink({ side, of }: Total) {
  if (of === undefined) return side
  const { trace } = of
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
