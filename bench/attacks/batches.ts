import { type Field, message } from '../protobuf.ts'

/*
 * Ingestion bodies: for filling the store and for attacks.
 */

export const protobufHeaders = { 'content-type': 'application/x-protobuf' }

export function jsonSpan(fields: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ name: 'step', started_at: new Date().toISOString(), ...fields })
}

/** A JSON batch whose spans have the numbers from `first` on, each with `text` as its input. */
export function spanBatch(traceId: string, first: number, count: number, text: string): string {
  const started_at = new Date().toISOString()
  const tail = JSON.stringify({
    name: 'step',
    started_at,
    ...(text === '' ? {} : { input: text }),
  }).slice(1)
  const spans = Array.from({ length: count }, (_, n) => `{"span_id":"s${first + n}",${tail}`)
  return `{"trace_id":"${traceId}","spans":[${spans.join(',')}]}`
}

/** The data points of one gauge: `seriesCount` series, each with a point per second up to now. */
export function metricBatch(name: string, seriesCount: number, pointsPerSeries: number) {
  const nowMs = Date.now()
  const points: Field[] = []
  for (let series = 0; series < seriesCount; series++) {
    const attribute = keyValue(7, 'series', `series ${series}`)
    for (let n = 0; n < pointsPerSeries; n++)
      points.push([1, [[3, nanos(nowMs - n * 1000)], [6, BigInt(n)], attribute]])
  }
  const metrics = message([
    [
      2,
      [
        [1, name],
        [5, points],
      ],
    ],
  ])
  return (service: string) => resourceBatch(service, metrics)
}

export function logBatch(count: number) {
  const nowMs = Date.now()
  const text = 'the agent has called a tool and waits for its result'
  const records = Array.from(
    { length: count },
    (_, n): Field => [
      2,
      [
        [1, nanos(nowMs - n)],
        [2, 9],
        [5, [[1, `${text} ${n}`]]],
      ],
    ],
  )
  const encoded = message(records)
  return (service: string) => resourceBatch(service, encoded)
}

/** An OTLP export request with one resource and one scope; the signals differ only in the scope's content. */
function resourceBatch(service: string, scope: Uint8Array): Uint8Array {
  return message([
    [
      1,
      [
        [1, [keyValue(1, 'service.name', service)]],
        [2, scope],
      ],
    ],
  ])
}

function keyValue(field: number, key: string, value: string): Field {
  return [
    field,
    [
      [1, key],
      [2, [[1, value]]],
    ],
  ]
}

const nanos = (ms: number) => BigInt(ms) * 1_000_000n
