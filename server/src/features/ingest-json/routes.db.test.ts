import { ingestTrace } from '@assay/contract/ingest.ts'
import { limits } from '@assay/contract/limits.ts'
import { listTraces, readSpan, readTrace } from '@assay/contract/traces.ts'
import { revokeTracingKey } from '@assay/contract/tracing-keys.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'
import type { Credentials } from '../../../test/started-app.ts'

const service = runningService()
const tenant = tenantPerTest(service)
let key: Credentials
const owner = signedInPerTest(service, () => tenant.members.Owner)

beforeEach(async () => {
  key = { authorization: `Bearer ${tenant.tracingKey}` }
})

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
const aSpan = (id: string, more: object = {}) => ({
  span_id: id,
  name: id,
  started_at: at(0),
  ...more,
})
const aBatch = (traceId: string, spans: readonly object[], more: object = {}) => ({
  trace_id: traceId,
  spans,
  ...more,
})

const send = (body: object, idempotencyKey?: string) =>
  service.call(
    ingestTrace,
    { body, ...(idempotencyKey && { headers: { 'idempotency-key': idempotencyKey } }) },
    key,
  )
const read = async (traceId: string) =>
  (await service.call(readTrace, { params: { projectId: tenant.projectId, traceId } }, owner)).data
const stored = async () => {
  const response = await service.call(
    listTraces,
    { params: { projectId: tenant.projectId } },
    owner,
  )
  return response.data.map((one) => one.trace_id)
}

describe('POST /traces/ingest', () => {
  test('stores a trace that is complete and readable once the response arrives', async () => {
    const input = { messages: [{ role: 'user', content: 'hi' }] }
    const response = await send(
      aBatch(
        't1',
        [
          aSpan('root', { kind: 'agent', started_at: at(1), ended_at: at(5) }),
          aSpan('call', {
            parent_span_id: 'root',
            kind: 'llm',
            model: 'gpt-5',
            started_at: at(2),
            latency_ms: 1500,
            tokens_in: 100,
            tokens_out: 20,
            cost_usd: 0.25,
            input,
            output: 'bare text',
            attributes: { 'a.b': [1, null] },
          }),
        ],
        { root_name: 'Run', environment: 'prod', tags: ['a', 'b'], session_id: 's1' },
      ),
    )
    expect(response).toMatchObject({
      status: 202,
      data: { trace_id: 't1', project_id: tenant.projectId, span_count: 2, status: 'OK' },
    })
    expect(await read('t1')).toMatchObject({
      root_name: 'Run',
      environment: 'prod',
      mode: 'live',
      tags: ['a', 'b'],
      session_id: 's1',
      source: 'json',
      started_at: '2026-01-01T00:00:01.000Z',
      ended_at: '2026-01-01T00:00:05.000Z',
      duration_ms: 4000,
      llm_call_count: 1,
      tokens_in: 100,
      tokens_out: 20,
      cost_usd: 0.25,
      models: ['gpt-5'],
      spans: [
        { span_id: 'root', input: null, output: null, latency_ms: 4000, cost_source: 'unknown' },
        {
          span_id: 'call',
          input,
          output: 'bare text',
          attributes: { 'a.b': [1, null] },
          latency_ms: 1500,
          cost_source: 'reported',
        },
      ],
    })
  })

  test('a reused trace id adds spans, a resent span id replaces its span, started_at is recomputed', async () => {
    await send(
      aBatch('t', [aSpan('a', { started_at: at(10), tokens_in: 5, kind: 'llm' })], {
        started_at: at(59),
      }),
    )
    const second = await send(
      aBatch('t', [
        aSpan('b', { started_at: at(3) }),
        aSpan('a', { started_at: at(11), tokens_in: 7, kind: 'llm' }),
      ]),
    )
    expect(second.data.span_count).toBe(2)
    expect(await read('t')).toMatchObject({
      started_at: at(3),
      tokens_in: 7,
      spans: [{ span_id: 'b' }, { span_id: 'a', started_at: at(11) }],
    })
  })

  test('a batch without labels resets name and tags, and keeps environment, mode, session and user', async () => {
    const labels = { environment: 'e', mode: 'simulation', session_id: 's', user_id: 'u' }
    await send(aBatch('t', [aSpan('a')], { root_name: 'First', tags: ['x'], ...labels }))
    await send(aBatch('t', [aSpan('b', { parent_span_id: 'a' })]))
    expect(await read('t')).toMatchObject({ root_name: 'a', tags: [], ...labels })

    await send(aBatch('t', [aSpan('c', { parent_span_id: 'a' })], { mode: 'live', user_id: 'v' }))
    expect(await read('t')).toMatchObject({ ...labels, mode: 'live', user_id: 'v' })
  })

  test('a new trace without a mode is live', async () => {
    await send(aBatch('t', [aSpan('a')]))
    expect((await read('t')).mode).toBe('live')
  })

  test('status applies to the response only: the stored one is derived from the spans', async () => {
    const response = await send(aBatch('t', [aSpan('a')], { status: 'ERROR' }))
    expect(response.data.status).toBe('ERROR')
    expect((await read('t')).status).toBe('OK')
    const next = await send(
      aBatch('t', [aSpan('b', { status: 'ERROR', status_message: 'boom' })], { status: 'OK' }),
    )
    expect(next.data.status).toBe('OK')
    expect(await read('t')).toMatchObject({ status: 'ERROR', error_count: 1 })
    expect((await send(aBatch('t', [aSpan('c')]))).data.status).toBe('ERROR')
  })

  test.each([
    ['no spans', aBatch('t', []), 'spans'],
    [
      '501 spans',
      aBatch(
        't',
        Array.from({ length: 501 }, (_, n) => aSpan(`s${n}`)),
      ),
      'spans',
    ],
    ['no trace id', { spans: [aSpan('a')] }, 'trace_id'],
    ['an empty trace id', aBatch('', [aSpan('a')]), 'trace_id'],
    ['a trace id of 129', aBatch('x'.repeat(129), [aSpan('a')]), 'trace_id'],
    ['a root name of 513', aBatch('t', [aSpan('a')], { root_name: 'x'.repeat(513) }), 'root_name'],
    [
      'an environment of 65',
      aBatch('t', [aSpan('a')], { environment: 'x'.repeat(65) }),
      'environment',
    ],
    ['an empty tag', aBatch('t', [aSpan('a')], { tags: [''] }), 'tags'],
    ['a tag of 129', aBatch('t', [aSpan('a')], { tags: ['x'.repeat(129)] }), 'tags'],
    [
      '1001 tags',
      aBatch('t', [aSpan('a')], { tags: Array.from({ length: 1001 }, (_, n) => `${n}`) }),
      'tags',
    ],
    ['an unknown mode', aBatch('t', [aSpan('a')], { mode: 'test' }), 'mode'],
    ['an unknown status', aBatch('t', [aSpan('a')], { status: 'UNSET' }), 'status'],
    [
      'a start without Z',
      aBatch('t', [aSpan('a')], { started_at: '2026-01-01T00:00:00' }),
      'started_at',
    ],
    [
      'a span that starts with an offset',
      aBatch('t', [aSpan('a', { started_at: '2026-01-01T00:00:00+02:00' })]),
      'spans',
    ],
    [
      'a span in the year 9999',
      aBatch('t', [aSpan('a', { started_at: '9999-01-01T00:00:00Z' })]),
      'spans',
    ],
    [
      'a span that ends before it starts',
      aBatch('t', [aSpan('a', { ended_at: '2025-12-31T23:59:59.999999999Z' })]),
      'spans',
    ],
    [
      'a latency that ends the span after 2261',
      aBatch('t', [aSpan('a', { latency_ms: 7.5e12 })]),
      'spans',
    ],
    ['a latency that ends out of range', aBatch('t', [aSpan('a', { latency_ms: 1e300 })]), 'spans'],
    ['a latency as text', aBatch('t', [aSpan('a', { latency_ms: '1500' })]), 'spans'],
    ['negative tokens', aBatch('t', [aSpan('a', { tokens_in: -1 })]), 'spans'],
    ['a negative cost', aBatch('t', [aSpan('a', { cost_usd: -0.1 })]), 'spans'],
    ['a name of 513', aBatch('t', [aSpan('a', { name: 'x'.repeat(513) })]), 'spans'],
    ['a trace id of one dot', aBatch('.', [aSpan('a')]), 'trace_id'],
    ['a trace id of two dots', aBatch('..', [aSpan('a')]), 'trace_id'],
    ['a span id of two dots', aBatch('t', [aSpan('..')]), 'spans'],
    ['a parent id of one dot', aBatch('t', [aSpan('a', { parent_span_id: '.' })]), 'spans'],
    ['a session of two dots', aBatch('t', [aSpan('a')], { session_id: '..' }), 'session_id'],
    ['a span’s session of one dot', aBatch('t', [aSpan('a', { session_id: '.' })]), 'spans'],
  ])('%s is refused under its field, and nothing is stored', async (_situation, body, field) => {
    const response = await send(body)
    expect(response).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_ERROR', message: 'Invalid trace payload.' },
    })
    expect(response.error.details).toEqual({
      issues: { formErrors: [], fieldErrors: { [field]: [expect.any(String)] } },
    })
    expect(await stored()).toEqual([])
  })

  test('any latency of a span that has an end is stored', async () => {
    const span = aSpan('a', { ended_at: at(1), latency_ms: 1e300 })
    await send(aBatch('t', [span, aSpan('b', { latency_ms: 7e12 })]))
    expect((await read('t')).spans.map((one) => [one.latency_ms, one.ended_at])).toEqual([
      [1e300, at(1)],
      [7e12, '2247-10-28T12:26:40.000Z'],
    ])
  })

  test('values at the limits are accepted', async () => {
    const response = await send(
      aBatch(
        'x'.repeat(128),
        Array.from({ length: 500 }, (_, n) =>
          aSpan(`${n}`.padStart(128, 's'), { name: 'n'.repeat(512), kind: 'k'.repeat(64) }),
        ),
        {
          root_name: 'x'.repeat(512),
          environment: 'x'.repeat(64),
          tags: Array.from({ length: 1000 }, (_, n) => `${n}`.padStart(128, 't')),
        },
      ),
    )
    expect(response).toMatchObject({ status: 202, data: { span_count: 500 } })
  })

  test('a body of many megabytes is stored whole', async () => {
    const output = 'x'.repeat(60_000)
    const spans = Array.from({ length: 400 }, (_, n) => aSpan(`s${n}`, { output }))
    expect((await send(aBatch('big', spans))).data.span_count).toBe(400)
    const one = await service.call(
      readSpan,
      { params: { projectId: tenant.projectId, traceId: 'big', spanId: 's399' } },
      owner,
    )
    expect(one.data.output).toBe(output)
  })

  test('a bomb of a million small lists is refused without blocking other requests', async () => {
    const raw = `{"trace_id":"t","spans":[{"span_id":"a","name":"a","started_at":"${at(0)}","input":[${'[],'.repeat(3_000_000)}[]]}]}`
    const response = await service.call(ingestTrace, { raw }, key)
    expect(response).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } })
    expect(await stored()).toEqual([])
  })

  test('the refusal of an id that addresses cannot contain has its name and the reason', async () => {
    const response = await send(aBatch('.', [aSpan('..', { parent_span_id: '.' })]))
    const reason = 'must not be "." or "..", which addresses cannot contain'
    expect(response.error.details).toMatchObject({
      issues: {
        fieldErrors: {
          trace_id: [`trace_id ${reason}`],
          spans: [`span_id ${reason}`, `parent_span_id ${reason}`],
        },
      },
    })
  })

  test('ids of more dots, and users of any, are accepted and can be read', async () => {
    await send(aBatch('...', [aSpan('.a', { session_id: '...' })], { user_id: '..' }))
    expect(await read('...')).toMatchObject({ session_id: '...', user_id: '..' })
  })

  test('ids keep unusual characters, and characters that cannot be stored are replaced', async () => {
    const traceId = `a/b?c=%41 "'\u{1F600}`
    await send(aBatch(`${traceId}\0\uD800`, [aSpan('s/1')]))
    expect(await stored()).toEqual([`${traceId}\uFFFD\uFFFD`])
    const one = await service.call(
      readSpan,
      { params: { projectId: tenant.projectId, traceId: `${traceId}\uFFFD\uFFFD`, spanId: 's/1' } },
      owner,
    )
    expect(one.status).toBe(200)
  })

  test('a number that a double cannot represent is returned as sent', async () => {
    const raw = `{"trace_id":"n","spans":[{"span_id":"a","name":"a","started_at":"${at(0)}","output":{"id":12345678901234567891}}]}`
    await service.call(ingestTrace, { raw }, key)
    const url = `${service.api}/projects/${tenant.projectId}/traces/n/spans/a`
    expect(await (await fetch(url, { headers: owner })).text()).toContain(
      '"output":{"id":12345678901234567891}',
    )
  })

  test('the project is the key’s; a revoked key is refused from the next request', async () => {
    const other = await service.addTenant()
    await send(aBatch('t', [aSpan('a')]))
    const elsewhere = await service.signedIn(other.members.Owner)
    const peek = await service.call(
      listTraces,
      { params: { projectId: other.projectId } },
      elsewhere,
    )
    expect(peek.data).toEqual([])
    await service.call(
      revokeTracingKey,
      { params: { projectId: tenant.projectId, keyId: tenant.tracingKeyId } },
      owner,
    )
    const refused = await send(aBatch('t2', [aSpan('a')]))
    expect(refused).toMatchObject({
      status: 401,
      error: { message: 'Invalid or revoked tracing key.' },
    })
    expect(await stored()).toEqual(['t'])
  })

  test('the legacy key of a project works by either header', async () => {
    for (const as of [
      { 'x-tracing-key': tenant.legacyKey },
      { authorization: `Bearer ${tenant.legacyKey}` },
    ]) {
      expect(
        (await service.call(ingestTrace, { body: aBatch('t', [aSpan('a')]) }, as)).status,
      ).toBe(202)
    }
  })
})

describe('Idempotency-Key', () => {
  test('a repeated key returns the first response and stores nothing new, whatever the second body has', async () => {
    const first = await send(aBatch('t', [aSpan('a')], { status: 'ERROR' }), 'k1')
    await send(aBatch('t', [aSpan('b')]))
    const repeated = await send(aBatch('other', [aSpan('x'), aSpan('y')]), 'k1')
    expect(repeated).toMatchObject({ status: 202, data: first.data })
    expect(repeated.data).toEqual({
      trace_id: 't',
      project_id: tenant.projectId,
      span_count: 1,
      status: 'ERROR',
    })
    expect(await stored()).toEqual(['t'])
  })

  test('of fifty concurrent requests with one key one is stored, and all get its response', async () => {
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, n) => send(aBatch(`t${n}`, [aSpan('a')]), 'same')),
    )
    expect(new Set(responses.map(({ status, data }) => JSON.stringify([status, data]))).size).toBe(
      1,
    )
    expect(await stored()).toEqual([responses[0]?.data.trace_id])
  })

  test('is scoped to its project, and a refused request is not remembered', async () => {
    const refused = await send(aBatch('t', []), 'k2')
    expect(refused.status).toBe(400)
    expect((await send(aBatch('t', [aSpan('a')]), 'k2')).status).toBe(202)
    const other = await service.addTenant()
    const elsewhere = await service.call(
      ingestTrace,
      { body: aBatch('u', [aSpan('a')]), headers: { 'idempotency-key': 'k2' } },
      other.keyHeader,
    )
    expect(elsewhere.data).toMatchObject({ trace_id: 'u', project_id: other.projectId })
  })

  test.each(['', ' ', 'a b', 'é', 'x'.repeat(limits.idempotencyKeyLength.value + 1)])(
    '%j is refused and nothing is stored',
    async (value) => {
      // Header values are bytes, so characters outside ASCII are encoded.
      const header = Buffer.from(value, 'utf8').toString('latin1')
      const response = await service.call(
        ingestTrace,
        { body: aBatch('t', [aSpan('a')]), headers: { 'idempotency-key': header } },
        key,
      )
      expect(response).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } })
      expect(await stored()).toEqual([])
    },
  )

  test('255 visible characters are accepted', async () => {
    expect((await send(aBatch('t', [aSpan('a')]), '~'.repeat(255))).status).toBe(202)
  })
})
