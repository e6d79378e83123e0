import { emptyArray, emptyObject, jsonNull } from '../../domain/json-text.ts'
import { noUsage, type Span, type SpanBody, type TraceLabels } from '../../domain/span.ts'

/*
 * Spans and labels for the tests of the stores.
 */

/** With all nine digits of the second. */
export const start = 1_763_600_000_123_456_789n

export const body: SpanBody = {
  input: jsonNull,
  output: jsonNull,
  attributes: emptyObject,
  events: emptyArray,
  links: emptyArray,
  resource: emptyObject,
  scope: emptyObject,
}

export const plain: Span = {
  ...noUsage,
  traceId: 'trace',
  spanId: 'span',
  parentSpanId: null,
  name: 'run',
  kind: 'agent',
  status: 'OK',
  statusMessage: null,
  startedAt: start,
  endedAt: start + 1_000n,
  latencyMs: 0.001,
  model: null,
  costUsd: null,
  costSource: 'unknown',
  sessionId: null,
  userId: null,
  environment: null,
  service: null,
  sdk: null,
  body,
}

export const span = (spanId: string, rest: Partial<Span> = {}): Span => ({
  ...plain,
  spanId,
  ...rest,
})

export const labels = (rest: Partial<TraceLabels>): TraceLabels => ({
  rootName: null,
  environment: null,
  mode: 'live',
  tags: [],
  sessionId: null,
  userId: null,
  ...rest,
})
