import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { limits } from '@assay/contract/limits.ts'
import { exportTraces } from '@assay/contract/otlp.ts'
import { listTraces, readTrace } from '@assay/contract/traces.ts'
import { describe, expect, test } from 'vitest'
import {
  jsonBytes,
  type OtlpSpan,
  protobufBytes,
  responseType,
} from '../../../test/otlp-request.ts'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'
import type { Credentials } from '../../../test/started-app.ts'

const service = runningService()
const tenant = tenantPerTest(service)
const owner = signedInPerTest(service, () => tenant.members.Owner)

const traceId = '0af7651916cd43dd8448eb211c80319c'
const start = 1_795_170_484_075_000_000n

/** The `number`th span, one millisecond after the previous one. */
function span(number: number, members: OtlpSpan = {}): OtlpSpan {
  const startedAt = start + BigInt(number) * 1_000_000n
  return {
    traceId,
    spanId: number.toString(16).padStart(16, '0'),
    name: `span ${number}`,
    startTimeUnixNano: String(startedAt),
    endTimeUnixNano: String(startedAt + 500_000n),
    ...members,
  }
}

const toRequest = (...spans: OtlpSpan[]) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] })

const attribute = (name: string, value: string | number) => ({
  key: name,
  value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
})

const json = { 'content-type': 'application/json' }
const protobuf = { 'content-type': 'application/x-protobuf' }

/** As in the contract, for JSON senders. */
const send = (
  raw: Uint8Array<ArrayBuffer>,
  headers: Credentials = json,
  as: Credentials = tenant.keyHeader,
) => service.call(exportTraces, { raw, send: headers }, as)

const sendSpans = (...spans: OtlpSpan[]) => send(jsonBytes(toRequest(...spans)))

const post = (body: Uint8Array<ArrayBuffer> | ReadableStream, headers: Credentials) =>
  fetch(`${service.api}/traces`, {
    method: 'POST',
    headers: { ...tenant.keyHeader, ...headers },
    body,
    duplex: 'half',
  })

async function read(id = traceId) {
  const { projectId } = tenant
  return (await service.call(readTrace, { params: { projectId, traceId: id } }, owner)).data
}

async function storedTraces(): Promise<readonly string[]> {
  const { projectId } = tenant
  const { data } = await service.call(listTraces, { params: { projectId } }, owner)
  return data.map((trace) => trace.trace_id)
}

test('a full trace refuses new spans, single ones over OTLP and the whole batch as JSON, and replaces existing ones', async () => {
  const most = limits.spansPerTrace.value
  const all = Array.from({ length: most - 1 }, (_, i) => span(i + 1))
  await send(jsonBytes({ resourceSpans: [{ scopeSpans: [{ spans: all }] }] }))
  const partial = await sendSpans(span(most), span(most + 1), span(1, { name: 'new' }))
  expect(partial).toMatchObject({
    status: 200,
    data: {
      partialSuccess: {
        rejectedSpans: '1',
        errorMessage: 'Spans not stored: 1. A trace has at most 100,000 spans.',
      },
    },
  })
  const full = await read()
  expect(full).toMatchObject({ span_count: most, root_name: 'new' })

  const ingest = (...spanIds: string[]) => {
    const spans = spanIds.map((id) => ({
      span_id: id,
      name: 'j',
      started_at: '2026-11-20T00:00:00Z',
    }))
    const request = { body: { trace_id: traceId, root_name: 'json', spans } }
    return service.call(
      ingestTrace,
      { ...request, headers: { 'idempotency-key': 'k' } },
      tenant.keyHeader,
    )
  }
  const oldId = span(1).spanId as string
  const refused = await ingest(oldId, 'another')
  expect(refused.status).toBe(400)
  expect(refused.error.details).toEqual({
    issues: {
      formErrors: [],
      fieldErrors: { spans: ['spans must not bring the trace above 100,000 spans'] },
    },
  })
  expect(await read()).toEqual(full)
  expect((await ingest(oldId)).status).toBe(202)
  expect(await read()).toMatchObject({ span_count: most, root_name: 'json' })
  const metrics = await (await fetch(`${service.origin}/metrics`)).text()
  expect(metrics).toContain('assay_rejected_items_total{signal="traces",reason="trace_full"} 3')
  for (const [labels, count] of [
    ['source="otlp",outcome="committed"', most + 1],
    ['source="otlp",outcome="refused"', 1],
    ['source="json",outcome="committed"', 1],
    ['source="json",outcome="refused"', 2],
  ]) {
    expect(metrics).toContain(`assay_spans_total{${labels}} ${count}`)
  }
}, 120_000)

describe('POST /traces', () => {
  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['identity', (bytes: Uint8Array) => bytes],
  ])('accepts both encodings with %s, readable once the response arrives', async (name, encode) => {
    const compressed = (bytes: Uint8Array) => Uint8Array.from(encode(bytes))
    const inJson = compressed(jsonBytes(toRequest(span(1))))
    await send(inJson, { ...json, 'content-encoding': name })
    expect((await read()).spans.map((one) => one.name)).toEqual(['span 1'])
    const inProtobuf = compressed(protobufBytes(toRequest(span(2))))
    await post(inProtobuf, { ...protobuf, 'content-encoding': name })
    expect((await read()).spans.map((one) => one.name)).toEqual(['span 1', 'span 2'])
  })

  test('responds in the encoding of the request, byte for byte', async () => {
    const inProtobuf = await post(protobufBytes(toRequest(span(1))), protobuf)
    expect(inProtobuf.headers.get('content-type')).toBe('application/x-protobuf')
    expect([inProtobuf.status, (await inProtobuf.bytes()).length]).toEqual([200, 0])
    const inJson = await post(jsonBytes(toRequest(span(1))), {
      'content-type': 'application/json; charset=utf-8',
    })
    expect(inJson.headers.get('content-type')).toBe('application/json')
    expect([inJson.status, await inJson.text()]).toEqual([200, '{}'])
  })

  test('reports a span that cannot be stored, and stores the others', async () => {
    const request = toRequest(span(1), span(2, { spanId: '00' }), span(3))
    const response = await send(jsonBytes(request))
    expect(response.data).toEqual({
      partialSuccess: {
        rejectedSpans: '1',
        errorMessage:
          'Spans not stored: 1. The span id is missing, all zero or not 8 bytes (span no. 2).',
      },
    })
    const inProtobuf = await post(protobufBytes(request), protobuf)
    const decoded = responseType.toObject(responseType.decode(await inProtobuf.bytes()), {
      longs: String,
    })
    expect(decoded).toEqual(response.data)
    expect((await read()).spans.map((one) => one.name)).toEqual(['span 1', 'span 3'])
  })

  test('stores the rest of a batch with times outside the years 1970 to 2261', async () => {
    const late = span(2, { events: [{ name: 'late', timeUnixNano: 1e22 }] })
    const response = await sendSpans(span(1), late, span(3, { startTimeUnixNano: 1e22 }))
    expect(response).toMatchObject({
      status: 200,
      data: { partialSuccess: { rejectedSpans: '1' } },
    })
    const { spans } = await read()
    expect(spans.map((one) => one.name)).toEqual(['span 1', 'span 2'])
    expect(spans[1]?.events).toEqual([{ name: 'late', time: null, attributes: {} }])
  })

  test('accepts the address that exporters derive from the documented setting', async () => {
    const response = await post(protobufBytes(toRequest(span(1))), protobuf)
    expect([response.url, response.status]).toEqual([`${service.origin}/api/v1/traces`, 200])
  })

  test.each([
    '/api/v1/traces/v1/traces',
    '/api/v1/v1/traces',
    '/v1/traces',
    '/api/v1/logs/v1/traces',
    '/api/v1/traces/v1/traces?a=b',
  ])('accepts %s, the result of a misconfigured exporter, with the same key', async (path) => {
    const call = (headers: Credentials) =>
      fetch(service.origin + path, {
        method: 'POST',
        headers: { ...json, ...headers },
        body: jsonBytes(toRequest(span(1))),
      })
    expect((await call({})).status).toBe(401)
    expect((await call({ 'x-tracing-key': `tk_live_${'0'.repeat(48)}` })).status).toBe(401)
    expect(await storedTraces()).toEqual([])
    const response = await call(tenant.keyHeader)
    expect([response.status, await response.text()]).toEqual([200, '{}'])
    expect(await storedTraces()).toEqual([traceId])
  })

  describe('the address of Langfuse’s SDKs', () => {
    const basic = (user: string, password: string) => ({
      authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
    })
    const call = (path: string, headers: Credentials) =>
      fetch(service.origin + path, {
        method: 'POST',
        headers: { ...json, ...headers },
        body: jsonBytes(toRequest(span(1))),
      })
    const address = '/api/public/otel/v1/traces'

    test('takes the tracing key as the password or the user name, and as everywhere else', async () => {
      const key = tenant.keyHeader['x-tracing-key'] ?? ''
      for (const headers of [basic('pk-lf-1', key), basic(key, ''), tenant.keyHeader]) {
        const response = await call(address, headers)
        expect([response.status, await response.text()]).toEqual([200, '{}'])
      }
      expect(await storedTraces()).toEqual([traceId])
    })

    test.each([
      ['no key', {}],
      ['keys of Langfuse', basic('pk-lf-1', 'sk-lf-1')],
      ['an unknown key', basic('pk-lf-1', `tk_live_${'0'.repeat(48)}`)],
    ])('refuses %s and stores nothing', async (_case, headers) => {
      const response = await call(address, headers)
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ error: { code: 'UNAUTHORIZED' } })
      expect(await storedTraces()).toEqual([])
    })

    test('stores what the SDK sends with only its base URL and keys set', async () => {
      const file = join(import.meta.dirname, 'fixtures/langfuse-settings.json.gz')
      const key = tenant.keyHeader['x-tracing-key'] ?? ''
      const response = await fetch(service.origin + address, {
        method: 'POST',
        headers: { ...json, 'content-encoding': 'gzip', ...basic('pk-lf-recording', key) },
        body: Uint8Array.from(readFileSync(file)),
      })
      expect([response.status, await response.text()]).toEqual([200, '{}'])
      expect(await storedTraces()).not.toEqual([])
    })

    test('is the only one that reads Basic authentication', async () => {
      const headers = basic('pk-lf-1', tenant.keyHeader['x-tracing-key'] ?? '')
      expect((await call('/api/v1/traces', headers)).status).toBe(401)
      expect(await storedTraces()).toEqual([])
    })
  })

  test.each([
    '/v1/traces/v1/traces',
    '/api/v1/traces/v1/trace',
    '/api/v1/v1/v1/traces',
    '/v1/traces/',
  ])('serves nothing at %s', async (path) => {
    const body = jsonBytes(toRequest(span(1)))
    const headers = { ...json, ...tenant.keyHeader }
    const response = await fetch(service.origin + path, { method: 'POST', headers, body })
    expect(response.status).toBe(404)
    expect(await storedTraces()).toEqual([])
  })

  test.each([
    ['a wrong Content-Type', { 'content-type': 'text/plain' }, 415, /^Content-Type must be/],
    [
      'a wrong Content-Encoding',
      { ...json, 'content-encoding': 'br' },
      400,
      /^Unsupported Content-Enc/,
    ],
    ['several', { ...json, 'content-encoding': 'gzip, gzip' }, 400, /^Unsupported Content-Enc/],
    ['malformed gzip', { ...json, 'content-encoding': 'gzip' }, 400, /^The body is not valid gzip/],
    ['malformed protobuf', protobuf, 400, /^The body is not a protobuf/],
  ])('refuses %s and stores nothing', async (_situation, headers, status, message) => {
    const response = await send(jsonBytes(toRequest(span(1))), headers)
    expect([response.status, response.error.code]).toEqual([status, 'VALIDATION_ERROR'])
    expect(response.error.message).toMatch(message)
    expect(await storedTraces()).toEqual([])
  })

  test('refuses a sender without a key and stores nothing', async () => {
    const response = await send(jsonBytes(toRequest(span(1))), json, {})
    expect([response.status, response.error.code]).toEqual([401, 'UNAUTHORIZED'])
    expect(await storedTraces()).toEqual([])
  })

  test('refuses a body that inflates beyond 32 MiB, sent in chunks without a length', async () => {
    const bomb = gzipSync(new Uint8Array(2 ** 25 + 1))
    const chunks = new Blob([bomb]).stream()
    const response = await post(chunks, { ...protobuf, 'content-encoding': 'gzip' })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      error: { code: 'VALIDATION_ERROR', message: 'OTLP payload is too large.', details: {} },
    })
  })
})

describe('a trace that arrives over OTLP', () => {
  const model = [attribute('gen_ai.request.model', 'm'), attribute('gen_ai.operation.name', 'chat')]
  const usage = (input: number, output: number) => [
    attribute('gen_ai.usage.input_tokens', input),
    attribute('gen_ai.usage.output_tokens', output),
  ]
  const parent = (number: number) => ({ parentSpanId: number.toString(16).padStart(16, '0') })
  const agent = span(1, { name: 'agent', attributes: usage(130, 32) })
  const step = span(2, { ...parent(1), attributes: usage(130, 32) })
  const calls = [
    span(3, { ...parent(2), attributes: [...model, ...usage(50, 20)] }),
    span(4, { ...parent(2), attributes: [...model, ...usage(80, 12)] }),
  ]

  test('is replaced span by span when spans are resent', async () => {
    await sendSpans(span(1, { name: 'old' }))
    await sendSpans(span(1, { name: 'new' }), span(1, { name: 'newest' }))
    const trace = await read()
    expect([trace.span_count, trace.root_name]).toEqual([1, 'newest'])
  })

  test('counts tokens once, however many levels repeat them', async () => {
    await sendSpans(...calls, step, agent)
    const trace = await read()
    expect([trace.tokens_in, trace.tokens_out, trace.llm_call_count]).toEqual([130, 32, 2])
  })

  test('has a name when its root never arrives', async () => {
    await sendSpans(span(1, { ...parent(9), name: 'GET /chat' }))
    expect((await read()).root_name).toBe('GET /chat')
    expect(await storedTraces()).toEqual([traceId])
  })

  test('is correct after each of its parts, in any order', async () => {
    await sendSpans(...calls)
    expect(await read()).toMatchObject({
      root_name: 'span 3',
      status: 'OK',
      tokens_in: 130,
      span_count: 2,
    })
    await sendSpans({ ...step, status: { code: 2 } })
    expect(await read()).toMatchObject({ root_name: 'span 2', status: 'ERROR', tokens_in: 130 })
    await sendSpans(agent)
    expect(await read()).toMatchObject({
      root_name: 'agent',
      status: 'ERROR',
      tokens_in: 130,
      tokens_out: 32,
      span_count: 4,
      source: 'otlp',
      started_at: '2026-11-20T10:28:04.076Z',
    })
  })

  test('belongs to the session of its root', async () => {
    await sendSpans(...calls, {
      ...agent,
      attributes: [attribute('session.id', 's1'), attribute('user.id', 'ana')],
    })
    expect(await read()).toMatchObject({ session_id: 's1', user_id: 'ana' })
  })

  test('is stored with characters that need replacing', async () => {
    const attributes = [attribute('gen_ai.input.messages', 'a\0b\uD800')]
    await sendSpans(span(1, { name: 'nul \0', attributes }))
    const { spans } = await read()
    expect([spans[0]?.name, spans[0]?.input]).toEqual(['nul \uFFFD', 'a\uFFFDb\uFFFD'])
  })
})

test('the spans of a real agent are returned as sent', async () => {
  const file = join(import.meta.dirname, 'fixtures/ai-sdk.pb.gz')
  await post(Uint8Array.from(readFileSync(file)), { ...protobuf, 'content-encoding': 'gzip' })
  expect(await storedTraces()).toHaveLength(2)
  const ids = await storedTraces()
  const traces = await Promise.all(ids.map((id) => read(id)))
  const [refused, answered] = traces
  expect(refused).toMatchObject({ root_name: 'invoke_agent refused-model', status: 'ERROR' })
  expect(answered).toMatchObject({
    root_name: 'invoke_agent gpt-4o-mini',
    status: 'OK',
    service: 'recorded-ai-sdk',
    sdk: 'gen_ai',
    span_count: 6,
    llm_call_count: 2,
    tool_call_count: 1,
    tokens_in: 130,
    tokens_out: 32,
  })
  const tool = answered?.spans.find((one) => one.kind === 'tool')
  expect([tool?.input, tool?.output]).toEqual([{ city: 'Paris' }, { temp: 14, sky: 'rain' }])
})
