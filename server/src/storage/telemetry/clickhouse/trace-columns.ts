import { type Instant, millisBetween } from '../../../domain/instant.ts'
import type { Trace } from '../../../domain/span.ts'
import type { Aggregates } from '../aggregates/trace-rollup.ts'
import { type ColumnDeclarations, type Columns, defineColumns, type Row } from './columns.ts'

/*
 * The columns of `traces`. A new column is declared here and added to the table in a migration.
 */

/** What is computed from other columns, or known from the request. */
type ReadTrace = Omit<Trace, 'projectId' | 'durationMs'>

export interface StoredTrace extends ReadTrace {
  readonly projectId: string
  /** A decimal number. */
  readonly version: string
  readonly arrivedOn: string
  /** When its first spans arrived. */
  readonly receivedAt: Instant
  readonly settlesAt: Instant
  /** Of its spans, as many as filters promise to find. */
  readonly names: readonly string[]
  /** The same, in upper case, so that any case is found. */
  readonly foldedNames: readonly string[]
  readonly kinds: readonly string[]
  /** Of its duration. */
  readonly latencyBucket: number
  readonly repeatedCalls: readonly (readonly [spanId: string, countedIn: string])[]
  readonly separateCalls: readonly string[]
  readonly modelSums: readonly ModelSums[]
}

export type ModelSums = readonly [
  model: string,
  sums: Omit<Aggregates, 'latencies'> & {
    readonly latencies: readonly (readonly [bucket: number, count: number])[]
  },
]

const read: ColumnDeclarations<ReadTrace> = {
  traceId: ['trace_id', 'text'],
  rootName: ['root_name', 'text'],
  status: ['status', 'text'],
  unfinished: ['unfinished', 'optional text'],
  mode: ['mode', 'text'],
  environment: ['environment', 'optional text'],
  tags: ['tags', 'texts'],
  source: ['source', 'text'],
  sessionId: ['session_id', 'optional text'],
  userId: ['user_id', 'optional text'],
  service: ['service', 'optional text'],
  sdk: ['sdk', 'optional text'],
  startedAt: ['started_at', 'instant'],
  endedAt: ['ended_at', 'instant'],
  spanCount: ['span_count', 'integer'],
  errorCount: ['error_count', 'integer'],
  llmCallCount: ['llm_call_count', 'integer'],
  toolCallCount: ['tool_call_count', 'integer'],
  tokensIn: ['tokens_in', 'integer'],
  tokensOut: ['tokens_out', 'integer'],
  costUsd: ['cost_usd', 'optional real'],
  modelCallCount: ['model_call_count', 'integer'],
  unpricedCallCount: ['unpriced_call_count', 'integer'],
  models: ['models', 'texts'],
  updatedAt: ['updated_at', 'instant'],
}

const stored: ColumnDeclarations<StoredTrace> = {
  projectId: ['project_id', 'text'],
  version: ['version', 'text'],
  arrivedOn: ['arrived_on', 'text'],
  ...read,
  receivedAt: ['received_at', 'instant'],
  settlesAt: ['settles_at', 'instant'],
  names: ['names', 'texts'],
  foldedNames: ['folded_names', 'texts'],
  kinds: ['kinds', 'texts'],
  latencyBucket: ['latency_bucket', 'integer'],
  repeatedCalls: ['repeated_calls', 'json'],
  separateCalls: ['separate_calls', 'json'],
  modelSums: ['model_sums', 'json'],
}

export const storedTraceColumns = defineColumns<StoredTrace>(stored)
export const readTraceColumns: Columns<ReadTrace> = defineColumns<ReadTrace>(read)

/** What a write needs to know of a stored trace. */
export const arrivalColumns = storedTraceColumns.pick([
  ...(['projectId', 'traceId', 'spanCount', 'receivedAt', 'arrivedOn'] as const),
])

/** What reads of spans need of their trace. */
export const markedCallColumns = storedTraceColumns.pick(['repeatedCalls', 'separateCalls'])

export function toTrace(projectId: string, row: Row): Trace {
  const trace = readTraceColumns.fromRow(row)
  return { ...trace, projectId, durationMs: millisBetween(trace.startedAt, trace.endedAt) }
}

/** The length of its texts. */
export function sizeOfTrace({ tags, models, ...rest }: Trace): number {
  const texts = [...tags, ...models, ...Object.values(rest)]
  return texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length : 0), 0)
}
