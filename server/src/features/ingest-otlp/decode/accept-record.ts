import { limits } from '@assay/contract/limits.ts'
import type { DecodedLogRecord, DecodedPoint } from '../../../conventions/decoded-signals.ts'
import { noAttributes } from '../../../conventions/decoded-span.ts'
import { lastInstant } from '../../../domain/instant.ts'
import type { Distribution, MetricKind } from '../../../domain/metric.ts'
import { isSpanId, isTraceId, placed, timeOutOfRange } from './accept-span.ts'
import type { Problems, RejectedItem } from './problems.ts'

/*
 * Which log records and data points are stored, and their defaults: the rules for both encodings.
 */

type Mutable<T> = { -readonly [Member in keyof T]: T[Member] }

export type LogDraft = Mutable<DecodedLogRecord>
export type PointDraft = Omit<Mutable<DecodedPoint>, 'distribution' | 'exemplars'> & {
  distribution: DistributionDraft | null
  exemplars: DecodedPoint['exemplars'][number][]
}
export type DistributionDraft = Mutable<NonNullable<DecodedPoint['distribution']>>

export function newLogDraft(): LogDraft {
  return {
    at: 0n,
    observedAt: 0n,
    severity: 0,
    severityText: '',
    body: null,
    attributes: noAttributes,
    droppedAttributesCount: 0,
    flags: 0,
    traceId: '',
    spanId: '',
    eventName: '',
  }
}

/** `value` starts as that of a point without a value. */
export function newPointDraft(kind: MetricKind): PointDraft {
  const hasValue = kind === 'gauge' || kind === 'sum'
  return {
    attributes: noAttributes,
    startedAt: 0n,
    at: 0n,
    flags: 0,
    value: hasValue ? Number.NaN : 0,
    distribution: hasValue ? null : newDistribution(),
    exemplars: [],
  }
}

function newDistribution(): DistributionDraft {
  return {
    count: 0,
    sum: null,
    min: null,
    max: null,
    bounds: [],
    counts: [],
    scale: 0,
    zeroCount: 0,
    zeroThreshold: 0,
    positive: { offset: 0, counts: [] },
    negative: { offset: 0, counts: [] },
    quantiles: [],
  }
}

/**
 * Completes a record that has been read: the time of observation replaces a missing time, and invalid ids
 * are dropped. Returns false if the record is not stored; `problems` then has the reason.
 */
export function acceptLogRecord(draft: LogDraft, place: number, problems: Problems): boolean {
  if (draft.at === 0n) draft.at = draft.observedAt
  const problem = problemOfTime(draft.at) ?? problemOfTime(draft.observedAt || draft.at)
  if (problem !== undefined) {
    problems.reject(problem, placed(place))
    return false
  }
  if (draft.severity > 24) draft.severity = 0
  if (draft.traceId !== '' && !isTraceId(draft.traceId)) {
    if (!isAllZero(draft.traceId)) problems.warn('The trace id is not 16 bytes', placed(place))
    draft.traceId = ''
  }
  if (draft.spanId !== '' && !isSpanId(draft.spanId)) {
    if (!isAllZero(draft.spanId)) problems.warn('The span id is not 8 bytes', placed(place))
    draft.spanId = ''
  }
  if (draft.traceId === '') draft.spanId = ''
  return true
}

/** Points marked as having no recorded value: there is nothing to store, and no error. */
const noRecordedValue = 1

/** Completes a point that has been read. `empty` points are dropped without a report. */
export function acceptPoint(
  draft: PointDraft,
  kind: MetricKind,
  place: number,
  problems: Problems,
): 'accepted' | 'empty' | 'rejected' {
  if ((draft.flags & noRecordedValue) !== 0) return 'empty'
  const problem = problemOfTime(draft.at) ?? problemOfValue(draft, kind)
  if (problem !== undefined) {
    problems.reject(problem, placed(place))
    return 'rejected'
  }
  if (draft.startedAt > draft.at) draft.startedAt = 0n
  draft.exemplars = draft.exemplars
    .filter(({ value }) => Number.isFinite(value))
    .map((exemplar) => ({
      ...exemplar,
      at: exemplar.at > lastInstant ? 0n : exemplar.at,
      traceId: isTraceId(exemplar.traceId) ? exemplar.traceId : '',
      spanId: isTraceId(exemplar.traceId) && isSpanId(exemplar.spanId) ? exemplar.spanId : '',
    }))
  return 'accepted'
}

function problemOfTime(at: bigint): RejectedItem | undefined {
  if (at === 0n) return { reason: 'invalid_time', sentence: 'The time is missing' }
  return at > lastInstant ? timeOutOfRange : undefined
}

function problemOfValue(draft: PointDraft, kind: MetricKind): RejectedItem | undefined {
  const sentence = invalidValue(draft, kind)
  return sentence === undefined ? undefined : { reason: 'invalid_value', sentence }
}

function countBuckets({ counts, positive, negative, quantiles }: Distribution): number {
  return counts.length + positive.counts.length + negative.counts.length + quantiles.length
}

function invalidValue({ value, distribution }: PointDraft, kind: MetricKind): string | undefined {
  if (distribution === null) {
    return Number.isFinite(value) ? undefined : 'The value is missing or no finite number'
  }
  if (countBuckets(distribution) > limits.pointBuckets.value) {
    return `There are more than ${limits.pointBuckets.value} buckets or quantiles`
  }
  // Unlike that of a histogram, the sum of a summary has no presence in the protocol: absent means 0.
  if (kind === 'summary') distribution.sum ??= 0
  distribution.sum = finite(distribution.sum)
  distribution.min = finite(distribution.min)
  distribution.max = finite(distribution.max)
  distribution.quantiles = distribution.quantiles.filter(
    ([quantile, reported]) => quantile >= 0 && quantile <= 1 && Number.isFinite(reported),
  )
  if (kind === 'histogram') return problemOfBuckets(distribution)
  if (kind === 'exponential_histogram' && !isUsableScale(distribution)) {
    return 'The scale or an offset is beyond what a number holds'
  }
  return undefined
}

function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null
}

function problemOfBuckets({ bounds, counts }: DistributionDraft): string | undefined {
  if (counts.length !== bounds.length + 1 && counts.length + bounds.length > 0) {
    return 'There is not one bucket more than there are bounds'
  }
  const isAscending = bounds.every(
    (bound, index) => Number.isFinite(bound) && (index === 0 || bound > bounds[index - 1]!),
  )
  return isAscending ? undefined : 'The bounds of the buckets do not ascend'
}

/** OTLP has no bounds. Beyond these, which no sender needs, bucket bounds are not representable. */
function isUsableScale({ scale, positive, negative, zeroThreshold }: DistributionDraft): boolean {
  if (scale < -11 || scale > 20 || !(zeroThreshold >= 0 && Number.isFinite(zeroThreshold))) {
    return false
  }
  const mostIndex = 1100 * 2 ** Math.max(0, scale)
  return [positive, negative].every(
    ({ offset, counts }) => Math.abs(offset) + counts.length <= mostIndex,
  )
}

function isAllZero(id: string): boolean {
  return /^0*$/.test(id)
}
