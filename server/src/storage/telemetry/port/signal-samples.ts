import { emptyObject, type JsonText } from '../../../domain/json-text.ts'
import type { LogRecord } from '../../../domain/log-record.ts'
import type {
  Distribution,
  Measurement,
  MetricPoint,
  MetricSeries,
} from '../../../domain/metric.ts'
import { start } from './samples.ts'

/*
 * Metrics and log records for the suites.
 */

export const second = 1_000_000_000n

const plainSeries: MetricSeries = {
  name: 'requests',
  kind: 'sum',
  unit: '1',
  description: 'Requests received',
  temporality: 'cumulative',
  isMonotonic: true,
  service: 'shop',
  attributes: emptyObject,
  resource: '{"attributes":{"service.name":"shop"}}' as JsonText,
  scope: emptyObject,
}

const plainPoint: MetricPoint = {
  at: start,
  startedAt: start - 1000n * second,
  value: 1,
  distribution: null,
  exemplars: [],
}

export function measurement(
  point: Partial<MetricPoint> = {},
  series: Partial<MetricSeries> = {},
): Measurement {
  return { series: { ...plainSeries, ...series }, point: { ...plainPoint, ...point } }
}

export function distribution(rest: Partial<Distribution>): Distribution {
  const buckets = { offset: 0, counts: [] }
  return {
    ...{ count: 0, sum: null, min: null, max: null, bounds: [], counts: [] },
    ...{ scale: 0, zeroCount: 0, zeroThreshold: 0, positive: buckets, negative: buckets },
    quantiles: [],
    ...rest,
  }
}

const plainLog: LogRecord = {
  at: start,
  observedAt: start + 5n,
  severity: 9,
  severityText: 'INFO',
  eventName: null,
  traceId: null,
  spanId: null,
  service: 'shop',
  body: '"hello"' as JsonText,
  attributes: emptyObject,
  resource: '{"attributes":{"service.name":"shop"}}' as JsonText,
  scope: emptyObject,
  content: null,
}

export function log(body: string, rest: Partial<LogRecord> = {}): LogRecord {
  return { ...plainLog, body: JSON.stringify(body) as JsonText, ...rest }
}

/** A record with the input or output of its span. */
export function contentLog(
  spanId: string,
  input: string | null,
  output: string | null,
  rest: Partial<LogRecord> = {},
): LogRecord {
  const content = { input: listOf(input), output: listOf(output) }
  return log(`${input} ${output}`, { traceId: 'trace', spanId, content, ...rest })
}

function listOf(text: string | null): JsonText | null {
  return text === null ? null : (`[${JSON.stringify(text)}]` as JsonText)
}
