import { gzipSync } from 'node:zlib'
import { limits } from '@assay/contract/limits.ts'
import { listMetrics, readMetric } from '@assay/contract/metrics.ts'
import { exportMetrics } from '@assay/contract/otlp.ts'
import { describe, expect, test } from 'vitest'
import { jsonBytes } from '../../../test/otlp-request.ts'
import { metricsBytes } from '../../../test/otlp-signals.ts'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'

const service = runningService()
const tenant = tenantPerTest(service)
const owner = signedInPerTest(service, () => tenant.members.Owner)

const minute = (n: number) => `2026-01-01T10:0${n}:00.000Z`
const nanos = (n: number) => `${BigInt(Date.parse(minute(n))) * 1_000_000n}`
const range = { from: minute(0), to: minute(8), step: 60 }
const attribute = (name: string, value: string) => ({ key: name, value: { stringValue: value } })

const toRequest = (...metrics: object[]) => ({
  resourceMetrics: [
    {
      resource: { attributes: [attribute('service.name', 'shop')] },
      scopeMetrics: [{ scope: { name: 'meter' }, metrics }],
    },
  ],
})
const send = (request: object) =>
  service.call(exportMetrics, { raw: jsonBytes(request) }, tenant.keyHeader)

async function read(name: string, query: object = range) {
  const params = { projectId: tenant.projectId, name }
  return await service.call(readMetric, { params, query }, owner)
}

const counter = (values: readonly number[], members: object = {}) => ({
  name: 'requests',
  unit: '1',
  sum: {
    aggregationTemporality: 2,
    isMonotonic: true,
    dataPoints: values.map((value, n) => ({
      timeUnixNano: nanos(n),
      asInt: String(value),
      attributes: [attribute('route', '/pay')],
      ...members,
    })),
  },
})

describe('POST /metrics', () => {
  test('accepts both encodings and compression, and resending changes nothing', async () => {
    const request = toRequest(counter([1, 4, 9]))
    expect((await send(request)).data).toEqual({})
    const before = (await read('requests')).data
    for (let times = 0; times < 2; times++) {
      const response = await fetch(`${service.api}/metrics`, {
        method: 'POST',
        headers: {
          ...tenant.keyHeader,
          'content-type': 'application/x-protobuf',
          'content-encoding': 'gzip',
        },
        body: Uint8Array.from(gzipSync(metricsBytes(request))),
      })
      expect(response.headers.get('content-type')).toBe('application/x-protobuf')
      expect([response.status, (await response.bytes()).length]).toEqual([200, 0])
    }
    const after = (await read('requests')).data
    expect(after).toEqual(before)
    expect(after).toHaveLength(1)
  })

  test('reports data points that cannot be stored', async () => {
    const response = await send(toRequest(counter([1, 2]), counter([3], { timeUnixNano: '0' })))
    expect(response.data).toEqual({
      partialSuccess: {
        rejectedDataPoints: '1',
        errorMessage: 'Data points not stored: 1. The time is missing (data point no. 3).',
      },
    })
  })

  test('rejects a data point with too many buckets, and stores the others', async () => {
    const { value: most } = limits.pointBuckets
    const ofBuckets = (count: number, at: number) => ({
      ...{ timeUnixNano: nanos(at), count: '1' },
      explicitBounds: Array.from({ length: count - 1 }, (_, n) => n),
      bucketCounts: Array.from({ length: count }, (_, n) => (n === 0 ? '1' : '0')),
    })
    const dataPoints = [ofBuckets(most, 0), ofBuckets(most + 1, 1)]
    const histogram = { aggregationTemporality: 1, dataPoints }
    const response = await send(toRequest({ name: 'latency', histogram }))
    expect(response.data).toEqual({
      partialSuccess: {
        rejectedDataPoints: '1',
        errorMessage: `Data points not stored: 1. There are more than ${most} buckets or quantiles (data point no. 2).`,
      },
    })
    const { data } = await read('latency')
    expect(data[0]?.steps).toMatchObject([{ at: minute(0), count: 1 }])
  })

  test('refuses a malformed body, and a sender without a key', async () => {
    const refused = await service.call(exportMetrics, { raw: '{' }, tenant.keyHeader)
    expect([refused.status, refused.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    const nonMember = await service.call(exportMetrics, { raw: '{}' })
    expect([nonMember.status, nonMember.error.code]).toEqual([401, 'UNAUTHORIZED'])
    const typed = { raw: '{}', send: { 'content-type': 'text/plain' } }
    expect((await service.call(exportMetrics, typed, tenant.keyHeader)).status).toBe(415)
  })
})

describe('GET …/metrics/{name}', () => {
  test('a counter that was reset has the increase since the reset', async () => {
    await send(toRequest(counter([100, 160, 10, 40])))
    const { data, meta } = await read('requests')
    expect(meta).toEqual({ from: minute(0), to: minute(8), step: 60, total: 1 })
    expect(data[0]).toMatchObject({
      ...{ kind: 'sum', unit: '1', temporality: 'cumulative', is_monotonic: true },
      ...{ service: 'shop', attributes: { route: '/pay' }, scope: { name: 'meter' } },
    })
    expect(data[0]?.steps.map(({ at, sum, rate, last }) => [at, sum, rate, last])).toEqual([
      [minute(0), null, null, 100],
      [minute(1), 60, 1, 160],
      [minute(2), 10, 10 / 60, 10],
      [minute(3), 30, 0.5, 40],
    ])
  })

  test('a histogram has quantiles and exemplars that link to traces', async () => {
    const traceId = 'ab'.repeat(16)
    const exemplars = [{ timeUnixNano: nanos(1), asDouble: 7.5, traceId, spanId: 'cd'.repeat(8) }]
    const dataPoints = [
      {
        ...{ timeUnixNano: nanos(1), count: '100', sum: 350, min: 0, max: 20, exemplars },
        ...{ explicitBounds: [5, 10], bucketCounts: ['80', '15', '5'] },
      },
    ]
    await send(toRequest({ name: 'latency', histogram: { aggregationTemporality: 1, dataPoints } }))
    const { data } = await read('latency')
    const [step] = data[0]?.steps ?? []
    expect(step).toMatchObject({ count: 100, sum: 350, avg: 3.5, min: 0, max: 20 })
    expect([step?.p50, step?.p90, step?.p99]).toEqual([
      expect.closeTo(3.125),
      expect.closeTo(5 + 10 / 3),
      expect.closeTo(18),
    ])
    expect(data[0]?.exemplars).toEqual([
      { at: minute(1), value: 7.5, trace_id: traceId, span_id: 'cd'.repeat(8), attributes: {} },
    ])
  })

  test('filters by service and attributes, and orders series by them', async () => {
    const other = counter([5], { attributes: [attribute('route', '/other')] })
    await send(toRequest(counter([1]), other))
    const routes = async (query: object) =>
      (await read('requests', { ...range, ...query })).data.map(
        ({ attributes }) => attributes['route'],
      )
    expect(await routes({ attribute: 'route=/pay' })).toEqual(['/pay'])
    expect(await routes({ service: 'shop' })).toEqual(['/other', '/pay'])
    expect(await routes({ service: 'none' })).toEqual([])
  })

  test.each([
    ['from after to', { from: minute(2), to: minute(1) }, /^from /],
    ['too many steps', { from: minute(0), to: '2027-01-01T00:00:00Z', step: 1 }, /^step /],
    ['no time', { from: 'yesterday' }, /^from /],
    ['a step of nothing', { step: 0 }, /^step /],
    ['an attribute without value', { attribute: 'route' }, /^attribute/],
  ])('refuses %s with the name of the parameter', async (_what, query, message) => {
    await send(toRequest(counter([1])))
    const { status, error } = await read('requests', query)
    expect([status, error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(error.message).toMatch(message)
  })

  test('an unknown metric is not found', async () => {
    const { status, error } = await read('none')
    expect([status, error.message]).toEqual([404, 'Metric not found.'])
  })
})

describe('GET …/metrics', () => {
  const list = (query: object) =>
    service.call(listMetrics, { params: { projectId: tenant.projectId }, query }, owner)

  test('lists each metric once, page by page', async () => {
    const gauge = (name: string) => ({
      ...{ name, description: `of ${name}`, unit: 's' },
      gauge: { dataPoints: [{ timeUnixNano: nanos(1), asDouble: 0.5 }] },
    })
    await send(toRequest(gauge('b'), counter([1, 2]), gauge('a')))
    const first = await list({ limit: 2 })
    expect(first.data).toEqual([
      ...['a', 'b'].map((name) => ({
        ...{ name, kind: 'gauge', unit: 's', description: `of ${name}` },
        ...{ series_count: 1, last_seen_at: minute(1) },
      })),
    ])
    const second = await list({ limit: 2, cursor: first.meta.cursor })
    expect(second.data.map(({ name }) => name)).toEqual(['requests'])
    expect(second.meta).toEqual({ pageSize: 1, cursor: null })
  })

  test.each(['x', 'WyJhIl0'])('refuses a cursor that it did not issue: %j', async (cursor) => {
    const { status, error } = await list({ cursor })
    expect([status, error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(error.message).toMatch(/^cursor /)
  })
})
