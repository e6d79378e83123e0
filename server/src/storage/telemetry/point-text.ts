import type { JsonText } from '../../domain/json-text.ts'
import type { Distribution, Exemplar, MetricKind } from '../../domain/metric.ts'

/*
 * The members of a data point without a column of their own, as JSON in a fixed order per kind.
 */

type SerializedHistogram = [number, number | null, number | null, number | null, number[], number[]]
type SerializedExponentialHistogram = [
  ...[count: number, sum: number | null, min: number | null, max: number | null],
  ...[scale: number, zeroCount: number, zeroThreshold: number],
  ...[offset: number, counts: number[], negativeOffset: number, negativeCounts: number[]],
]
type SerializedSummary = [number, number | null, (readonly [number, number])[]]

export function serializeDistribution(kind: MetricKind, data: Distribution): string {
  const { count, sum, min, max, bounds, counts, positive, negative } = data
  if (kind === 'summary') return JSON.stringify([count, sum, data.quantiles])
  if (kind === 'histogram') return JSON.stringify([count, sum, min, max, bounds, counts])
  const zero = [data.scale, data.zeroCount, data.zeroThreshold]
  const sides = [positive.offset, positive.counts, negative.offset, negative.counts]
  return JSON.stringify([count, sum, min, max, ...zero, ...sides])
}

export function parseDistribution(kind: MetricKind, text: string): Distribution {
  if (kind === 'summary') {
    const [count, sum, quantiles] = JSON.parse(text) as SerializedSummary
    return { ...nothing, count, sum, quantiles }
  }
  if (kind === 'histogram') {
    const [count, sum, min, max, bounds, counts] = JSON.parse(text) as SerializedHistogram
    return { ...nothing, count, sum, min, max, bounds, counts }
  }
  const [count, sum, min, max, scale, zeroCount, zeroThreshold, ...sides] = JSON.parse(
    text,
  ) as SerializedExponentialHistogram
  const [offset, counts, negativeOffset, negativeCounts] = sides
  return {
    ...nothing,
    ...{ count, sum, min, max, scale, zeroCount, zeroThreshold },
    positive: { offset, counts },
    negative: { offset: negativeOffset, counts: negativeCounts },
  }
}

const none = { offset: 0, counts: [] }

const nothing: Distribution = {
  count: 0,
  sum: null,
  min: null,
  max: null,
  bounds: [],
  counts: [],
  scale: 0,
  zeroCount: 0,
  zeroThreshold: 0,
  positive: none,
  negative: none,
  quantiles: [],
}

type SerializedExemplar = readonly [string | null, number, string | null, string | null, JsonText]

export function serializeExemplars(exemplars: readonly Exemplar[]): string {
  const columns = exemplars.map(
    ({ at, value, traceId, spanId, attributes }): SerializedExemplar => {
      return [at === null ? null : String(at), value, traceId, spanId, attributes]
    },
  )
  return JSON.stringify(columns)
}

export function parseExemplars(text: string): Exemplar[] {
  const data = JSON.parse(text) as readonly SerializedExemplar[]
  return data.map(([at, value, traceId, spanId, attributes]) => {
    return { at: at === null ? null : BigInt(at), value, traceId, spanId, attributes }
  })
}
