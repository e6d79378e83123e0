import { ingestTrace } from '@assay/contract/ingest.ts'
import { listLogs } from '@assay/contract/logs.ts'
import { listMetrics } from '@assay/contract/metrics.ts'
import { listTraces } from '@assay/contract/traces.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { jsonBytes, protobufField } from '../test/otlp-request.ts'
import type { Tenant } from '../test/people.ts'
import { type Service, startService } from '../test/started-app.ts'

/*
 * The counts of rejected items at GET /metrics, over HTTP. For a full trace, see ingest-otlp/routes.db.test.ts.
 */

let service: Service
let tenant: Tenant

beforeEach(async () => {
  service = await startService()
  tenant = await service.addTenant()
})
afterEach(() => service.stop())

const time = '1795170484075000000'
const tooLate = '9999999999999999999'
const traceId = '5b8efff798038103d269b633813fc60c'
const span = { traceId, spanId: 'eee19b7ec3c1b174', startTimeUnixNano: time }

async function send(signal: string, bytes: Uint8Array<ArrayBuffer>, type = 'application/json') {
  const response = await fetch(`${service.origin}/api/v1/${signal}`, {
    method: 'POST',
    headers: { 'content-type': type, 'x-tracing-key': tenant.tracingKey },
    body: bytes,
  })
  expect(response.status).toBe(200)
}

/** The samples of the metric, by their labels. */
async function rejectedItems(): Promise<Record<string, number>> {
  const text = await (await fetch(`${service.origin}/metrics`)).text()
  const samples = text.matchAll(
    /^assay_rejected_items_total\{signal="(\w+)",reason="(\w+)"\} (\d+)$/gm,
  )
  return Object.fromEntries(
    [...samples].map(([_line, signal, reason, count]) => [`${signal} ${reason}`, Number(count)]),
  )
}

async function expectNothingStored() {
  const { projectId, members } = tenant
  const owner = await service.signedIn(members.Owner)
  for (const list of [listTraces, listMetrics, listLogs]) {
    expect((await service.call(list, { params: { projectId } }, owner)).data).toEqual([])
  }
}

const traces = (...spans: unknown[]) => jsonBytes({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
const gauges = (...dataPoints: unknown[]) =>
  jsonBytes({
    resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'g', gauge: { dataPoints } }] }] }],
  })
const logs = (...logRecords: unknown[]) =>
  jsonBytes({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] })

test('rejected spans, data points and log records are counted by signal and reason', async () => {
  const malformedSpan = protobufField(2, Uint8Array.of(0xff))
  await send(
    'traces',
    traces(
      { ...span, traceId: 'x' },
      { ...span, spanId: '' },
      { ...span, startTimeUnixNano: tooLate },
    ),
  )
  await send('traces', protobufField(1, protobufField(2, malformedSpan)), 'application/x-protobuf')
  await send('metrics', gauges({ asInt: '1' }, { timeUnixNano: time }, { timeUnixNano: time }, 7))
  await send('logs', logs({ body: { stringValue: 'no time' } }, 'no record'))
  expect(await rejectedItems()).toEqual({
    'traces invalid_id': 2,
    'traces invalid_time': 1,
    'traces malformed': 1,
    'metrics invalid_time': 1,
    'metrics invalid_value': 2,
    'metrics malformed': 1,
    'logs invalid_time': 1,
    'logs malformed': 1,
  })
  await expectNothingStored()
})

test.each([
  ['small', ''],
  ['large', 'x'.repeat(100_000)],
])('all spans of an invalid JSON batch are counted, if it is %s', async (_size, input) => {
  const valid = { span_id: 'a', name: 'n', started_at: '2026-05-01T08:00:00Z', input }
  const body = { trace_id: 't', spans: [valid, { ...valid, span_id: 'b', started_at: 'today' }] }
  const as = { authorization: `Bearer ${tenant.tracingKey}` }
  expect((await service.call(ingestTrace, { body }, as)).status).toBe(400)
  expect(await rejectedItems()).toEqual({ 'traces invalid_batch': 2 })
  await expectNothingStored()
})

test('stored items and requests that cannot be parsed are not counted as rejected', async () => {
  await send('traces', traces(span))
  await send('metrics', gauges({ timeUnixNano: time, asInt: '1' }))
  await send('logs', logs({ timeUnixNano: time }))
  const as = { authorization: `Bearer ${tenant.tracingKey}` }
  expect((await service.call(ingestTrace, { raw: '{' }, as)).status).toBe(400)
  expect(await rejectedItems()).toEqual({})
})
