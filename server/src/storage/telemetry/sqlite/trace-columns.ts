import { type Instant, millisBetween } from '../../../domain/instant.ts'
import type { Trace, TraceLabels } from '../../../domain/span.ts'
import type { Aggregates } from '../aggregates/trace-rollup.ts'
import { type ColumnDeclarations, defineColumns, type Row } from './columns.ts'

/*
 * The columns of `traces`. A new column is declared here and added to the table in migrations.ts.
 */

/** A trace as read. Its duration is computed from its times, and its project is the requested one. */
interface ReadTrace extends Omit<Trace, 'projectId' | 'durationMs'> {
  readonly traceNo: number
}

/** Of a trace from before they existed, they are null. */
interface Arrival {
  /** When its first spans arrived. */
  readonly receivedAt: Instant | null
  /** When it settles, unless it changes before: settling.ts. */
  readonly settlesAt: Instant | null
}

export interface StoredTrace extends Omit<ReadTrace, keyof typeof callCounts>, Arrival {
  readonly projectNo: number
  /** The labels set by batches; null when not set. */
  readonly labels: TraceLabels | null
  /** The facets it is indexed under. */
  readonly facetNos: readonly number[]
  readonly modelRollup: ModelRollup
}

/** The part of a trace's rollup delta that follows from its spans, and not from its other columns. */
export interface ModelRollup extends Pick<Aggregates, 'calls' | 'unpriced'> {
  readonly models: readonly (readonly [model: string, aggregates: StoredAggregates])[]
}

interface StoredAggregates extends Omit<Aggregates, 'latencies'> {
  readonly latencies: readonly (readonly [bucket: number, count: number])[]
}

/** Columns that an index contains: SQLite rewrites every index that has a column which an UPDATE sets. */
const indexed = {
  startedAt: ['started_at', 'instant'],
  status: ['status', 'text'],
  mode: ['mode', 'text'],
  source: ['source', 'text'],
  environment: ['environment', 'text'],
  service: ['service', 'text'],
  sessionId: ['session_id', 'text'],
  userId: ['user_id', 'text'],
} as const satisfies Partial<ColumnDeclarations<StoredTrace>>

/** These change with every write of a trace, so that they are written together. */
const unindexed = {
  settlesAt: ['settles_at', 'optional instant'], // the only one in an index, whose entry moves with every write
  rootName: ['root_name', 'text'],
  unfinished: ['unfinished', 'text'],
  tags: ['tags', 'json'],
  sdk: ['sdk', 'text'],
  endedAt: ['ended_at', 'instant'],
  spanCount: ['span_count', 'integer'],
  errorCount: ['error_count', 'integer'],
  llmCallCount: ['llm_call_count', 'integer'],
  toolCallCount: ['tool_call_count', 'integer'],
  tokensIn: ['tokens_in', 'integer'],
  tokensOut: ['tokens_out', 'integer'],
  costUsd: ['cost_usd', 'real'],
  models: ['models', 'json'],
  updatedAt: ['updated_at', 'instant'],
  labels: ['labels', 'json'],
  facetNos: ['facets', 'json'],
  modelRollup: ['model_rollup', 'json'],
} as const satisfies Partial<ColumnDeclarations<StoredTrace>>

/** Set when the trace is inserted, and not by updates. */
const identity = {
  traceNo: ['trace_no', 'integer'],
  projectNo: ['project_no', 'integer'],
  traceId: ['trace_id', 'text'],
  receivedAt: ['received_at', 'optional instant'],
} as const satisfies Partial<ColumnDeclarations<StoredTrace>>

/** Read from the rollup delta of the trace. */
const callCounts = {
  modelCallCount: ["model_rollup ->> '$.calls'", 'integer'],
  unpricedCallCount: ["model_rollup ->> '$.unpriced'", 'integer'],
} as const satisfies Partial<ColumnDeclarations<ReadTrace>>

type KeyOf<T> = readonly (keyof T & keyof StoredTrace)[]

export const traceColumns = defineColumns<StoredTrace>({ ...identity, ...indexed, ...unindexed })
export const indexedTraceColumns = traceColumns.pick(Object.keys(indexed) as KeyOf<typeof indexed>)
export const unindexedTraceColumns = traceColumns.pick(
  Object.keys(unindexed) as KeyOf<typeof unindexed>,
)
/** What the writer reads of a stored trace. */
export const traceStateColumns = traceColumns.pick([
  'traceNo',
  'labels',
  'facetNos',
  'startedAt',
  'spanCount',
])

const writtenOnly = new Set<keyof StoredTrace>([
  ...(['projectNo', 'labels', 'facetNos', 'modelRollup', 'receivedAt', 'settlesAt'] as const),
])
const storedReadColumns = traceColumns.pick(
  traceColumns.keys.filter(
    (key): key is keyof ReadTrace & keyof StoredTrace => !writtenOnly.has(key),
  ),
)
export const readTraceColumns = defineColumns<ReadTrace>({
  ...storedReadColumns.declarations,
  ...callCounts,
})

export type TraceRow = Row<ReadTrace>

export const readTraceNo = readTraceColumns.reader('traceNo')
export const readTracePosition = readTraceColumns.selectReader(['startedAt', 'traceId'])
/** What traces can be sorted by. */
export const readTraceSizes = readTraceColumns.selectReader([
  ...(['startedAt', 'endedAt', 'costUsd', 'tokensIn', 'tokensOut', 'errorCount'] as const),
])
export const readTraceStatus = readTraceColumns.reader('status')

const readTrace = readTraceColumns.selectReader(
  readTraceColumns.keys.filter((key) => key !== 'traceNo'),
)

export function toTrace(projectId: string, row: TraceRow): Trace {
  const trace = readTrace(row)
  const durationMs = millisBetween(trace.startedAt, trace.endedAt)
  return { ...trace, projectId, durationMs }
}
