import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lastInstant } from '../../../domain/instant.ts'
import type { Trace } from '../../../domain/span.ts'
import { labels, type OpenStore, span, start } from './samples.ts'
import type { Histogram, HistogramQuery } from './stats.ts'
import type { TelemetryStore } from './store.ts'
import type { TraceFilters } from './traces.ts'

/*
 * What stats.ts promises of histograms, as tests.
 */

export function describeHistograms(open: OpenStore): void {
  describe('histograms', () => {
    let store: TelemetryStore
    let projectId: string
    let all: readonly Trace[]
    const minute = 60_000_000_000n
    const hour = 60n * minute
    const base = start - (start % (24n * hour))

    beforeAll(async () => {
      store = await open()
      projectId = randomUUID()
      const drawn = fc.sample(
        fc.record({
          after: fc.oneof(fc.bigInt(0n, 2n * minute), fc.bigInt(0n, 400n * hour)),
          status: fc.constantFrom('OK' as const, 'ERROR' as const),
          environment: fc.constantFrom(null, 'prod', 'dev'),
          kind: fc.constantFrom('llm', 'tool'),
          sessionId: fc.constantFrom(null, 's'),
          name: fc.constantFrom('plan a trip', 'book a hotel'),
          tags: fc.constantFrom([], ['a'], ['a', 'b']),
          mode: fc.constantFrom('live' as const, 'simulation' as const),
        }),
        { numRuns: 120, seed: 3 },
      )
      for (const [i, { after, tags, mode, ...rest }] of drawn.entries()) {
        const startedAt = base + after + BigInt(i)
        const times = { startedAt, endedAt: startedAt + 1n }
        const spans = store.encode([span('a', { traceId: `t${i}`, ...rest, ...times })])
        await store.record({ projectId, source: 'json', spans, labels: labels({ tags, mode }) })
      }
      while (store.searchLagMs() > 0) await new Promise((resolve) => setTimeout(resolve, 10))
      all = (await store.listTraces(projectId, { limit: 1000, filters: {} })).traces
      expect(all.length).toBe(120)
    })
    afterAll(() => store.close())

    const now = base + 500n * hour
    const read = (filters: TraceFilters, more: Partial<HistogramQuery> = {}) =>
      store.readHistogram(projectId, { filters, maxBuckets: 60, scanLimit: 1000, now, ...more })

    test('count the earliest and the latest traces that can be stored', async () => {
      const own = randomUUID()
      for (const [traceId, startedAt] of [['first', 0n] as const, ['last', lastInstant] as const]) {
        const spans = store.encode([span('a', { traceId, startedAt, endedAt: startedAt })])
        await store.record({ projectId: own, source: 'json', spans, labels: labels({}) })
      }
      const query = { filters: {}, maxBuckets: 60, scanLimit: 1000, now }
      const { buckets, isComplete } = await store.readHistogram(own, query)
      expect(buckets.map(({ count }) => count)).toEqual([1, 1])
      expect(isComplete).toBe(true)
    })

    describe('of two buckets that are wider than the engines count nanoseconds', () => {
      const own = randomUUID()
      const times = [0n, start, lastInstant]
      beforeAll(async () => {
        for (const [i, startedAt] of times.entries()) {
          const traceId = `t${i}`
          const spans = store.encode([span('a', { traceId, startedAt, endedAt: startedAt })])
          await store.record({ projectId: own, source: 'json', spans, labels: labels({}) })
        }
        while (store.searchLagMs() > 0) await new Promise((resolve) => setTimeout(resolve, 10))
      })
      const ranges: readonly TraceFilters[] = [
        ...[{}, { from: 0n }, { from: 0n, to: lastInstant + 1n }],
        { from: -(2n ** 64n), to: 2n ** 64n },
      ]
      const excluded = { key: 'none', value: 'x', isExcluded: true } as const

      test.each<[string, TraceFilters]>([
        ['all', {}],
        ['those of a source', { source: 'json' }],
        ['those a search finds', { search: 'run' }],
        ['those without an attribute', { attributes: [excluded] }],
      ])('counts the traces before and after the first Monday: %s', async (_which, filters) => {
        const monday = 4n * 24n * hour
        const bucketNanos = 52_000n * 7n * 24n * hour
        for (const range of ranges) {
          const query = { filters: { ...filters, ...range }, maxBuckets: 1, scanLimit: 10_000, now }
          expect(await store.readHistogram(own, query)).toEqual({
            ...{ from: monday - bucketNanos, to: monday + bucketNanos, bucketNanos },
            buckets: [
              { startedAt: monday - bucketNanos, count: 1, errors: 0 },
              { startedAt: monday, count: 2, errors: 0 },
            ],
            ...{ isComplete: true, coverageStart: monday - bucketNanos },
          })
        }
      })
    })

    const listed = async (filters: TraceFilters) =>
      (await store.listTraces(projectId, { limit: 1000, filters })).traces

    /**
     * The expected buckets, from the traces that the list returns for the filters and the range of the
     * buckets.
     */
    const expected = async ({ from, to, bucketNanos }: Histogram, filters: TraceFilters) => {
      const traces = await listed({ ...filters, from, to })
      const buckets = new Map<bigint, { count: number; errors: number }>()
      for (const { startedAt, status } of [...traces].reverse()) {
        const begin = startedAt - ((startedAt - from) % bucketNanos)
        const sum = buckets.get(begin) ?? { count: 0, errors: 0 }
        buckets.set(begin, sum)
        sum.count += 1
        sum.errors += status === 'ERROR' ? 1 : 0
      }
      return [...buckets].map(([startedAt, sums]) => ({ startedAt, ...sums }))
    }

    test('counts what the list returns for any filters, range and number of buckets', async () => {
      const filterOf = fc.record(
        {
          status: fc.constantFrom('OK' as const, 'ERROR' as const),
          environment: fc.constantFrom('prod', 'dev', 'none'),
          mode: fc.constantFrom('live' as const, 'simulation' as const),
          kind: fc.constantFrom('llm', 'none'),
          sessionId: fc.constant('s'),
          tags: fc.constantFrom(['a'], ['a', 'b'], ['none']),
          name: fc.constantFrom('HOTEL', 'trip'),
          search: fc.constantFrom('plan', 'book hotel', 'none'),
          from: fc.oneof(fc.bigInt(base, base + minute), fc.bigInt(base, now - 1n)),
          to: fc.bigInt(base + 1n, now + hour),
        },
        { requiredKeys: [] },
      )
      await fc.assert(
        fc.asyncProperty(
          filterOf,
          fc.integer({ min: 1, max: 200 }),
          async (filters, maxBuckets) => {
            const { from = base, to = now } = filters
            fc.pre(from < to)
            const histogram = await read(filters, { maxBuckets })
            expect(histogram.buckets).toEqual(await expected(histogram, filters))
            expect(histogram.isComplete).toBe(true)
            expect(histogram.coverageStart).toBe(histogram.from)
            if (filters.from !== undefined) expect(histogram.from <= filters.from).toBe(true)
            if (filters.to !== undefined) expect(histogram.to >= filters.to).toBe(true)
            const count = (histogram.to - histogram.from) / histogram.bucketNanos
            expect(count).toBeLessThanOrEqual(maxBuckets + 1)
          },
        ),
        { numRuns: 150 },
      )
    })

    test.each<[string, TraceFilters]>([
      ['all', {}],
      ['those with errors', { status: 'ERROR' }],
      ['those of a kind', { kind: 'llm' }],
      ['those a search finds', { search: 'plan' }],
    ])('without a range, covers the matching traces: %s', async (_which, filters) => {
      const traces = await listed(filters)
      const { from, to, bucketNanos, buckets } = await read(filters)
      const [newest, oldest] = [traces[0]!, traces.at(-1)!]
      expect(from <= oldest.startedAt && oldest.startedAt < from + bucketNanos).toBe(true)
      expect(to - bucketNanos <= newest.startedAt && newest.startedAt < to).toBe(true)
      expect(buckets.reduce((sum, { count }) => sum + count, 0)).toBe(traces.length)
    })

    test('ends now when only `from` is given, and is empty when nothing matches', async () => {
      const { from, to } = await read({ from: base + 499n * hour })
      expect([from, to]).toEqual([base + 499n * hour, now])
      const none = { isComplete: true, buckets: [] }
      expect(await read({ kind: 'none' })).toMatchObject(none)
      expect(await read({ tags: ['none'], from: base })).toMatchObject(none)
      const elsewhere = { filters: {}, maxBuckets: 9, scanLimit: 9, now }
      expect(await store.readHistogram(randomUUID(), elsewhere)).toMatchObject(none)
    })

    test.each<[string, TraceFilters, number]>([
      ['a filter', { minDurationMs: 0 }, 10],
      ['an indexed filter', { source: 'json' }, 2],
      ['a session', { sessionId: 's' }, 10],
    ])(
      'counts everything from the coverage start on when %s finds too many',
      async (_what, filters, scanLimit) => {
        for (const time of [{}, { from: base }, { from: base, to: now }]) {
          const baseQuery = { ...filters, ...time }
          const { isComplete, coverageStart, buckets } = await read(baseQuery, { scanLimit })
          const all = await listed(baseQuery)
          const covered = await listed({ ...baseQuery, from: coverageStart })
          expect(covered.length).toBeGreaterThanOrEqual(scanLimit)
          expect(buckets.reduce((sum, { count }) => sum + count, 0)).toBe(covered.length)
          expect(isComplete).toBe(covered.length === all.length)
        }
      },
    )

    test('counts buckets of an hour or longer completely, however many traces they have', async () => {
      const environment = 'prod'
      for (const filters of [
        {},
        { environment },
        { status: 'ERROR' },
        { mode: 'live' },
        { mode: 'simulation', environment },
      ] as const) {
        const traces = await listed(filters)
        const { isComplete, buckets } = await read(filters, { scanLimit: 1 })
        expect(isComplete).toBe(true)
        expect(buckets.reduce((sum, { count }) => sum + count, 0)).toBe(traces.length)
      }
    })
  })
}
