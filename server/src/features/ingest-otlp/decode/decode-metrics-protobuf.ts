import { limits } from '@assay/contract/limits.ts'
import type {
  DecodedExemplar,
  DecodedGroup,
  DecodedMetric,
  DecodedPoint,
} from '../../../conventions/decoded-signals.ts'
import { noAttributes } from '../../../conventions/decoded-span.ts'
import type { Buckets, MetricKind } from '../../../domain/metric.ts'
import { acceptMetric, type MetricDraft, newMetricDraft } from './accept-metric.ts'
import {
  acceptPoint,
  type DistributionDraft,
  newPointDraft,
  type PointDraft,
} from './accept-record.ts'
import { placed } from './accept-span.ts'
import { tooDeepValue, tooManyItems, tooManyRecords } from './bounds.ts'
import { malformed, type Problems } from './problems.ts'
import { readProtobufRequest } from './protobuf-request.ts'
import { itemEnd, readAttribute, type ValueReading } from './protobuf-values.ts'
import { tag, WireError, WireReader } from './wire-reader.ts'

/*
 * Reads an ExportMetricsServiceRequest in protobuf, like decode-protobuf.ts.
 */

interface Reading extends ValueReading {
  readonly problems: Problems
  points: number
}

/** Throws VALIDATION_ERROR for a malformed request; problems of single points are added to `problems`. */
export function decodeMetricsProtobuf(
  bytes: Uint8Array,
  problems: Problems,
): DecodedGroup<DecodedMetric>[] {
  const wire = new WireReader(bytes)
  const reading: Reading = { wire, problems, items: 0, points: 0, isCut: false }
  return readProtobufRequest(reading, 'ExportMetricsServiceRequest', (end) =>
    readMetric(reading, end),
  )
}

const metricTags = { name: tag.bytes(1), description: tag.bytes(2), unit: tag.bytes(3) }

const kindsByTag: ReadonlyMap<number, MetricKind> = new Map([
  [tag.bytes(5), 'gauge'],
  [tag.bytes(7), 'sum'],
  [tag.bytes(9), 'histogram'],
  [tag.bytes(10), 'exponential_histogram'],
  [tag.bytes(11), 'summary'],
])

function readMetric(reading: Reading, enclosingEnd: number): DecodedMetric | undefined {
  const { wire, problems } = reading
  const end = itemEnd(reading, enclosingEnd)
  const draft = newMetricDraft()
  try {
    while (wire.at < end) {
      const field = wire.tag(end)
      const kind = kindsByTag.get(field)
      if (kind !== undefined) readData(reading, end, kind, draft)
      else if (field === metricTags.name) draft.name = wire.string(end)
      else if (field === metricTags.description) draft.description = wire.string(end)
      else if (field === metricTags.unit) draft.unit = wire.string(end)
      else wire.skip(field, end)
    }
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    problems.reject(
      malformed('The bytes of its metric are not a protobuf Metric'),
      placed(reading.points + 1),
    )
    wire.at = end
    return undefined
  }
  return acceptMetric(draft, problems)
}

const dataTags = { points: tag.bytes(1), temporality: tag.varint(2), isMonotonic: tag.varint(3) }

function readData(
  reading: Reading,
  enclosingEnd: number,
  kind: MetricKind,
  draft: MetricDraft,
): void {
  const { wire } = reading
  const end = wire.lengthEnd(enclosingEnd)
  draft.kind = kind
  while (wire.at < end) {
    const field = wire.tag(end)
    if (field === dataTags.points) {
      const point = readPoint(reading, end, kind)
      if (point !== undefined) draft.points.push(point)
    } else if (field === dataTags.temporality) draft.temporality = wire.uint32(end)
    else if (field === dataTags.isMonotonic) draft.isMonotonic = wire.bool(end)
    else wire.skip(field, end)
  }
}

function readPoint(
  reading: Reading,
  enclosingEnd: number,
  kind: MetricKind,
): (DecodedPoint & { place: number }) | undefined {
  const { wire, problems } = reading
  const end = itemEnd(reading, enclosingEnd)
  const place = ++reading.points
  if (place > limits.otlpRecords.value) throw tooManyRecords()
  reading.isCut = false
  const draft = newPointDraft(kind)
  try {
    while (wire.at < end) readPointField(reading, end, kind, draft)
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    problems.reject(malformed('Its bytes are not a protobuf data point'), placed(place))
    wire.at = end
    return undefined
  }
  if (acceptPoint(draft, kind, place, problems) !== 'accepted') return undefined
  if (reading.isCut) problems.warn(tooDeepValue, placed(place))
  return { ...draft, place }
}

/** Fields of every kind of point, with different numbers in each. */
interface SharedTags {
  readonly attributes: number
  readonly exemplars: number
  readonly flags: number
}

const none = -1
const sharedTags: Readonly<Record<MetricKind, SharedTags>> = {
  gauge: { attributes: tag.bytes(7), exemplars: tag.bytes(5), flags: tag.varint(8) },
  sum: { attributes: tag.bytes(7), exemplars: tag.bytes(5), flags: tag.varint(8) },
  histogram: { attributes: tag.bytes(9), exemplars: tag.bytes(8), flags: tag.varint(10) },
  exponential_histogram: {
    attributes: tag.bytes(1),
    exemplars: tag.bytes(11),
    flags: tag.varint(10),
  },
  summary: { attributes: tag.bytes(7), exemplars: none, flags: tag.varint(8) },
}
const timeTags = { start: tag.fixed64(2), at: tag.fixed64(3) }
const numberTags = { double: tag.fixed64(4), int: tag.fixed64(6) }

function readPointField(reading: Reading, end: number, kind: MetricKind, draft: PointDraft): void {
  const { wire } = reading
  const field = wire.tag(end)
  const shared = sharedTags[kind]
  if (field === timeTags.at) draft.at = wire.fixed64(end)
  else if (field === timeTags.start) draft.startedAt = wire.fixed64(end)
  else if (field === shared.attributes) {
    draft.attributes = readAttribute(reading, end, draft.attributes, 0)
  } else if (field === shared.exemplars) draft.exemplars.push(readExemplar(reading, end))
  else if (field === shared.flags) draft.flags = wire.uint32(end)
  else if (draft.distribution !== null) {
    readDistributionField(reading, field, end, kind, draft.distribution)
  } else if (field === numberTags.double) draft.value = wire.double(end)
  else if (field === numberTags.int) draft.value = wire.sfixed64(end)
  else wire.skip(field, end)
}

const countTags = { count: tag.fixed64(4), sum: tag.fixed64(5) }

function readDistributionField(
  reading: Reading,
  field: number,
  end: number,
  kind: MetricKind,
  draft: DistributionDraft,
): void {
  const { wire } = reading
  if (field === countTags.count) draft.count = Number(wire.fixed64(end))
  else if (field === countTags.sum) draft.sum = wire.double(end)
  else if (kind === 'histogram') readHistogramField(reading, field, end, draft)
  else if (kind === 'exponential_histogram') readExponentialField(reading, field, end, draft)
  else if (field === summaryTags.quantiles) {
    ;(draft.quantiles as Quantile[]).push(readQuantile(reading, end))
  } else wire.skip(field, end)
}

const histogramTags = {
  counts: tag.bytes(6),
  oneCount: tag.fixed64(6),
  bounds: tag.bytes(7),
  oneBound: tag.fixed64(7),
  min: tag.fixed64(11),
  max: tag.fixed64(12),
}

// Repeated numbers are packed; a sender may also send them unpacked, or in several packed fields.
function readHistogramField(
  reading: Reading,
  field: number,
  end: number,
  draft: DistributionDraft,
): void {
  const { wire } = reading
  const counts = draft.counts as number[]
  const bounds = draft.bounds as number[]
  if (field === histogramTags.counts) {
    readPacked(reading, end, counts, (stop) => Number(wire.fixed64(stop)))
  } else if (field === histogramTags.bounds) {
    readPacked(reading, end, bounds, (stop) => wire.double(stop))
  } else if (field === histogramTags.oneCount) counts.push(Number(wire.fixed64(end)))
  else if (field === histogramTags.oneBound) bounds.push(wire.double(end))
  else if (field === histogramTags.min) draft.min = wire.double(end)
  else if (field === histogramTags.max) draft.max = wire.double(end)
  else wire.skip(field, end)
}

function readPacked(
  reading: Reading,
  enclosingEnd: number,
  numbers: number[],
  read: (end: number) => number,
): void {
  const { wire } = reading
  const end = wire.lengthEnd(enclosingEnd)
  while (wire.at < end) {
    if (++reading.items > limits.otlpItems.value) throw tooManyItems()
    numbers.push(read(end))
  }
}

const exponentialTags = {
  scale: tag.varint(6),
  zeroCount: tag.fixed64(7),
  positive: tag.bytes(8),
  negative: tag.bytes(9),
  min: tag.fixed64(12),
  max: tag.fixed64(13),
  zeroThreshold: tag.fixed64(14),
}

function readExponentialField(
  reading: Reading,
  field: number,
  end: number,
  draft: DistributionDraft,
): void {
  const { wire } = reading
  if (field === exponentialTags.scale) draft.scale = wire.sint32(end)
  else if (field === exponentialTags.zeroCount) draft.zeroCount = Number(wire.fixed64(end))
  else if (field === exponentialTags.positive) draft.positive = readBuckets(reading, end)
  else if (field === exponentialTags.negative) draft.negative = readBuckets(reading, end)
  else if (field === exponentialTags.min) draft.min = wire.double(end)
  else if (field === exponentialTags.max) draft.max = wire.double(end)
  else if (field === exponentialTags.zeroThreshold) draft.zeroThreshold = wire.double(end)
  else wire.skip(field, end)
}

const bucketTags = { offset: tag.varint(1), counts: tag.bytes(2), oneCount: tag.varint(2) }

function readBuckets(reading: Reading, enclosingEnd: number): Buckets {
  const { wire } = reading
  const end = wire.lengthEnd(enclosingEnd)
  const counts: number[] = []
  let offset = 0
  while (wire.at < end) {
    const field = wire.tag(end)
    if (field === bucketTags.counts) readPacked(reading, end, counts, (stop) => wire.count(stop))
    else if (field === bucketTags.oneCount) counts.push(wire.count(end))
    else if (field === bucketTags.offset) offset = wire.sint32(end)
    else wire.skip(field, end)
  }
  return { offset, counts }
}

const summaryTags = { quantiles: tag.bytes(6) }
const quantileTags = { quantile: tag.fixed64(1), value: tag.fixed64(2) }

type Quantile = readonly [quantile: number, value: number]

function readQuantile(reading: Reading, enclosingEnd: number): Quantile {
  const { wire } = reading
  const end = itemEnd(reading, enclosingEnd)
  let quantile = 0
  let value = 0
  while (wire.at < end) {
    const field = wire.tag(end)
    if (field === quantileTags.quantile) quantile = wire.double(end)
    else if (field === quantileTags.value) value = wire.double(end)
    else wire.skip(field, end)
  }
  return [quantile, value]
}

const exemplarTags = {
  at: tag.fixed64(2),
  double: tag.fixed64(3),
  spanId: tag.bytes(4),
  traceId: tag.bytes(5),
  int: tag.fixed64(6),
  attributes: tag.bytes(7),
}

function readExemplar(reading: Reading, enclosingEnd: number): DecodedExemplar {
  const { wire } = reading
  const end = itemEnd(reading, enclosingEnd)
  const exemplar = { at: 0n, value: 0, traceId: '', spanId: '', attributes: noAttributes }
  while (wire.at < end) {
    const field = wire.tag(end)
    if (field === exemplarTags.at) exemplar.at = wire.fixed64(end)
    else if (field === exemplarTags.double) exemplar.value = wire.double(end)
    else if (field === exemplarTags.int) exemplar.value = wire.sfixed64(end)
    else if (field === exemplarTags.traceId) exemplar.traceId = wire.hex(end)
    else if (field === exemplarTags.spanId) exemplar.spanId = wire.hex(end)
    else if (field === exemplarTags.attributes) {
      exemplar.attributes = readAttribute(reading, end, exemplar.attributes, 0)
    } else wire.skip(field, end)
  }
  return exemplar
}
