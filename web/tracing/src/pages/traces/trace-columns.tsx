import type { Trace } from '@assay/contract/traces.ts'
import { formatCost, formatCount, formatTokens } from '@assay/ui/number-format.ts'
import { StatusMark } from '@assay/ui/StatusMark.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { formatDuration } from '@assay/ui/time-format.ts'
import type { ReactNode } from 'react'
import { CostText } from '../../parts/CostText.tsx'
import type { ColumnId } from './column-choice.ts'
import styles from './traces.module.css'

/*
 * The columns of the trace table. The row itself renders the name, which is its link.
 */

interface Column {
  readonly title: string
  /** For menus, where the short title would be unclear. */
  readonly longTitle?: string
  readonly hint?: string
  /** Absent for the column that fills the remaining width. */
  readonly widthPx?: number
  readonly isNumber?: boolean
  /** Absent for the name, which the row renders. */
  readonly cell?: (trace: Trace, nowMs: number) => ReactNode
}

const number = (widthPx: number) => ({ widthPx, isNumber: true }) as const

export const columns: Readonly<Record<ColumnId, Column>> = {
  status: {
    title: 'Status',
    widthPx: 84,
    cell: ({ status }) => (
      <StatusMark isError={status === 'ERROR'} word={status === 'ERROR' ? 'Error' : 'OK'} />
    ),
  },
  name: { title: 'Name' },
  started: {
    title: 'Started',
    hint: 'Local time; UTC on hover',
    widthPx: 232,
    cell: ({ started_at }, nowMs) => <TimeText at={started_at} nowMs={nowMs} withAge />,
  },
  duration: {
    title: 'Duration',
    ...number(92),
    cell: ({ duration_ms }) => formatDuration(duration_ms),
  },
  spans: { title: 'Spans', ...number(66), cell: ({ span_count }) => formatTokens(span_count) },
  errors: {
    title: 'Errors',
    hint: 'Spans with an error',
    ...number(66),
    cell: ({ error_count }) => count(error_count),
  },
  llm: {
    title: 'LLM',
    longTitle: 'LLM calls',
    hint: 'LLM calls',
    ...number(58),
    cell: ({ llm_call_count }) => count(llm_call_count),
  },
  tools: {
    title: 'Tools',
    longTitle: 'Tool calls',
    hint: 'Tool calls',
    ...number(58),
    cell: ({ tool_call_count }) => count(tool_call_count),
  },
  tokens: {
    title: 'Tokens',
    longTitle: 'Tokens (input → output)',
    hint: 'Input tokens → output tokens',
    ...number(136),
    cell: (trace) => <Tokens trace={trace} />,
  },
  tokens_in: {
    title: 'Input tokens',
    ...number(90),
    cell: ({ tokens_in }) => count(tokens_in),
  },
  tokens_out: {
    title: 'Output tokens',
    ...number(96),
    cell: ({ tokens_out }) => count(tokens_out),
  },
  cost: { title: 'Cost', ...number(92), cell: ({ cost_usd }) => <CostText usd={cost_usd} /> },
  models: { title: 'Models', widthPx: 150, cell: ({ models }) => <Models models={models} /> },
  labels: {
    title: 'Environment, tags',
    widthPx: 170,
    cell: ({ environment, tags }) => <Labels environment={environment} tags={tags} />,
  },
  environment: {
    title: 'Environment',
    widthPx: 120,
    cell: ({ environment }) => <Labels environment={environment} tags={[]} />,
  },
  tags: {
    title: 'Tags',
    widthPx: 170,
    cell: ({ tags }) => <Labels environment={null} tags={tags} />,
  },
  service: { title: 'Service', widthPx: 140, cell: ({ service }) => words(service) },
  sdk: { title: 'SDK', widthPx: 130, cell: ({ sdk }) => words(sdk) },
  session: { title: 'Session', widthPx: 150, cell: ({ session_id }) => id(session_id) },
  user: { title: 'User', widthPx: 150, cell: ({ user_id }) => id(user_id) },
  source: {
    title: 'Source',
    hint: 'Ingest format',
    widthPx: 110,
    cell: ({ source }) => (source === 'otlp' ? 'OpenTelemetry' : 'JSON'),
  },
  mode: {
    title: 'Mode',
    widthPx: 90,
    cell: ({ mode }) => (mode === 'live' ? 'Live' : 'Simulation'),
  },
  id: { title: 'Trace ID', widthPx: 250, cell: ({ trace_id }) => id(trace_id) },
}

/** The minimum width of the name. */
const nameWidthPx = 220

/** Below this width the table scrolls horizontally. */
export function widthOf(visibleColumns: readonly ColumnId[]): number {
  return visibleColumns.reduce((width, id) => width + (columns[id].widthPx ?? nameWidthPx), 0)
}

function words(text: string | null): ReactNode {
  return text === null ? <span className="dimmed">–</span> : <span title={text}>{text}</span>
}

function id(text: string | null): ReactNode {
  return text === null ? words(null) : <code title={text}>{text}</code>
}

function count(calls: number): ReactNode {
  return calls === 0 ? <span className="dimmed">0</span> : formatTokens(calls)
}

function Tokens({ trace: { tokens_in, tokens_out } }: { readonly trace: Trace }) {
  if (tokens_in + tokens_out === 0) return <span className="dimmed">0</span>
  return (
    <span
      title={`${formatCount(tokens_in)} input tokens, ${formatCount(tokens_out)} output tokens`}
    >
      {formatTokens(tokens_in)} <span className="dimmed">→</span> {formatTokens(tokens_out)}
    </span>
  )
}

function Models({ models }: Pick<Trace, 'models'>) {
  const [first, ...others] = models
  if (first === undefined) return null
  return (
    <span title={models.join(', ')}>
      {first}
      {others.length > 0 && <span className="dimmed"> +{others.length}</span>}
    </span>
  )
}

function Labels({ environment, tags }: Pick<Trace, 'environment' | 'tags'>) {
  return (
    <span className={styles.labels} title={[environment, ...tags].filter(Boolean).join(', ')}>
      {environment !== null && <span className={styles.environment}>{environment}</span>}
      {tags.map((tag) => (
        <span key={tag} className={styles.tag}>
          {tag}
        </span>
      ))}
    </span>
  )
}

/** The second line of a compact row. */
export function formatSummary({ duration_ms, cost_usd, tokens_in, tokens_out }: Trace): string {
  const facts = [formatDuration(duration_ms)]
  if (tokens_in + tokens_out > 0) facts.push(`${formatTokens(tokens_in + tokens_out)} tokens`)
  if (cost_usd !== null) facts.push(formatCost(cost_usd))
  return facts.join(' · ')
}
