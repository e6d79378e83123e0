import type { Instant } from '../../../domain/instant.ts'
import type { JsonText } from '../../../domain/json-text.ts'
import type { MetricSeries } from '../../../domain/metric.ts'
import type { StoredLog } from '../port/logs.ts'
import { type ColumnDeclarations, defineColumns } from './columns.ts'

/*
 * The columns of metrics and log records. A new column is declared here and added to its table in a migration.
 */

const log: ColumnDeclarations<StoredLog> = {
  at: ['at', 'instant'],
  id: ['log_id', 'text'],
  observedAt: ['observed_at', 'optional instant'],
  severity: ['severity', 'integer'],
  severityText: ['severity_text', 'optional text'],
  eventName: ['event_name', 'optional text'],
  traceId: ['trace_id', 'optional text'],
  spanId: ['span_id', 'optional text'],
  service: ['service', 'optional text'],
  body: ['body', 'text'],
  attributes: ['attributes', 'text'],
  resource: ['resource', 'text'],
  scope: ['scope', 'text'],
}

export const logColumns = defineColumns<StoredLog>(log)

/** The input and output that a log record has for its span. */
export const contentColumns = defineColumns<{
  readonly traceId: string
  readonly spanId: string
  readonly logId: string
  readonly at: Instant
  readonly observedAt: Instant
  readonly requestIndex: number
  readonly input: JsonText | null
  readonly output: JsonText | null
}>({
  traceId: ['trace_id', 'text'],
  spanId: ['span_id', 'text'],
  logId: ['log_id', 'text'],
  at: ['at', 'instant'],
  observedAt: ['observed_at', 'instant'],
  requestIndex: ['request_index', 'integer'],
  input: ['input', 'optional text'],
  output: ['output', 'optional text'],
})

interface Series extends MetricSeries {
  readonly id: string
  readonly lastSeenAt: Instant
}

export const seriesColumns = defineColumns<Series>({
  id: ['series_id', 'text'],
  name: ['name', 'text'],
  kind: ['kind', 'text'],
  unit: ['unit', 'text'],
  description: ['description', 'text'],
  temporality: ['temporality', 'text'],
  isMonotonic: ['is_monotonic', 'boolean'],
  attributes: ['attributes', 'text'],
  service: ['service', 'optional text'],
  resource: ['resource', 'text'],
  scope: ['scope', 'text'],
  lastSeenAt: ['last_seen_at', 'instant'],
})

export const pointColumns = defineColumns<{
  readonly seriesId: string
  readonly at: Instant
  readonly startedAt: Instant | null
  readonly value: number | null
  readonly distribution: string | null
  readonly exemplars: string | null
}>({
  seriesId: ['series_id', 'text'],
  at: ['at', 'instant'],
  startedAt: ['started_at', 'optional instant'],
  value: ['value', 'optional real'],
  distribution: ['distribution', 'optional text'],
  exemplars: ['exemplars', 'optional text'],
})

/** What a batch adds to each of its rows. */
export const arrivalOfBatch = defineColumns<{
  readonly projectId: string
  readonly arrivedOn: string
}>({ projectId: ['project_id', 'text'], arrivedOn: ['arrived_on', 'text'] })

export const versionOfBatch = defineColumns<{
  readonly projectId: string
  readonly arrivedOn: string
  readonly version: string
}>({
  projectId: ['project_id', 'text'],
  arrivedOn: ['arrived_on', 'text'],
  version: ['version', 'text'],
})

export const projectOfBatch = defineColumns<{ readonly projectId: string }>({
  projectId: ['project_id', 'text'],
})
