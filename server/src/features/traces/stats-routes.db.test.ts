import { ingestTrace } from '@assay/contract/ingest.ts'
import { limits } from '@assay/contract/limits.ts'
import {
  listTraceSessions,
  listTraceUsers,
  readHistogram,
  readStats,
} from '@assay/contract/stats.ts'
import { beforeAll, expect, test } from 'vitest'
import type { Tenant } from '../../../test/people.ts'
import { runningService } from '../../../test/service-suite.ts'
import type { Credentials } from '../../../test/started-app.ts'
import { toGroupMeta } from './stats-routes.ts'

const service = runningService()
let tenant: Tenant
let viewer: Credentials
const params = () => ({ projectId: tenant.projectId })

beforeAll(async () => {
  tenant = await service.addTenant()
  viewer = await service.signedIn(tenant.members.Viewer)
  const as = tenant.keyHeader
  for (const [traceId, minute, more] of [
    ['t1', '10:05', { cost_usd: 0.5 }],
    ['t2', '10:59', { status: 'ERROR' }],
    ['t3', '12:00', { cost_usd: 0.25 }],
  ] as const) {
    const started_at = `2026-01-01T${minute}:00Z`
    const call = { span_id: 's', name: 'ask', kind: 'llm', model: 'no such model', tokens_in: 4 }
    const spans = [{ ...call, started_at, latency_ms: 100, ...more }]
    const tags = minute === '12:00' ? ['night'] : ['day', 'busy']
    const body = {
      trace_id: traceId,
      tags,
      spans,
      session_id: `s-${minute.slice(0, 2)}`,
      user_id: 'u',
    }
    await service.call(ingestTrace, { body }, as)
  }
})

test('stats cover whole hours, with the number of unpriced calls', async () => {
  const query = { from: '2026-01-01T10:30:00Z', to: '2026-01-01T11:30:00Z' }
  const { data } = await service.call(readStats, { params: params(), query }, viewer)
  expect(data).toMatchObject({
    from: '2026-01-01T10:00:00.000Z',
    to: '2026-01-01T12:00:00.000Z',
    bucket: 'hour',
    buckets: [{ started_at: '2026-01-01T10:00:00.000Z', trace_count: 2, error_count: 1 }],
    by_name: [{ name: 'ask', trace_count: 2, cost_usd: 0.5, model_call_count: 2 }],
    by_environment: [{ environment: null, trace_count: 2, unpriced_call_count: 1 }],
    by_model: [{ model: 'no such model', call_count: 2, tokens_in: 8 }],
  })
  expect(Math.abs((data.buckets[0]?.latency_ms.p50 ?? 0) - 100)).toBeLessThan(6)
})

test('a longer range has daily buckets, and an invalid range is refused', async () => {
  const query = { from: '2025-12-20T00:00:00Z', to: '2026-01-02T00:00:00Z' }
  const { data } = await service.call(readStats, { params: params(), query }, viewer)
  expect(data.bucket).toBe('day')
  expect(data.buckets.map((one) => [one.started_at, one.trace_count])).toEqual([
    ['2026-01-01T00:00:00.000Z', 3],
  ])
  const wrong = { from: query.to, to: query.from }
  const refused = await service.call(readStats, { params: params(), query: wrong }, viewer)
  expect(refused.error.code).toBe('VALIDATION_ERROR')
})

test('hourly buckets are limited in number, days are available beyond', async () => {
  const { value: most } = limits.statsBuckets
  const read = (hours: number, bucket: string) => {
    const from = new Date(Date.UTC(2026, 0, 2) - hours * 3_600_000).toISOString()
    const query = { from, to: '2026-01-02T00:00:00Z', bucket }
    return service.call(readStats, { params: params(), query }, viewer)
  }
  expect((await read(most, 'hour')).status).toBe(200)
  expect(await read(most + 1, 'hour')).toMatchObject({
    status: 400,
    error: { message: 'bucket must be day for more than 10,000 hours' },
  })
  expect((await read(most + 1, 'day')).status).toBe(200)
})

test('stats can be filtered, and are grouped by tag, and by minute for a short range', async () => {
  const read = (query: object) => service.call(readStats, { params: params(), query }, viewer)
  const day = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }
  const { data } = await read({ ...day, tag: ['day', 'busy'], model: 'no such model', name: 'ask' })
  expect(data).toMatchObject({
    buckets: [{ started_at: '2026-01-01T10:00:00.000Z', trace_count: 2, unpriced_call_count: 1 }],
    by_tag: [
      { tag: 'busy', trace_count: 2, error_count: 1 },
      { tag: 'day', trace_count: 2, error_count: 1 },
    ],
    by_model: [{ model: 'no such model', call_count: 2 }],
    is_complete: true,
    complete_from: '2026-01-01T00:00:00.000Z',
  })
  expect((await read(day)).data.by_tag.map((one) => one.tag)).toEqual(['busy', 'day', 'night'])
  for (const filter of [
    { environment: 'none' },
    { service: 'none' },
    { tag: 'none' },
    { mode: 'simulation' },
  ]) {
    expect((await read({ ...day, ...filter })).data.buckets).toEqual([])
  }
  expect((await read({ ...day, mode: 'live' })).data).toEqual((await read(day)).data)
  const short = { from: '2026-01-01T10:04:30Z', to: '2026-01-01T12:02:00Z' }
  const fine = (await read({ ...short, bucket: '5m' })).data
  expect([fine.from, fine.to]).toEqual(['2026-01-01T10:00:00.000Z', '2026-01-01T12:05:00.000Z'])
  expect(fine.buckets.map((one) => one.started_at.slice(11, 16))).toEqual([
    '10:05',
    '10:55',
    '12:00',
  ])
  const refused = await read({ ...day, bucket: 'minute' })
  expect(refused.error).toMatchObject({ code: 'VALIDATION_ERROR' })
})

test('a page of sessions that the scan limit ended returns from when on it is complete', () => {
  const page = { groups: [], next: 'further' }
  expect(toGroupMeta({ ...page, coverageStart: 1_767_225_600_000_000_000n })).toEqual({
    ...{ pageSize: 0, cursor: 'further' },
    ...{ is_complete: false, complete_from: '2026-01-01T00:00:00.000Z' },
  })
  expect(toGroupMeta({ ...page, coverageStart: undefined })).toMatchObject({
    ...{ is_complete: true, complete_from: null },
  })
})

test('the histogram counts traces over time, with the filters of the list', async () => {
  const count = async (query: object) =>
    (await service.call(readHistogram, { params: params(), query }, viewer)).data
  const day = { from: '2026-01-01T10:30:00Z', to: '2026-01-01T13:00:00Z', buckets: 3 }
  expect(await count(day)).toEqual({
    from: '2026-01-01T10:00:00.000Z',
    to: '2026-01-01T13:00:00.000Z',
    bucket_ms: 3_600_000,
    buckets: [
      { started_at: '2026-01-01T10:00:00.000Z', trace_count: 2, error_count: 1 },
      { started_at: '2026-01-01T12:00:00.000Z', trace_count: 1, error_count: 0 },
    ],
    is_complete: true,
    complete_from: '2026-01-01T10:00:00.000Z',
  })
  expect(await count({ session_id: 's-10', min_cost_usd: 0.4, kind: 'llm' })).toMatchObject({
    bucket_ms: 1000,
    buckets: [{ started_at: '2026-01-01T10:05:00.000Z', trace_count: 1, error_count: 0 }],
  })
  const whole = await count({})
  expect([whole.from, whole.to]).toEqual(['2026-01-01T10:04:00.000Z', '2026-01-01T12:02:00.000Z'])
  expect(await count({ name: 'nothing' })).toMatchObject({ buckets: [], is_complete: true })
  for (const query of [{ from: day.to, to: day.from }, { buckets: 0 }, { buckets: 201 }]) {
    const refused = await service.call(readHistogram, { params: params(), query }, viewer)
    expect(refused.error.code).toBe('VALIDATION_ERROR')
  }
})

test('sessions and users are paged, most recently active first', async () => {
  const first = await service.call(
    listTraceSessions,
    { params: params(), query: { limit: 1 } },
    viewer,
  )
  expect(first.data).toMatchObject([{ session_id: 's-12', trace_count: 1, cost_usd: 0.25 }])
  const query = { limit: 1, cursor: first.meta.cursor }
  const second = await service.call(listTraceSessions, { params: params(), query }, viewer)
  expect(second.data).toMatchObject([
    {
      session_id: 's-10',
      trace_count: 2,
      error_count: 1,
      last_seen_at: '2026-01-01T10:59:00.000Z',
    },
  ])
  expect(second.meta.cursor).toBeNull()
  const users = await service.call(listTraceUsers, { params: params() }, viewer)
  expect(users.data).toMatchObject([{ user_id: 'u', trace_count: 3, tokens_in: 12 }])
  const ids = async (range: object) =>
    (await service.call(listTraceSessions, { params: params(), query: range }, viewer)).data.map(
      (one) => one.session_id,
    )
  expect(await ids({ from: '2026-01-01T11:00:00Z' })).toEqual(['s-12'])
  expect(await ids({ to: '2026-01-01T11:00:00Z' })).toEqual(['s-10'])
  expect(await ids({ to: '2026-01-01T10:59:00Z' })).toEqual([])
  const bad = { limit: 1, cursor: 'x' }
  const refused = await service.call(listTraceUsers, { params: params(), query: bad }, viewer)
  expect(refused.error.code).toBe('VALIDATION_ERROR')
})
