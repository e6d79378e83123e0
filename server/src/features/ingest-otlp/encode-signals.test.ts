import { expect, test } from 'vitest'
import { jsonBytes } from '../../../test/otlp-request.ts'
import { metricsBytes } from '../../../test/otlp-signals.ts'
import type { EncodedBatch, EncodedSignals } from '../../storage/telemetry/port/ingest.ts'
import { encodeLogs, encodeMetrics, type SignalEncoders } from './encode-signals.ts'

/*
 * Requests of metrics and logs whose cost is far more than their size.
 */

const at = '1795170484075000000'
const nothing: EncodedSignals & EncodedBatch = {
  ...{ traceIds: [], filledTraceIds: [], spanCount: 0, sizeBytes: 0, parts: [] },
}
const encoders: SignalEncoders = { encodeMetrics: () => nothing, encodeLogs: () => nothing }
const json = (request: object) =>
  ({ bytes: jsonBytes(request), encoding: 'json', compression: 'identity' }) as const

const resource = (megabytes: number) => ({
  attributes: [{ key: 'k', value: { stringValue: 'x'.repeat(megabytes * 2 ** 20) } }],
})

// Took a minute when each quantile copied those before it.
test('a summary of many quantiles is refused in the time of its bytes', () => {
  const quantileValues = Array.from({ length: 100_000 }, () => ({}))
  const summary = { dataPoints: [{ timeUnixNano: at, quantileValues }] }
  const request = { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'm', summary }] }] }] }
  const bytes = metricsBytes(request)
  const body = { bytes, encoding: 'protobuf', compression: 'identity' } as const
  expect(encodeMetrics(body, encoders)).toMatchObject({ metrics: null, rejected: 1 })
})

test('a large resource of many log records or points does not expand to gigabytes', () => {
  const logs = (count: number, megabytes: number) => ({
    resourceLogs: [
      {
        resource: resource(megabytes),
        scopeLogs: [{ logRecords: Array.from({ length: count }, () => ({ timeUnixNano: at })) }],
      },
    ],
  })
  const metrics = (count: number, megabytes: number) => ({
    resourceMetrics: [
      {
        resource: resource(megabytes),
        scopeMetrics: [
          {
            metrics: [
              {
                name: 'm',
                gauge: {
                  dataPoints: Array.from({ length: count }, () => ({ timeUnixNano: at, asInt: 1 })),
                },
              },
            ],
          },
        ],
      },
    ],
  })
  const encodeJsonLogs = (request: object) => encodeLogs(json(request), encoders, () => nothing)
  const encodeJsonMetrics = (request: object) => encodeMetrics(json(request), encoders)
  expect(encodeJsonLogs(logs(20_000, 1)).rejected).toBe(0)
  expect(encodeJsonMetrics(metrics(20_000, 1)).rejected).toBe(0)
  for (const act of [
    () => encodeJsonLogs(logs(20_000, 10)),
    () => encodeJsonMetrics(metrics(20_000, 10)),
  ]) {
    expect(act).toThrow('OTLP payload is too large.')
  }
})
