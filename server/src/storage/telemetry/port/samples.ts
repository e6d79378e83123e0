import { type ListedSpan, unpricedReasons } from '@assay/contract/traces.ts'
import fc from 'fast-check'
import { compareIds } from '../../../domain/id-order.ts'
import { emptyArray, emptyObject, type JsonText, jsonNull } from '../../../domain/json-text.ts'
import { serializeSpan } from '../../../domain/serialize-span.ts'
import {
  noPrice,
  noPricingFacts,
  noUsage,
  type Span,
  type SpanBody,
  type Trace,
  type TraceLabels,
} from '../../../domain/span.ts'
import { buildSpanTree } from '../../../domain/span-tree.ts'
import { computeTotals, findCountedUsage, type TraceTotals } from '../../../domain/trace-totals.ts'
import type { Recording } from './ingest.ts'
import type { Position } from './position.ts'
import type { TelemetryStore } from './store.ts'
import type { SpanJsonPage, StoredSpan, TraceFilters } from './traces.ts'

/*
 * Spans and labels for the suites.
 */

/** Opens a new, empty store. */
export type OpenStore = () => Promise<TelemetryStore>

/** Has nanoseconds. */
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

const plain: Span = {
  ...noUsage,
  ...noPricingFacts,
  ...noPrice,
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
  responseId: null,
  repeatsSpanId: null,
  isSeparateCall: false,
  tags: null,
  traceName: null,
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
  mode: null,
  tags: [],
  sessionId: null,
  userId: null,
  ...rest,
})

const text = fc.string({ unit: 'grapheme', maxLength: 30 })
const someText = fc.option(text)
const asJson = (values: readonly string[]) => JSON.stringify(values) as JsonText
const tokens = fc.option(fc.oneof(fc.nat(1000), fc.maxSafeNat()))
const amount = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)

const anyJson: fc.Arbitrary<JsonText> = fc
  .oneof(
    fc.json({ stringUnit: 'binary' }),
    fc.bigInt({ min: 1n }).map((value) => `{"n":${value}${value}.0e-7,"b":1,"a":[-0, 1E400]}`),
    fc
      .string({ unit: 'grapheme' })
      .map((key) => `{"__proto__":{"x":${JSON.stringify(key)}},"__proto__":null}`),
    fc
      .string({ unit: 'binary' })
      .map((value) => ` [ ${JSON.stringify(value)} , "\\ud800\\u00e9\\/" ]\n`),
  )
  .map((json) => json.toWellFormed() as JsonText)

/** JSON that parsing and serializing would change. */
export const anyBody = fc.record({
  input: anyJson,
  output: anyJson,
  attributes: anyJson,
  events: anyJson,
  links: anyJson,
  resource: anyJson,
  scope: anyJson,
})

/** Arbitrary values for every member except the ids. */
export const anySpan: fc.Arbitrary<Span> = fc
  .record({
    parentSpanId: fc.option(fc.constantFrom('span 0', 'span 1', 'span 2', 'lost')),
    name: text.map((name) => name || 'n'),
    kind: fc.constantFrom('llm', 'tool', 'function', 'agent', 'a custom kind'),
    status: fc.constantFrom('OK' as const, 'ERROR' as const),
    statusMessage: someText,
    startedAt: fc.bigInt({ min: start, max: start + 3n }),
    endedAt: fc.bigInt({ min: start + 3n, max: 9_214_000_000_000_000_000n }),
    latencyMs: fc.option(amount),
    model: someText,
    tokensIn: tokens,
    tokensOut: tokens,
    tokensCacheRead: tokens,
    tokensCacheWrite: tokens,
    tokensReasoning: tokens,
    tokensCacheWrite1h: tokens,
    provider: someText,
    serviceTier: someText,
    computedCostUsd: fc.option(amount),
    priceSource: someText,
    priceDate: someText,
    unpricedReason: fc.option(fc.constantFrom(...unpricedReasons)),
    costUsd: fc.option(amount),
    costSource: fc.constantFrom('reported' as const, 'priced' as const, 'unknown' as const),
    sessionId: someText,
    userId: someText,
    environment: someText,
    service: someText,
    sdk: someText,
    responseId: someText,
    tags: fc.option(fc.array(text, { minLength: 1, maxLength: 3 }).map(asJson)),
    traceName: someText,
  })
  .map((drawn) => ({ ...plain, ...drawn }))

/** The order of spans in a trace. */
export function byStart(
  a: Pick<Span, 'startedAt' | 'spanId'>,
  b: Pick<Span, 'startedAt' | 'spanId'>,
): number {
  return a.startedAt === b.startedAt
    ? compareIds(a.spanId, b.spanId)
    : Number(a.startedAt - b.startedAt)
}

/** For sorting traces with `byStart`. */
export function idAsSpan({ traceId, startedAt }: Span): Pick<Span, 'startedAt' | 'spanId'> {
  return { startedAt, spanId: traceId }
}

/** A span as reads return it. */
export function stored({ traceId: _, ...rest }: Span): StoredSpan {
  return rest
}

/** The spans of a trace as reads return them, with what the store adds: calls that repeat or enclose others. */
export function storedTrace(spans: readonly Span[]): StoredSpan[] {
  const counted = spans.map((each) => ({ ...each, source: 'json' as const }))
  const { repeats, separate } = findCountedUsage(counted, buildSpanTree(counted))
  return spans.toSorted(byStart).map((each) => ({
    ...stored(each),
    repeatsSpanId: repeats.get(each.spanId) ?? null,
    isSeparateCall: separate.has(each.spanId),
  }))
}

/** The computed part of the trace of these spans, recorded with source `json`. */
export function computed(
  spans: readonly Span[],
  traceLabels: TraceLabels | null = null,
): TraceTotals {
  return computeTotals(
    spans.map((each) => ({ ...each, source: 'json' as const })),
    traceLabels,
  )
}

/** Writes and reads that most suites need, on the store that is open while a test runs. */
export function storeHelpers(store: () => TelemetryStore) {
  return {
    record: (projectId: string, spans: readonly Span[], rest: Partial<Recording> = {}) =>
      store().record({ projectId, source: 'json', spans: store().encode(spans), ...rest }),

    everySpan: (projectId: string, traceId: string) => readSpans(store(), projectId, traceId),

    everyTrace: async (projectId: string, filters: TraceFilters = {}) =>
      (await store().listTraces(projectId, { limit: 1000, filters })).traces,

    /** The list of all traces on one page, whose total is checked unless it is an estimate. */
    wholeList: async (projectId: string) => {
      const page = await store().listTraces(projectId, { limit: 1000, filters: {} })
      const { traces, next, total, isTotalEstimate } = page
      if (!isTotalEstimate && total !== traces.length) {
        throw new Error(`the total of ${traces.length} traces is ${total}`)
      }
      return { traces, next }
    },
  }
}

/** The spans of a page, without what the API does not return. */
export function parseSpans({ json }: Pick<SpanJsonPage, 'json'>): readonly ListedSpan[] {
  return JSON.parse(Buffer.from(json).toString()) as ListedSpan[]
}

/** All spans of a trace, in the order of its pages. Checks that pages and single reads have the same content. */
export async function readSpans(
  store: TelemetryStore,
  projectId: string,
  traceId: string,
  limit = 10_000,
): Promise<readonly StoredSpan[]> {
  const spans: StoredSpan[] = []
  let after: Position | undefined
  do {
    const query = { limit, bodies: true, ...(after && { after }) }
    const page = await store.readSpansJson(projectId, traceId, query)
    if (page === undefined) return spans
    const own: StoredSpan[] = []
    for (const { span_id } of parseSpans(page)) {
      own.push((await store.findSpan(projectId, traceId, span_id))!)
    }
    const text = `[${own.map((each) => serializeSpan(each, each.body)).join(',')}]`
    if (Buffer.from(page.json).toString() !== text || page.count !== own.length) {
      throw new Error('A page of spans differs from its spans read one by one.')
    }
    spans.push(...own)
    after = page.next
  } while (after !== undefined)
  return spans
}

/** Collects the ids of changed traces of a project until `end`; `unknown` for unknown ones. */
export function watchIds(store: TelemetryStore, projectId: string) {
  const reported: string[] = []
  const end = store.watchChanges(projectId, ({ traceIds }) =>
    reported.push(...(traceIds ?? ['unknown'])),
  )
  return { reported, end }
}

export function idsOf(traces: readonly Pick<Trace, 'traceId'>[]): string[] {
  return traces.map(({ traceId }) => traceId)
}
