import { request as sendRequest } from 'node:http'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../test/free-port.ts'
import { runningService } from '../../test/service-suite.ts'
import { type ServiceOptions, startService } from '../../test/started-app.ts'

const service = runningService()

/** With any headers, Host included, which `fetch` does not allow. */
function readMetrics(
  headers: Readonly<Record<string, string>> = {},
  origin = service.origin,
): Promise<{ readonly status: number | undefined; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const sent = sendRequest(`${origin}/metrics`, { headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.once('end', () => resolve({ status: response.statusCode, text }))
    })
    sent.once('error', reject).end()
  })
}

describe('GET /metrics without a token', () => {
  test.each(['localhost:4600', '127.0.0.1', '[::1]:4600'])(
    'is served on the machine itself, as %s',
    async (host) => {
      expect((await readMetrics({ host })).status).toBe(200)
    },
  )

  test.each([
    ['forwarded', 'for=192.0.2.1'],
    ['x-forwarded-for', '192.0.2.1'],
    ['x-forwarded-proto', 'https'],
    ['x-real-ip', '192.0.2.1'],
    ['via', '1.1 proxy'],
    ['cf-connecting-ip', '192.0.2.1'],
    ['host', 'assay.example.org'],
  ])('is refused to a proxy on the same machine that sends %s', async (name, value) => {
    const refused = await readMetrics({ [name]: value })
    expect(refused.status).toBe(404)
    expect(refused.text).not.toContain('assay_')
  })

  test.each<[string, () => Promise<ServiceOptions>]>([
    ['a trusted proxy', async () => ({ trustProxy: 1 })],
    [
      'a public base URL',
      async () => ({ baseUrl: `http://assay.example.org:${await freePort()}` }),
    ],
  ])('is refused on the machine itself with %s, by both products', async (_name, options) => {
    const proxied = await startService(await options())
    const refused = [
      await readMetrics({ host: 'localhost' }, proxied.origin),
      await readMetrics({ host: 'localhost' }, proxied.chatOrigin),
    ]
    await proxied.stop()
    expect(refused.map(({ status }) => status)).toEqual([404, 404])
  })
})

describe('GET /metrics with a token', () => {
  test('is served only with the token, also through a proxy', async () => {
    const token = 'a token of the metrics'
    const guarded = await startService({ metricsToken: token })
    const send = (headers: Readonly<Record<string, string>>) =>
      readMetrics({ host: 'assay.example.org', via: '1.1 proxy', ...headers }, guarded.origin)
    expect((await send({ authorization: `Bearer ${token}` })).status).toBe(200)
    expect((await send({ authorization: `Bearer ${token}.` })).status).toBe(404)
    expect((await send({})).status).toBe(404)
    expect((await readMetrics({}, guarded.origin)).status).toBe(404)
    await guarded.stop()
  })
})

test('GET /metrics counts requests and spans, with fixed labels and no tenant data', async () => {
  const { tracingKey, projectId } = await service.addTenant()
  const as = { authorization: `Bearer ${tracingKey}` }
  const spans = [
    { span_id: 'a-span', name: 'a span', started_at: '2026-05-01T08:00:00Z' },
    { span_id: 'b-span', name: 'b span', started_at: '2026-05-01T08:00:00Z' },
  ]
  await service.call(ingestTrace, { body: { trace_id: 'a-trace', spans } }, as)
  await service.call(ingestTrace, { body: { trace_id: 'a-trace', spans: [] } }, as)
  await fetch(`${service.origin}/nothing/${projectId}`)
  const { text } = await readMetrics()
  expect(text).toContain('assay_spans_total{source="json",outcome="committed"} 2')
  expect(text).toContain('assay_spans_waiting_bytes 0')
  expect(text).toContain('assay_store_operation_duration_seconds_count{operation="record"} 1')
  expect(text).toContain('assay_store_operations_in_flight{operation="record"} 0')
  for (const status of [202, 400]) {
    const labels = `method="POST",path="/api/v1/traces/ingest",status="${status}"`
    expect(text).toContain(`assay_http_request_duration_seconds_count{${labels}} 1`)
  }
  expect(text).toContain('method="other",path="other",status="404"')
  expect(text).toMatch(/^assay_jobs\{kind="\w+",state="\w+"\} \d+$/m)
  for (const secret of [projectId, tracingKey, 'a-trace']) expect(text).not.toContain(secret)
})

describe('GET /readyz while the storage cannot be relied on', () => {
  const problem = 'The telemetry store does not respond.'
  const failing = runningService({ findStoreProblem: () => problem })

  test.each(['', '?exclude=', '?exclude=other', '?exclude=storage&exclude=other'])(
    'is 503 with the reason, with the query "%s"',
    async (query) => {
      for (const origin of [failing.origin, failing.chatOrigin]) {
        const response = await fetch(`${origin}/readyz${query}`)
        expect([response.status, await response.text()]).toEqual([503, `not ready: ${problem}\n`])
      }
    },
  )

  test('is 200 without the storage, for load balancers', async () => {
    for (const origin of [failing.origin, failing.chatOrigin]) {
      expect((await fetch(`${origin}/readyz?exclude=storage`)).status).toBe(200)
    }
  })
})
