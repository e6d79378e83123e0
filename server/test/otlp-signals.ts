import fc from 'fast-check'
import protobuf from 'protobufjs'
import type {
  DecodedGroup,
  DecodedLogRecord,
  DecodedMetric,
} from '../src/conventions/decoded-signals.ts'
import {
  anyAttributes,
  anyHexId,
  anyText,
  anyValues,
  attributed,
  type DecodedMessage,
  hex,
  list,
  text,
  valueByProtobufjs,
  valueSchema,
} from './otlp-request.ts'

/*
 * OTLP requests of metrics and logs for tests, like otlp-request.ts.
 */

const schema = `${valueSchema}
  message ExportLogsServiceRequest { repeated ResourceLogs resourceLogs = 1; }
  message ResourceLogs {
    Resource resource = 1; repeated ScopeLogs scopeLogs = 2; string schemaUrl = 3;
  }
  message ScopeLogs { Scope scope = 1; repeated LogRecord logRecords = 2; string schemaUrl = 3; }
  message LogRecord {
    fixed64 timeUnixNano = 1; int32 severityNumber = 2; string severityText = 3; AnyValue body = 5;
    repeated KeyValue attributes = 6; uint32 droppedAttributesCount = 7; fixed32 flags = 8;
    bytes traceId = 9; bytes spanId = 10; fixed64 observedTimeUnixNano = 11; string eventName = 12;
  }
  message ExportMetricsServiceRequest { repeated ResourceMetrics resourceMetrics = 1; }
  message ResourceMetrics {
    Resource resource = 1; repeated ScopeMetrics scopeMetrics = 2; string schemaUrl = 3;
  }
  message ScopeMetrics { Scope scope = 1; repeated Metric metrics = 2; string schemaUrl = 3; }
  message Metric {
    string name = 1; string description = 2; string unit = 3;
    oneof data {
      Gauge gauge = 5; Sum sum = 7; Histogram histogram = 9;
      ExponentialHistogram exponentialHistogram = 10; Summary summary = 11;
    }
  }
  message Gauge { repeated NumberDataPoint dataPoints = 1; }
  message Sum {
    repeated NumberDataPoint dataPoints = 1; int32 aggregationTemporality = 2; bool isMonotonic = 3;
  }
  message Histogram { repeated HistogramDataPoint dataPoints = 1; int32 aggregationTemporality = 2; }
  message ExponentialHistogram {
    repeated ExponentialHistogramDataPoint dataPoints = 1; int32 aggregationTemporality = 2;
  }
  message Summary { repeated SummaryDataPoint dataPoints = 1; }
  message NumberDataPoint {
    fixed64 startTimeUnixNano = 2; fixed64 timeUnixNano = 3; oneof v { double asDouble = 4; sfixed64 asInt = 6; }
    repeated Exemplar exemplars = 5; repeated KeyValue attributes = 7; uint32 flags = 8;
  }
  message HistogramDataPoint {
    fixed64 startTimeUnixNano = 2; fixed64 timeUnixNano = 3; fixed64 count = 4;
    optional double sum = 5; repeated fixed64 bucketCounts = 6; repeated double explicitBounds = 7;
    repeated Exemplar exemplars = 8; repeated KeyValue attributes = 9; uint32 flags = 10;
    optional double min = 11; optional double max = 12;
  }
  message ExponentialHistogramDataPoint {
    repeated KeyValue attributes = 1; fixed64 startTimeUnixNano = 2; fixed64 timeUnixNano = 3;
    fixed64 count = 4; optional double sum = 5; sint32 scale = 6; fixed64 zeroCount = 7;
    Buckets positive = 8; Buckets negative = 9; uint32 flags = 10; repeated Exemplar exemplars = 11;
    optional double min = 12; optional double max = 13; double zeroThreshold = 14;
  }
  message Buckets { sint32 offset = 1; repeated uint64 bucketCounts = 2; }
  message SummaryDataPoint {
    fixed64 startTimeUnixNano = 2; fixed64 timeUnixNano = 3; fixed64 count = 4; double sum = 5;
    repeated Quantile quantileValues = 6; repeated KeyValue attributes = 7; uint32 flags = 8;
  }
  message Quantile { double quantile = 1; double value = 2; }
  message Exemplar {
    fixed64 timeUnixNano = 2; oneof v { double asDouble = 3; sfixed64 asInt = 6; } bytes spanId = 4;
    bytes traceId = 5; repeated KeyValue filteredAttributes = 7;
  }
`
const { root } = protobuf.parse(schema, { keepCase: true })
const logsType = root.lookupType('ExportLogsServiceRequest')
const metricsType = root.lookupType('ExportMetricsServiceRequest')

export function logsBytes(request: object): Uint8Array<ArrayBuffer> {
  return encoded(logsType, request)
}

export function metricsBytes(request: object): Uint8Array<ArrayBuffer> {
  return encoded(metricsType, request)
}

function encoded(type: protobuf.Type, request: object): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(type.encode(type.fromObject(withBytes(request) as object)).finish())
}

/** Replaces ids by their bytes. */
function withBytes(value: unknown, key = ''): unknown {
  if ((key === 'traceId' || key === 'spanId') && typeof value === 'string') {
    return Buffer.from(value, 'hex')
  }
  if (Array.isArray(value)) return value.map((each) => withBytes(each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withBytes(each, name)]),
  )
}

const options = { longs: String, bytes: String, defaults: true, arrays: true, oneofs: true }

/** What protobufjs reads from a request whose records are all valid, as our type. */
export function logsByProtobufjs(bytes: Uint8Array): DecodedGroup<DecodedLogRecord>[] {
  const request = logsType.toObject(logsType.decode(bytes), options)
  return toGroups(request, ['resourceLogs', 'scopeLogs', 'logRecords']).map((group) => ({
    ...group,
    items: group.items.map((record) => {
      const observedAt = BigInt(String(record['observedTimeUnixNano']))
      return {
        at: BigInt(String(record['timeUnixNano'])) || observedAt,
        observedAt,
        severity: Number(record['severityNumber']),
        severityText: String(record['severityText']),
        body: valueByProtobufjs(record['body']),
        ...attributed(record),
        flags: Number(record['flags']),
        traceId: hex(record['traceId']),
        spanId: hex(record['traceId']) === '' ? '' : hex(record['spanId']),
        eventName: String(record['eventName']),
      }
    }),
  }))
}

/** The same for metrics. */
export function metricsByProtobufjs(bytes: Uint8Array): DecodedGroup<DecodedMetric>[] {
  // Without defaults where absence is significant.
  const request = metricsType.toObject(metricsType.decode(bytes), options)
  return toGroups(request, ['resourceMetrics', 'scopeMetrics', 'metrics']).map((group) => ({
    ...group,
    items: group.items.flatMap((metric) => {
      const data = metric[String(metric['data'])] as DecodedMessage
      const points = list(data['dataPoints']).map((point) => toPoint(point, String(metric['data'])))
      const kind = kinds[String(metric['data'])]!
      const temporality = (['unspecified', 'delta', 'cumulative'] as const)[
        Number(data['aggregationTemporality'] ?? 0)
      ]!
      const isMonotonic = data['isMonotonic'] === true
      const head = {
        name: String(metric['name']),
        description: String(metric['description']),
        unit: String(metric['unit']),
      }
      return points.length === 0 ? [] : [{ ...head, kind, temporality, isMonotonic, points }]
    }),
  }))
}

const kinds: Readonly<Record<string, DecodedMetric['kind']>> = {
  gauge: 'gauge',
  sum: 'sum',
  histogram: 'histogram',
  exponentialHistogram: 'exponential_histogram',
  summary: 'summary',
}

function toPoint(point: DecodedMessage, data: string): DecodedMetric['points'][number] {
  const hasValue = data === 'gauge' || data === 'sum'
  const { attributes } = attributed(point)
  return {
    attributes,
    startedAt: BigInt(String(point['startTimeUnixNano'])),
    at: BigInt(String(point['timeUnixNano'])),
    flags: Number(point['flags']),
    value: hasValue ? toNumber(point) : 0,
    distribution: hasValue ? null : toDistribution(point),
    exemplars: list(point['exemplars'] ?? []).map((each) => ({
      at: BigInt(String(each['timeUnixNano'])),
      value: toNumber(each),
      traceId: hex(each['traceId']),
      spanId: hex(each['spanId']),
      attributes: attributed({ attributes: each['filteredAttributes'] }).attributes,
    })),
  }
}

function toNumber(point: DecodedMessage): number {
  return Number(point[String(point['v'])] ?? 0)
}

function toDistribution(point: DecodedMessage) {
  const numbers = (value: unknown) => ((value as readonly unknown[] | undefined) ?? []).map(Number)
  const optional = (value: unknown) =>
    value === undefined || value === null ? null : Number(value)
  const buckets = (value: unknown) => {
    const reported = (value ?? {}) as DecodedMessage
    return { offset: Number(reported['offset'] ?? 0), counts: numbers(reported['bucketCounts']) }
  }
  return {
    count: Number(point['count']),
    sum: optional(point['sum']),
    min: optional(point['min']),
    max: optional(point['max']),
    bounds: numbers(point['explicitBounds']),
    counts: numbers(point['bucketCounts']),
    scale: Number(point['scale'] ?? 0),
    zeroCount: Number(point['zeroCount'] ?? 0),
    zeroThreshold: Number(point['zeroThreshold'] ?? 0),
    positive: buckets(point['positive']),
    negative: buckets(point['negative']),
    quantiles: list(point['quantileValues'] ?? []).map(
      (each) => [Number(each['quantile']), Number(each['value'])] as const,
    ),
  }
}

function toGroups(
  request: DecodedMessage,
  [resources, scopes, items]: readonly [string, string, string],
) {
  return list(request[resources]).flatMap((inResource) =>
    list(inResource[scopes]).map((inScope) => ({
      resource: {
        ...attributed(inResource['resource']),
        schemaUrl: String(inResource['schemaUrl']),
      },
      scope: {
        ...attributed(inScope['scope']),
        name: text(inScope['scope'], 'name'),
        version: text(inScope['scope'], 'version'),
        schemaUrl: String(inScope['schemaUrl']),
      },
      items: list(inScope[items]),
    })),
  )
}

const count = fc.nat({ max: 0xffff_ffff })
const wide = fc.bigInt({ min: 0n, max: 2n ** 53n - 1n }).map(String)
const instant = fc.bigInt({ min: 1n, max: 2n ** 62n }).map(String)
const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)

const logRecord = fc.record(
  {
    timeUnixNano: instant,
    observedTimeUnixNano: instant,
    severityNumber: fc.nat({ max: 24 }),
    severityText: anyText,
    body: anyValues,
    attributes: anyAttributes,
    droppedAttributesCount: count,
    flags: count,
    traceId: anyHexId(16),
    spanId: anyHexId(8),
    eventName: anyText,
  },
  { requiredKeys: ['observedTimeUnixNano'] },
)

const someValue = fc.oneof(
  fc.record({ asDouble: double }),
  fc.record({ asInt: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String) }),
)
const exemplar = fc
  .tuple(
    fc.record(
      {
        timeUnixNano: instant,
        traceId: anyHexId(16),
        filteredAttributes: anyAttributes,
      },
      { requiredKeys: [] },
    ),
    fc.option(anyHexId(8)),
    someValue,
  )
  .map(([reported, spanId, value]) => ({
    ...reported,
    ...(reported.traceId === undefined || spanId === null ? {} : { spanId }),
    ...value,
  }))

const shared = {
  timeUnixNano: instant,
  attributes: anyAttributes,
  exemplars: fc.array(exemplar, { maxLength: 2 }),
}
const spread = { sum: double, min: double, max: double }
const numberPoint = fc
  .tuple(fc.record(shared, { requiredKeys: ['timeUnixNano'] }), someValue)
  .map(([reported, value]) => ({ ...reported, ...value }))
const histogramPoint = fc
  .tuple(
    fc.record({ ...shared, ...spread, count: wide }, { requiredKeys: ['timeUnixNano'] }),
    fc.uniqueArray(double, { maxLength: 5 }),
    fc.array(wide, { minLength: 6, maxLength: 6 }),
  )
  .map(([reported, bounds, counts]) => ({
    ...reported,
    explicitBounds: bounds.toSorted((a, b) => a - b),
    bucketCounts: counts.slice(0, bounds.length + 1),
  }))
const buckets = fc.record({
  offset: fc.integer({ min: -500, max: 500 }),
  bucketCounts: fc.array(wide, { maxLength: 5 }),
})
const exponentialPoint = fc.record(
  {
    ...{ ...shared, ...spread, count: wide, scale: fc.integer({ min: -11, max: 20 }) },
    ...{
      zeroCount: wide,
      zeroThreshold: double.map(Math.abs),
      positive: buckets,
      negative: buckets,
    },
  },
  { requiredKeys: ['timeUnixNano'] },
)
const { exemplars: _, ...sharedBySummaries } = shared
const summaryPoint = fc.record(
  {
    ...{ ...sharedBySummaries, count: wide, sum: double },
    quantileValues: fc.array(
      fc.record({ quantile: fc.double({ min: 0, max: 1, noNaN: true }), value: double }),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: ['timeUnixNano', 'sum'] },
)
const points = (point: fc.Arbitrary<unknown>) => fc.array(point, { minLength: 1, maxLength: 3 })
const aggregationTemporality = fc.constantFrom(1, 2)

const data = fc.oneof(
  fc.record({ gauge: fc.record({ dataPoints: points(numberPoint) }) }),
  fc.record({
    sum: fc.record({
      dataPoints: points(numberPoint),
      aggregationTemporality,
      isMonotonic: fc.boolean(),
    }),
  }),
  fc.record({
    histogram: fc.record({ dataPoints: points(histogramPoint), aggregationTemporality }),
  }),
  fc.record({
    exponentialHistogram: fc.record({
      dataPoints: points(exponentialPoint),
      aggregationTemporality,
    }),
  }),
  fc.record({ summary: fc.record({ dataPoints: points(summaryPoint) }) }),
)
const metric = fc
  .tuple(
    fc.record(
      { name: anyText.map((name) => `n${name}`), description: anyText, unit: anyText },
      { requiredKeys: ['name'] },
    ),
    data,
  )
  .map(([head, reported]) => ({ ...head, ...reported }))

const inResources = (
  [resources, scopes, items]: readonly [string, string, string],
  item: fc.Arbitrary<unknown>,
): fc.Arbitrary<object> =>
  fc.record({
    [resources]: fc.array(
      fc.record(
        {
          resource: fc.record({ attributes: anyAttributes, droppedAttributesCount: count }),
          schemaUrl: anyText,
          [scopes]: fc.array(
            fc.record(
              {
                scope: fc.record({ name: anyText, version: anyText, attributes: anyAttributes }),
                schemaUrl: anyText,
                [items]: fc.array(item, { maxLength: 3 }),
              },
              { requiredKeys: [items] },
            ),
            { maxLength: 2 },
          ),
        },
        { requiredKeys: [scopes] },
      ),
      { maxLength: 2 },
    ),
  })

/** Requests with valid items only, including everything legal but unusual. */
export const logsRequests = inResources(['resourceLogs', 'scopeLogs', 'logRecords'], logRecord)
export const metricsRequests = inResources(['resourceMetrics', 'scopeMetrics', 'metrics'], metric)
