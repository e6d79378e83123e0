import type { Trace } from '@assay/contract/traces.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { formatCount, formatTokens } from '@assay/ui/number-format.ts'
import { TimeText } from '@assay/ui/TimeText.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { formatDuration, formatExactDuration, instantMs } from '@assay/ui/time-format.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CostText } from '../../parts/CostText.tsx'
import { type ColumnId, printColumns } from '../../parts/column-choice.ts'
import { TraceStatus } from '../../parts/TraceStatus.tsx'
import styles from './traces.module.css'

interface TraceColumn extends Omit<Column<Trace>, 'key'> {
  /** For menus, where the short header would be unclear. */
  readonly longTitle?: string
}

/** The age is shown where the table is wide: a step in the width, at the container query of the style sheet. */
const ageWidth = 'clamp(0px, (100cqw - 1300px) * 999, 82px)'

/** Wide enough for `≥ $0.0000012` where the table is wide. */
const costWidth = 'clamp(92px, (100cqw - 1000px) * 999, 116px)'

/** Wide enough for most names of models and `+1`, where there is room. */
const modelsWidth = 'clamp(150px, (100cqw - 1140px) * 999, 200px)'

const number = (width: number) => ({ width, align: 'end' }) as const

export const columns: Readonly<Record<ColumnId, TraceColumn>> = {
  status: {
    header: 'Status',
    width: 88,
    cell: (trace) => <TraceStatus trace={trace} />,
  },
  name: { header: 'Name', isRowHeader: true, cell: (trace) => <NameLink trace={trace} /> },
  started: {
    header: 'Started',
    hint: 'Local time; UTC on hover',
    width: `calc(142px + ${ageWidth})`,
    className: styles.started,
    cell: ({ started_at }) => <TimeText at={started_at} withAge />,
    sortValue: ({ started_at }) => instantMs(started_at),
  },
  duration: {
    header: 'Duration',
    ...number(112),
    cell: ({ duration_ms }) => (
      <span title={formatExactDuration(duration_ms)}>{formatDuration(duration_ms)}</span>
    ),
    sortValue: ({ duration_ms }) => duration_ms,
  },
  spans: { header: 'Spans', ...number(68), cell: ({ span_count }) => formatTokens(span_count) },
  errors: {
    header: 'Errors',
    hint: 'Spans with an error',
    ...number(66),
    cell: ({ error_count }) => count(error_count),
    sortValue: ({ error_count }) => error_count,
  },
  llm: {
    header: 'LLM',
    longTitle: 'LLM calls',
    hint: 'LLM calls',
    ...number(58),
    cell: ({ llm_call_count }) => count(llm_call_count),
  },
  tools: {
    header: 'Tools',
    longTitle: 'Tool calls',
    hint: 'Tool calls',
    ...number(58),
    cell: ({ tool_call_count }) => count(tool_call_count),
  },
  tokens: {
    header: 'Tokens',
    longTitle: 'Tokens (input → output)',
    hint: 'Input tokens → output tokens',
    ...number(136),
    cell: (trace) => <Tokens trace={trace} />,
    sortValue: ({ tokens_in, tokens_out }) => tokens_in + tokens_out,
  },
  tokens_in: {
    header: 'Input tokens',
    ...number(90),
    cell: ({ tokens_in }) => count(tokens_in),
  },
  tokens_out: {
    header: 'Output tokens',
    ...number(96),
    cell: ({ tokens_out }) => count(tokens_out),
  },
  cost: {
    header: 'Cost',
    hint: 'Of the calls with a price',
    width: costWidth,
    align: 'end',
    cell: (trace) => <CostText usd={trace.cost_usd} calls={trace} />,
    sortValue: ({ cost_usd }) => cost_usd,
  },
  scores: {
    header: 'Scores',
    hint: 'Passed, of all scores',
    ...number(78),
    cell: ({ scores }) => <Scores scores={scores} />,
  },
  models: {
    header: 'Models',
    width: modelsWidth,
    cell: ({ models }) => <Models models={models} />,
  },
  labels: {
    header: 'Environment, tags',
    width: 170,
    cell: ({ environment, tags }) => <Labels environment={environment} tags={tags} />,
  },
  environment: {
    header: 'Environment',
    width: 120,
    cell: ({ environment }) => <Labels environment={environment} tags={[]} />,
  },
  tags: {
    header: 'Tags',
    width: 170,
    cell: ({ tags }) => <Labels environment={null} tags={tags} />,
  },
  service: { header: 'Service', width: 140, cell: ({ service }) => words(service) },
  sdk: { header: 'SDK', width: 130, cell: ({ sdk }) => words(sdk) },
  session: { header: 'Session', width: 150, cell: ({ session_id }) => id(session_id) },
  user: { header: 'User', width: 150, cell: ({ user_id }) => id(user_id) },
  source: {
    header: 'Source',
    hint: 'Ingest format',
    width: 110,
    cell: ({ source }) => (source === 'otlp' ? 'OpenTelemetry' : 'JSON'),
  },
  mode: {
    header: 'Mode',
    width: 90,
    cell: ({ mode }) => (mode === 'live' ? 'Live' : 'Simulated'),
  },
  id: { header: 'Trace ID', width: 250, cell: ({ trace_id }) => id(trace_id) },
}

const selectWidthPx = 34
const minNameWidthPx = 180
/** Of the default columns, those in a narrow list. Chosen columns are all in it. */
const narrowDefaults: readonly ColumnId[] = ['status', 'started', 'duration']
/**
 * The default columns that are left out below these widths of the table, so that names stay readable. Chosen columns
 * are all in it.
 */
const minTableWidths: Partial<Record<ColumnId, number>> = {
  cost: 650,
  tokens: 780,
  spans: 850,
  models: 1000,
}

/** The name fills the remaining width; if there is too little, the table scrolls horizontally. */
export function tableColumns(ids: readonly ColumnId[]): readonly Column<Trace>[] {
  const isDefault = printColumns(ids) === undefined
  const widths = ids.flatMap((id) => {
    const { width } = columns[id]
    const minPx = isDefault ? minTableWidths[id] : undefined
    if (width === undefined) return []
    const text = typeof width === 'number' ? `${width}px` : width
    // Nothing where the column is left out.
    return minPx === undefined ? text : `clamp(0px, (100cqw - ${minPx - 1}px) * 999, ${text})`
  })
  const others = [`${selectWidthPx}px`, ...widths].join(' + ')
  return ids.map((id) => ({
    width: `max(${minNameWidthPx}px, 100cqw - (${others}))`,
    narrow: narrowDefaults.includes(id) ? 'bare' : isDefault ? 'hidden' : 'labeled',
    ...(isDefault && minTableWidths[id] !== undefined ? { minTableWidth: minTableWidths[id] } : {}),
    ...columns[id],
    key: id,
  }))
}

export function getTraceName({ root_name, trace_id }: Trace): string {
  return root_name === '' ? trace_id : root_name
}

function NameLink({ trace }: { readonly trace: Trace }) {
  const { project_id: projectId, trace_id: traceId } = trace
  return (
    <Link
      to="/p/$projectId/traces/$traceId"
      params={{ projectId, traceId }}
      preload={false}
      className={styles.name}
      title={getTraceName(trace)}
    >
      {getTraceName(trace)}
    </Link>
  )
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

function Scores({ scores }: Pick<Trace, 'scores'>) {
  if (scores === undefined || scores.scored === 0) return <span className="dimmed">–</span>
  const { passed, scored } = scores
  return (
    <span
      className={passed < scored ? styles.failedScores : undefined}
      title={`${passed} of ${countOf(scored, 'score')} passed`}
    >
      {passed} / {scored}
    </span>
  )
}

function Models({ models }: Pick<Trace, 'models'>) {
  const [first, ...others] = models
  if (first === undefined) return null
  return (
    <span className={styles.models} title={models.join(', ')}>
      <span>{first}</span>
      {others.length > 0 && <span className="dimmed">+{others.length}</span>}
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
