import { listComments } from '@assay/contract/comments.ts'
import { exportTrajectories } from '@assay/contract/export.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { removeTrace } from '@assay/contract/trace-management.ts'
import { listTraces, readSpan, readTrace } from '@assay/contract/traces.ts'
import { describe, expect, test } from 'vitest'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'
import type { Credentials } from '../../../test/started-app.ts'

const service = runningService()
const tenant = tenantPerTest(service)
const owner = signedInPerTest(service, () => tenant.members.Viewer)

const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms).toISOString()

async function ingest(
  traceId: string,
  spans: readonly object[],
  more: object = {},
  as: Credentials = tenant.keyHeader,
) {
  const body = { trace_id: traceId, spans, ...more }
  expect((await service.call(ingestTrace, { body }, as)).status).toBe(202)
}

const list = (query: object = {}) =>
  service.call(listTraces, { params: { projectId: tenant.projectId }, query }, owner)
const read = (traceId: string, query: object = {}) =>
  service.call(readTrace, { params: { projectId: tenant.projectId, traceId }, query }, owner)

describe('GET …/traces', () => {
  test('an empty project has one empty page', async () => {
    expect(await list()).toMatchObject({ data: [], meta: { pageSize: 0, cursor: null, total: 0 } })
  })

  test('pages newest first, without skipping traces that start at the same instant', async () => {
    for (let n = 0; n < 25; n++)
      await ingest(`t${n}`, [{ span_id: 's', name: 's', started_at: at(n < 20 ? 0 : n) }])
    const collected: string[] = []
    let cursor: string | null | undefined
    do {
      const page = await list({ limit: 7, cursor })
      expect(page.meta.pageSize).toBe(page.data.length)
      expect(page.meta.total).toBe(25)
      collected.push(...page.data.map((one) => one.trace_id))
      cursor = page.meta.cursor
    } while (cursor !== null)
    expect(collected.slice(0, 5)).toEqual(['t24', 't23', 't22', 't21', 't20'])
    expect(new Set(collected).size).toBe(25)
  })

  test('returns how many model calls have no known cost', async () => {
    const call = { name: 's', model: 'acme-7b', tokens_in: 10, started_at: at(0) }
    const spans = [
      { ...call, span_id: 'priced', cost_usd: 0.5 },
      { ...call, span_id: 'unpriced' },
    ]
    await ingest('t', spans)
    const expected = { cost_usd: 0.5, model_call_count: 2, unpriced_call_count: 1 }
    expect((await list()).data).toMatchObject([expected])
    expect((await read('t')).data).toMatchObject(expected)
    await ingest('t', [{ ...call, span_id: 'unpriced', cost_usd: 0 }])
    expect((await list()).data).toMatchObject([{ unpriced_call_count: 0 }])
  })

  test('returns 50 by default and at most 100', async () => {
    const spans = [{ span_id: 's', name: 's', started_at: at(0) }]
    await Promise.all(Array.from({ length: 101 }, (_, n) => ingest(`t${n}`, spans)))
    expect((await list()).data).toHaveLength(50)
    expect((await list({ limit: 100 })).data).toHaveLength(100)
  })

  test.each([
    [{ limit: 0 }, 'limit'],
    [{ limit: 101 }, 'limit'],
    [{ limit: 'ten' }, 'limit'],
    [{ cursor: 'nonsense' }, 'cursor'],
    [{ status: 'BAD' }, 'status'],
    [{ from: 'yesterday' }, 'from'],
    [{ max_cost_usd: -1 }, 'max_cost_usd'],
    [{ order: 'name' }, 'order'],
    [{ order: 'cost', cursor: 'nonsense' }, 'cursor'],
    [{ attribute: 'no equals sign' }, 'attribute'],
    [{ attribute: '=no key' }, 'attribute'],
    [{ not_name: ['a', 'b'] }, 'not_name'],
    [{ model: Array.from({ length: 21 }, (_, n) => `m${n}`) }, 'model'],
  ])('%j is refused with the name of the field', async (query, field) => {
    const answer = await list(query)
    expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR', details: {} } })
    expect(answer.error.message).toMatch(new RegExp(`^${field} `))
  })

  test('filters by all given tags, by model, kind, span name and sizes', async () => {
    const call = { kind: 'llm', model: 'm', tokens_in: 5, cost_usd: 0.5, latency_ms: 2000 }
    await ingest('small', [{ span_id: 's', name: 'run', started_at: at(0) }], { tags: ['a'] })
    await ingest('large', [{ span_id: 's', name: 'ask', started_at: at(1), ...call }], {
      ...{ root_name: 'run', tags: ['a', 'b'] },
    })
    const found = async (query: object) => (await list(query)).data.map((one) => one.trace_id)
    expect(await found({ tag: 'a' })).toEqual(['large', 'small'])
    for (const query of [
      { tag: ['a', 'b'] },
      { model: 'm', kind: 'llm' },
      { name: 'ASK' },
      { min_cost_usd: 0.5 },
      { min_duration_ms: 2000, min_tokens: 5 },
      { model: ['none', 'm'] },
      { kind: ['llm', 'tool'], any_tag: ['none', 'b'], max_cost_usd: 0.5, max_tokens: 5 },
      { not_tag: ['c'], not_kind: 'tool', not_name: 'walk', max_duration_ms: 2000, tag: 'b' },
    ]) {
      expect([query, await found(query)]).toEqual([query, ['large']])
    }
    expect(await found({ tag: 'a', kind: 'tool' })).toEqual([])
    for (const query of [
      { not_model: 'm' },
      { not_tag: ['b', 'c'] },
      { not_name: 'ASK' },
      { not_kind: ['llm', 'tool'] },
      { max_duration_ms: 1999.999999 },
      { max_tokens: 4 },
    ]) {
      expect([query, await found(query)]).toEqual([query, ['small']])
    }
  })

  test('filters by one of several values of a column, and excludes others', async () => {
    const span = { span_id: 's', name: 'run', started_at: at(0) }
    await ingest('eu', [{ ...span, session_id: 's1', user_id: 'u1' }], { environment: 'eu' })
    await ingest('us', [{ ...span, session_id: 's2' }], { environment: 'us' })
    await ingest('none', [span])
    const found = async (query: object) =>
      (await list(query)).data.map((one) => one.trace_id).toSorted()
    expect(await found({ environment: ['eu', 'us'] })).toEqual(['eu', 'us'])
    expect(await found({ session_id: ['s1', 's2'], not_user_id: 'u1' })).toEqual(['us'])
    expect(await found({ user_id: ['u1', 'u2'], not_session_id: ['s2'] })).toEqual(['eu'])
    expect(await found({ not_environment: 'eu' })).toEqual(['none', 'us'])
    expect(await found({ not_environment: ['eu', 'us'], not_service: 'x' })).toEqual(['none'])
    expect(await found({ service: ['x', 'y'] })).toEqual([])
  })

  test('lists in another order, page by page, without a total for filters', async () => {
    for (const [n, cost_usd] of [0.2, null, 0.3, 0.1].entries()) {
      const model = cost_usd === null ? {} : { model: 'm', cost_usd }
      const span = { span_id: 's', name: 'run', kind: 'llm', started_at: at(n), ...model }
      await ingest(`t${n}`, [span])
    }
    const page = (query: object) => list({ limit: 3, ...query })
    const ids = ({ data }: Awaited<ReturnType<typeof list>>) => data.map((one) => one.trace_id)
    const first = await page({ order: '-cost' })
    expect(ids(first)).toEqual(['t2', 't0', 't3'])
    expect(first.meta).toMatchObject({ total: 4, is_complete: true })
    expect(ids(await page({ order: '-cost', cursor: first.meta.cursor }))).toEqual(['t1'])
    expect(ids(await page({ order: 'cost', model: 'm' }))).toEqual(['t3', 't0', 't2'])
    expect(ids(await page({ order: 'started' }))).toEqual(['t0', 't1', 't2'])
    expect(ids(await page({ order: '-started' }))).toEqual(['t3', 't2', 't1'])
  })

  test('filters by attributes of spans, and says that the page is complete', async () => {
    const span = { span_id: 's', name: 'run', started_at: at(0) }
    await ingest('a', [{ ...span, attributes: { 'http.route': '/a=b', retries: 2 } }])
    await ingest('b', [{ ...span, attributes: { 'http.route': '/b', retries: 2 } }])
    const answer = await list({ attribute: ['http.route=/a=b', 'retries=2'] })
    expect(answer.data.map((one) => one.trace_id)).toEqual(['a'])
    expect(answer.meta).toMatchObject({ total: null, is_complete: true, complete_from: null })
    expect((await list({ attribute: 'retries=2' })).data).toHaveLength(2)
    expect((await list({ attribute: 'retries=3' })).data).toEqual([])
    const ids = async (filters: object) =>
      (await list(filters)).data.map(({ trace_id }: { trace_id: string }) => trace_id)
    expect(await ids({ not_attribute: 'http.route=/b' })).toEqual(['a'])
    expect(await ids({ not_attribute: ['http.route=/b', 'http.route=/a=b'] })).toEqual([])
    expect(await ids({ attribute: 'retries=2', not_attribute: 'http.route=/a=b' })).toEqual(['b'])
  })

  test('search finds a trace by words of its spans within two seconds, and reports its lag', async () => {
    const texts = { input: { question: 'weather in Rome' }, output: '今天天气很好' }
    await ingest('t', [{ span_id: 's', name: 'ask', started_at: at(0), ...texts }])
    const found = () => list({ q: 'ROME 天气' })
    await expect.poll(async () => (await found()).data.length, { timeout: 2000 }).toBe(1)
    expect((await found()).meta.search_lag_ms).toBeGreaterThanOrEqual(0)
    expect((await list()).meta.search_lag_ms).toBeNull()
    expect((await list({ q: 'snow' })).data).toEqual([])
    const metrics = await fetch(`${service.origin}/metrics`)
    expect(await metrics.text()).toMatch(/^assay_search_index_lag_seconds [\d.]+$/m)
  })

  test('filters combine with AND, and the total is null unless only the mode is given', async () => {
    await ingest('a', [{ span_id: 's', name: 'Plan trip', started_at: at(0), status: 'ERROR' }], {
      environment: 'prod',
    })
    await ingest('b', [{ span_id: 's', name: 'plan 100%', started_at: at(10) }], {
      environment: 'prod',
    })
    await ingest('c', [{ span_id: 's', name: 'other', started_at: at(20) }])
    const ids = async (query: object) => (await list(query)).data.map((one) => one.trace_id)
    expect(await ids({ status: 'ERROR' })).toEqual(['a'])
    expect(await ids({ name: 'PLAN' })).toEqual(['b', 'a'])
    expect(await ids({ name: '0%' })).toEqual(['b'])
    expect(await ids({ environment: 'prod', name: 'plan', status: 'OK' })).toEqual(['b'])
    expect(await ids({ from: at(10), to: at(20) })).toEqual(['b'])
    expect((await list({ status: 'OK' })).meta.total).toBeNull()
    await ingest('d', [{ span_id: 's', name: 'judge', started_at: at(30) }], { mode: 'simulation' })
    expect(await ids({ mode: 'live' })).toEqual(['c', 'b', 'a'])
    expect((await list({ mode: 'live' })).meta.total).toBe(3)
    expect((await list({ mode: 'simulation', limit: 1 })).meta.total).toBe(1)
    expect((await list({ mode: 'live', status: 'OK' })).meta.total).toBeNull()
    await ingest('d', [{ span_id: 's', name: 'run', started_at: at(30) }], { mode: 'live' })
    expect((await list({ mode: 'simulation' })).meta.total).toBe(0)
  })
})

describe('GET …/traces/{traceId}', () => {
  test('is paged in order above 2,000 spans', async () => {
    for (let batch = 0; batch < 9; batch++) {
      const spans = Array.from({ length: 500 }, (_, n) => ({
        span_id: `s${String(batch * 500 + n).padStart(5, '0')}`,
        name: 'step',
        started_at: at(Math.floor((batch * 500 + n) / 3)),
        output: 'kept',
      }))
      await ingest('big', spans)
    }
    const first = await read('big', { payload: 'none' })
    expect(first).toMatchObject({ data: { span_count: 4500 }, meta: { pageSize: 2000 } })
    expect(first.data.spans[0]).not.toHaveProperty('output')
    const second = await read('big', { cursor: first.meta.cursor })
    expect(second.data.spans[0]).toHaveProperty('output', 'kept')
    const third = await read('big', { payload: 'none', cursor: second.meta.cursor })
    expect(third.meta).toEqual({ pageSize: 500, cursor: null })
    const ids = [first, second, third].flatMap(({ data }) => data.spans.map((span) => span.span_id))
    expect(ids).toEqual(Array.from({ length: 4500 }, (_, n) => `s${String(n).padStart(5, '0')}`))
  })

  test('a trace that does not exist, or is in another project, is not found', async () => {
    await ingest('mine', [{ span_id: 's', name: 's', started_at: at(0) }])
    const other = await service.addTenant()
    const nonMember = await service.signedIn(other.members.Owner)
    const params = { projectId: other.projectId, traceId: 'mine' }
    for (const answer of [
      await read('none'),
      await service.call(readTrace, { params }, nonMember),
      await service.call(readSpan, { params: { ...params, spanId: 's' } }, nonMember),
      await service.call(
        readSpan,
        { params: { projectId: tenant.projectId, traceId: 'mine', spanId: 'x' } },
        owner,
      ),
    ]) {
      expect(answer).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } })
    }
  })

  test('an invalid id is rejected by every endpoint of a trace, and so are invalid export filters', async () => {
    const params = { projectId: tenant.projectId, traceId: 'x'.repeat(129) }
    const admin = await service.signedIn(tenant.members.Owner)
    for (const declared of [listComments, removeTrace]) {
      expect(await service.call(declared, { params }, admin)).toMatchObject({ status: 400 })
    }
    const query = { from: 'yesterday' }
    expect(await service.call(exportTrajectories, { params, query }, admin)).toMatchObject({
      status: 400,
    })
  })

  test('invalid ids and cursors are rejected', async () => {
    expect(await read('x'.repeat(129))).toMatchObject({ status: 400 })
    expect(await read('t', { cursor: '!' })).toMatchObject({ status: 400 })
    const params = { projectId: tenant.projectId, traceId: 't', spanId: 'x'.repeat(129) }
    expect(await service.call(readSpan, { params }, owner)).toMatchObject({ status: 400 })
  })
})

describe('GET …/traces with trace_id_prefix', () => {
  const spans = [{ span_id: 's', name: 's', started_at: at(0) }]
  const found = async (prefix: string) =>
    (await list({ trace_id_prefix: prefix })).data.map(({ trace_id }) => trace_id).toSorted()

  test('finds traces of this project by the beginning of their id, or all of it', async () => {
    for (const id of ['order-1042', 'order-1043', 'order_1042', '0af7651916cd43dd']) {
      await ingest(id, spans)
    }
    await ingest('order-1044', spans, {}, (await service.addTenant()).keyHeader)
    expect(await found('order-104')).toEqual(['order-1042', 'order-1043'])
    expect(await found('order-1042')).toEqual(['order-1042'])
    expect(await found('0af765')).toEqual(['0af7651916cd43dd'])
    for (const none of ['rder-104', 'order-10422', 'ORDER-104', 'order%']) {
      expect(await found(none)).toEqual([])
    }
  })

  test('refuses a text that is longer than an id', async () => {
    expect(await list({ trace_id_prefix: 'x'.repeat(129) })).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_ERROR' },
    })
  })
})

describe('GET …/traces/live', () => {
  test('sends each trace after it is stored, of this project only, until the client disconnects', async () => {
    const leave = new AbortController()
    const response = await fetch(`${service.api}/projects/${tenant.projectId}/traces/live`, {
      headers: owner,
      signal: leave.signal,
    })
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    const { keyHeader } = await service.addTenant()
    await ingest('foreign', [{ span_id: 's', name: 's', started_at: at(0) }], {}, keyHeader)
    await ingest('a', [{ span_id: 's', name: 'first', started_at: at(0) }])
    const events = readEvents(response)
    expect((await events.next()).value).toMatchObject({
      trace_id: 'a',
      root_name: 'first',
      span_count: 1,
    })
    await ingest('a', [{ span_id: 's2', name: 'second', started_at: at(5) }])
    expect((await events.next()).value).toMatchObject({ trace_id: 'a', span_count: 2 })
    leave.abort()
  })

  async function* readEvents(response: Response): AsyncGenerator<unknown> {
    let text = ''
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
        const message = text.slice(0, end)
        text = text.slice(end + 2)
        if (message.startsWith('data: ')) yield JSON.parse(message.slice('data: '.length))
      }
    }
  }
})
