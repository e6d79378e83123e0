import type { Trace } from '@assay/contract/traces.ts'
import { formatCost, formatCount, formatTokens } from '@assay/ui/number-format.ts'
import { StatusMark } from '@assay/ui/StatusMark.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { formatDuration } from '@assay/ui/time-format.ts'
import type { ReactNode } from 'react'
import { CostText } from '../../parts/CostText.tsx'
import styles from './traces.module.css'

/*
 * The columns of the trace table after the name, which is the row's link.
 */

export interface Column {
  readonly id: string
  readonly title: string
  readonly hint?: string
  /** Absent for the column that takes what is left. */
  readonly widthPx?: number
  readonly isNumber?: boolean
  /** Absent for the name, which the row draws itself. */
  readonly cell?: (trace: Trace, nowMs: number) => ReactNode
}

export const columns: readonly Column[] = [
  {
    id: 'status',
    title: 'Status',
    widthPx: 84,
    cell: ({ status }) => (
      <StatusMark isError={status === 'ERROR'} word={status === 'ERROR' ? 'Error' : 'OK'} />
    ),
  },
  { id: 'name', title: 'Name' },
  {
    id: 'started',
    title: 'Started',
    hint: 'Local time; UTC on hover',
    widthPx: 232,
    cell: ({ started_at }, nowMs) => <TimeText at={started_at} nowMs={nowMs} withAge />,
  },
  {
    id: 'duration',
    title: 'Duration',
    widthPx: 92,
    isNumber: true,
    cell: ({ duration_ms }) => formatDuration(duration_ms),
  },
  {
    id: 'spans',
    title: 'Spans',
    widthPx: 66,
    isNumber: true,
    cell: ({ span_count }) => formatTokens(span_count),
  },
  {
    id: 'llm',
    title: 'LLM',
    hint: 'Model calls',
    widthPx: 58,
    isNumber: true,
    cell: ({ llm_call_count }) => count(llm_call_count),
  },
  {
    id: 'tools',
    title: 'Tools',
    hint: 'Tool calls',
    widthPx: 58,
    isNumber: true,
    cell: ({ tool_call_count }) => count(tool_call_count),
  },
  {
    id: 'tokens',
    title: 'Tokens',
    hint: 'Tokens in → tokens out',
    widthPx: 136,
    isNumber: true,
    cell: (trace) => <Tokens trace={trace} />,
  },
  {
    id: 'cost',
    title: 'Cost',
    widthPx: 80,
    isNumber: true,
    cell: ({ cost_usd }) => <CostText usd={cost_usd} />,
  },
  { id: 'models', title: 'Models', widthPx: 150, cell: ({ models }) => <Models models={models} /> },
  {
    id: 'labels',
    title: 'Environment, tags',
    widthPx: 170,
    cell: (trace) => <Labels trace={trace} />,
  },
]

function count(calls: number): ReactNode {
  return calls === 0 ? <span className="dimmed">0</span> : formatTokens(calls)
}

function Tokens({ trace: { tokens_in, tokens_out } }: { readonly trace: Trace }) {
  if (tokens_in + tokens_out === 0) return <span className="dimmed">0</span>
  return (
    <span title={`${formatCount(tokens_in)} tokens in, ${formatCount(tokens_out)} out`}>
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

function Labels({ trace: { environment, tags } }: { readonly trace: Trace }) {
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

/** What a narrow row says under the name. */
export function narrowFacts({ duration_ms, cost_usd, tokens_in, tokens_out }: Trace): string {
  const facts = [formatDuration(duration_ms)]
  if (tokens_in + tokens_out > 0) facts.push(`${formatTokens(tokens_in + tokens_out)} tokens`)
  if (cost_usd !== null) facts.push(formatCost(cost_usd))
  return facts.join(' · ')
}
