import type { Trace } from '@assay/contract/traces.ts'
import { formatCost, formatCount, formatTokens } from '@assay/ui/number-format.ts'
import { StatusMark } from '@assay/ui/StatusMark.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { formatDuration } from '@assay/ui/time-format.ts'
import { useNow } from '@assay/ui/use-now.ts'
import { Button, Switch } from '@mantine/core'
import { IconArrowsExchange } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './compare.module.css'
import { Delta } from './Delta.tsx'
import type { DifferenceCounts } from './differences.ts'
import type { Comparison } from './use-comparison.ts'

interface Props {
  readonly a: Trace
  readonly b: Trace
  readonly comparison: Comparison
  readonly isOnly: boolean
  readonly onOnly: (isOnly: boolean) => void
  readonly onSwap: () => void
}

/** The totals of both traces and the number of spans per kind of difference. */
export function CompareHead({ a, b, comparison, isOnly, onOnly, onSwap }: Props) {
  return (
    <header className={styles.head}>
      <div className={styles.titleRow}>
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
      <Totals a={a} b={b} />
      <div className={styles.bar}>
        <Summary counts={comparison.counts} />
        <span className={styles.gap} />
        <OutputState {...comparison.outputs} />
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

function Totals({ a, b }: { readonly a: Trace; readonly b: Trace }) {
  const nowMs = useNow(10_000)
  return (
    <div className={styles.totalsScroller}>
      <table className={styles.totals}>
        <caption className="visually-hidden">Totals</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Side</span>
            </th>
            <th scope="col">Trace</th>
            <th scope="col">Started</th>
            <th scope="col">Status</th>
            <th scope="col">Duration</th>
            <th scope="col">Spans</th>
            <th scope="col">Input tokens</th>
            <th scope="col">Output tokens</th>
            <th scope="col">Cost</th>
          </tr>
        </thead>
        <tbody>
          <TotalRow side="A" trace={a} nowMs={nowMs} />
          <TotalRow side="B" trace={b} nowMs={nowMs} />
          <tr>
            <th scope="row" colSpan={4}>
              Difference
            </th>
            <Change label="Duration" a={a.duration_ms} b={b.duration_ms} format={formatDuration} />
            <Change
              label="Spans"
              a={a.span_count}
              b={b.span_count}
              format={formatCount}
              isNeutral
            />
            <Change label="Input tokens" a={a.tokens_in} b={b.tokens_in} format={formatTokens} />
            <Change label="Output tokens" a={a.tokens_out} b={b.tokens_out} format={formatTokens} />
            <Change label="Cost" a={a.cost_usd} b={b.cost_usd} format={formatCost} />
          </tr>
        </tbody>
      </table>
    </div>
  )
}

interface TotalProps {
  readonly side: 'A' | 'B'
  readonly trace: Trace
  readonly nowMs: number
}

function TotalRow({ side, trace, nowMs }: TotalProps) {
  const isError = trace.status === 'ERROR'
  return (
    <tr>
      <th scope="row">
        <span className={styles.side}>{side}</span>
      </th>
      <td className={styles.name}>
        <Link
          to="/p/$projectId/traces/$traceId"
          params={{ projectId: trace.project_id, traceId: trace.trace_id }}
        >
          {trace.root_name || trace.trace_id}
        </Link>
      </td>
      <td>
        <TimeText at={trace.started_at} nowMs={nowMs} />
      </td>
      <td>
        <StatusMark isError={isError} word={isError ? 'Error' : 'OK'} />
      </td>
      <td data-label="Duration">{formatDuration(trace.duration_ms)}</td>
      <td data-label="Spans">{formatCount(trace.span_count)}</td>
      <td data-label="Input tokens">{formatTokens(trace.tokens_in)}</td>
      <td data-label="Output tokens">{formatTokens(trace.tokens_out)}</td>
      <td data-label="Cost">{formatCost(trace.cost_usd)}</td>
    </tr>
  )
}

interface ChangeProps {
  readonly label: string
  readonly a: number | null
  readonly b: number | null
  readonly format: (value: number) => string
  readonly isNeutral?: boolean
}

function Change({ label, a, b, format, isNeutral }: ChangeProps) {
  return (
    <td data-label={label}>
      <Delta a={a} b={b} format={format} isNeutral={isNeutral === true} />
    </td>
  )
}

function Summary({ counts }: { readonly counts: DifferenceCounts }) {
  const counted: readonly (readonly [number, string])[] = [
    [counts.onlyB, 'added in B'],
    [counts.onlyA, 'missing in B'],
    [counts.slower, 'slower'],
    [counts.faster, 'faster'],
    [counts.costlier, 'more expensive'],
    [counts.cheaper, 'cheaper'],
    [counts.status, counts.status === 1 ? 'different status' : 'different statuses'],
    [counts.output, counts.output === 1 ? 'different output' : 'different outputs'],
  ]
  const words = counted.filter(([count]) => count > 0)
  return (
    <ul className={styles.summary} aria-label="Differences between A and B">
      {words.length === 0 && <li>No differences</li>}
      {words.map(([count, word]) => (
        <li key={word}>
          <strong>{formatCount(count)}</strong> {word}
        </li>
      ))}
    </ul>
  )
}

function OutputState({ state, compare }: Comparison['outputs']): ReactNode {
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
