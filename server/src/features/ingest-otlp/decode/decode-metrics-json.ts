import { limits } from '@assay/contract/limits.ts'
import type {
  DecodedExemplar,
  DecodedGroup,
  DecodedMetric,
} from '../../../conventions/decoded-signals.ts'
import type { Buckets, MetricKind } from '../../../domain/metric.ts'
import { acceptMetric, type MetricDraft, newMetricDraft } from './accept-metric.ts'
import { acceptPoint, newPointDraft, type PointDraft } from './accept-record.ts'
import { placed } from './accept-span.ts'
import { tooDeepValue, tooManyRecords } from './bounds.ts'
import { type JsonNames, readJsonRequest } from './json-request.ts'
import {
  isObject,
  type JsonObject,
  parseArray,
  parseCount,
  parseEnum,
  parseId,
  parseInstant,
  parseObject,
  parseText,
  ShapeError,
} from './json-shapes.ts'
import { type Cut, parseAttributes, parseDouble, parseInteger } from './json-values.ts'
import { malformed, type Problems } from './problems.ts'

/*
 * Reads an ExportMetricsServiceRequest in OTLP's JSON form.
 */

interface Reading {
  readonly problems: Problems
  points: number
}

/** Throws VALIDATION_ERROR for a malformed request; problems of single points are added to `problems`. */
export function decodeMetricsJson(
  bytes: Uint8Array,
  problems: Problems,
): DecodedGroup<DecodedMetric>[] {
  const reading: Reading = { problems, points: 0 }
  return readJsonRequest(bytes, names, problems, (item) => parseMetric(item, reading))
}

const names: JsonNames = {
  resources: 'resourceMetrics',
  scopes: 'scopeMetrics',
  oldScopes: 'instrumentationLibraryMetrics',
  items: 'metrics',
}

const kindsByMember: readonly (readonly [member: string, kind: MetricKind])[] = [
  ['gauge', 'gauge'],
  ['sum', 'sum'],
  ['histogram', 'histogram'],
  ['exponentialHistogram', 'exponential_histogram'],
  ['summary', 'summary'],
]

function parseMetric(item: unknown, reading: Reading): DecodedMetric | undefined {
  const draft = newMetricDraft()
  try {
    if (!isObject(item)) throw new ShapeError('a metric', 'an object')
    draft.name = parseText(item['name'], 'the name of a metric')
    draft.description = parseText(item['description'], 'the description of a metric')
    draft.unit = parseText(item['unit'], 'the unit of a metric')
    readData(item, draft, reading)
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error
    reading.problems.reject(malformed(`In a metric, ${error.message}`), placed(reading.points + 1))
    return undefined
  }
  return acceptMetric(draft, reading.problems)
}

function readData(metric: JsonObject, draft: MetricDraft, reading: Reading): void {
  for (const [member, kind] of kindsByMember) {
    if (metric[member] === undefined || metric[member] === null) continue
    const data = parseObject(metric[member], member)
    draft.kind = kind
    draft.temporality = parseEnum(data['aggregationTemporality'], temporalityNames)
    draft.isMonotonic = data['isMonotonic'] === true
    for (const item of parseArray(data['dataPoints'], 'dataPoints')) {
      const point = parsePoint(item, kind, reading)
      if (point !== undefined) draft.points.push(point)
    }
  }
}

const temporalityNames = [
  'AGGREGATION_TEMPORALITY_UNSPECIFIED',
  'AGGREGATION_TEMPORALITY_DELTA',
  'AGGREGATION_TEMPORALITY_CUMULATIVE',
]

function parsePoint(
  item: unknown,
  kind: MetricKind,
  reading: Reading,
): (PointDraft & { place: number }) | undefined {
  const { problems } = reading
  const place = ++reading.points
  if (place > limits.otlpRecords.value) throw tooManyRecords()
  const draft = newPointDraft(kind)
  const cut: Cut = { isCut: false }
  try {
    if (!isObject(item)) throw new ShapeError('a data point', 'an object')
    readPoint(item, kind, draft, cut)
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error
    problems.reject(malformed(`In a data point, ${error.message}`), placed(place))
    return undefined
  }
  if (acceptPoint(draft, kind, place, problems) !== 'accepted') return undefined
  if (cut.isCut) problems.warn(tooDeepValue, placed(place))
  return { ...draft, place }
}

function readPoint(point: JsonObject, kind: MetricKind, draft: PointDraft, cut: Cut): void {
  draft.attributes = parseAttributes(point['attributes'], 'attributes', cut)
  draft.startedAt = parseInstant(point['startTimeUnixNano'], 'startTimeUnixNano')
  draft.at = parseInstant(point['timeUnixNano'], 'timeUnixNano')
  draft.flags = parseCount(point['flags'])
  if (kind !== 'summary') {
    draft.exemplars = parseArray(point['exemplars'], 'exemplars').map((item) =>
      parseExemplar(item, cut),
    )
  }
  const { distribution } = draft
  if (distribution === null) {
    draft.value = parseNumber(point) ?? Number.NaN
    return
  }
  distribution.count = parseWhole(point['count'], 'count')
  distribution.sum = optional(point['sum'], 'sum')
  if (kind === 'summary') {
    distribution.quantiles = parseArray(point['quantileValues'], 'quantileValues').map(
      parseQuantile,
    )
    return
  }
  distribution.min = optional(point['min'], 'min')
  distribution.max = optional(point['max'], 'max')
  if (kind === 'histogram') {
    distribution.bounds = parseArray(point['explicitBounds'], 'explicitBounds').map((bound) =>
      parseDouble(bound, 'a bound'),
    )
    distribution.counts = parseWholes(point['bucketCounts'])
    return
  }
  distribution.scale = parseInt32(point['scale'], 'scale')
  distribution.zeroCount = parseWhole(point['zeroCount'], 'zeroCount')
  distribution.zeroThreshold = optional(point['zeroThreshold'], 'zeroThreshold') ?? 0
  distribution.positive = parseBuckets(point['positive'])
  distribution.negative = parseBuckets(point['negative'])
}

function parseNumber(point: JsonObject): number | undefined {
  const { asDouble, asInt } = point
  if (asDouble !== undefined && asDouble !== null) return parseDouble(asDouble, 'asDouble')
  if (asInt !== undefined && asInt !== null) return Number(parseInteger(asInt, 'asInt'))
  return undefined
}

function optional(value: unknown, member: string): number | null {
  return value === undefined || value === null ? null : parseDouble(value, member)
}

function parseWhole(value: unknown, member: string): number {
  if (value === undefined || value === null) return 0
  const count =
    typeof value === 'string' && /^\d{1,20}$/.test(value) ? Number(BigInt(value)) : value
  if (typeof count === 'number' && Number.isInteger(count) && count >= 0) return count
  throw new ShapeError(member, 'a count')
}

function parseWholes(value: unknown): number[] {
  return parseArray(value, 'bucketCounts').map((count) =>
    parseWhole(count, 'an item of bucketCounts'),
  )
}

function parseInt32(value: unknown, member: string): number {
  if (value === undefined || value === null) return 0
  const whole = Number(parseInteger(value, member))
  if (Math.abs(whole) < 2 ** 31) return whole
  throw new ShapeError(member, 'a 32-bit integer')
}

function parseBuckets(value: unknown): Buckets {
  const buckets = parseObject(value, 'the buckets')
  return {
    offset: parseInt32(buckets['offset'], 'offset'),
    counts: parseWholes(buckets['bucketCounts']),
  }
}

function parseQuantile(item: unknown): readonly [quantile: number, value: number] {
  const reported = parseObject(item, 'an item of quantileValues')
  return [
    optional(reported['quantile'], 'quantile') ?? 0,
    optional(reported['value'], 'the value of a quantile') ?? 0,
  ]
}

function parseExemplar(item: unknown, cut: Cut): DecodedExemplar {
  const exemplar = parseObject(item, 'an exemplar')
  return {
    at: parseInstant(exemplar['timeUnixNano'], 'timeUnixNano of an exemplar'),
    value: parseNumber(exemplar) ?? 0,
    traceId: parseId(exemplar['traceId']),
    spanId: parseId(exemplar['spanId']),
    attributes: parseAttributes(exemplar['filteredAttributes'], 'filteredAttributes', cut),
  }
}
