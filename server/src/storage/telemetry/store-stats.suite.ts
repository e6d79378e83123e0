import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RollupFilters } from '../../domain/rollup-dimensions.ts'
import { labels, span, start } from './store.samples.ts'
import type { StatsGroup, StatsQuery, TelemetryStore } from './store.ts'

/*
 * What every telemetry store promises of figures with filters and in short buckets, as tests.
 */

/** Runs the promises against a store that `open` makes. */
export function describeStats(name: string, open: () => Promise<TelemetryStore>): void {
  describe(name, () => {
    let store: TelemetryStore
    let projectId: string
    const minute = 60_000_000_000n
    const hour = 60n * minute
    const base = start - (start % hour)
    const range = { from: base, to: base + 3n * hour }
    const drawn = fc.sample(
      fc.record({
        after: fc.bigInt(0n, 3n * hour - 1n),
        status: fc.constantFrom('OK' as const, 'ERROR' as const),
        environment: fc.constantFrom(null, 'prod', 'dev'),
        service: fc.constantFrom(null, 'api'),
        name: fc.constantFrom('plan', 'plan a trip'),
        models: fc.constantFrom([], ['m1'], ['m1', 'm2']),
        tags: fc.constantFrom([], ['a'], ['b', 'a']),
      }),
      { numRuns: 60, seed: 5 },
    )

    const record = async (of: (typeof drawn)[number], traceId: string) => {
      const { after, tags, models, name: rootName, ...rest } = of
      const times = { startedAt: base + after, endedAt: base + after + 2_000_000n }
      const whole = { traceId, ...rest, ...times }
      const calls = models.map((model, i) =>
        span(`call ${i}`, { ...whole, parentSpanId: 'root', model, tokensIn: 3, costUsd: null }),
      )
      const root = span('root', { ...whole, name: rootName })
      const spans = store.encode([root, ...calls])
      await store.record({ projectId, source: 'json', spans, labels: labels({ tags }) })
    }

    beforeAll(async () => {
      store = await open()
      projectId = randomUUID()
      // First as something else, so that what is told is what each came to be.
      for (const [i, { models }] of drawn.entries()) {
        await record({ ...drawn[(i + 1) % drawn.length]!, models }, `t${i}`)
      }
      for (const [i, of] of drawn.entries()) await record(of, `t${i}`)
      await record(drawn[0]!, 'removed')
      await store.removeTrace(projectId, 'removed')
    })
    afterAll(() => store.close())

    const read = (filters: RollupFilters, more: Partial<StatsQuery> = {}) =>
      store.readStats(projectId, {
        ...{ ...range, bucketNanos: hour, scanLimit: 1000, filters },
        ...more,
      })

    const matching = ({
      name: nameFilter,
      environment,
      service,
      model,
      tags = [],
    }: RollupFilters) =>
      drawn.filter(
        (of) =>
          (nameFilter === undefined || of.name === nameFilter) &&
          (environment === undefined || of.environment === environment) &&
          (service === undefined || of.service === service) &&
          (model === undefined || of.models.some((own) => own === model)) &&
          tags.every((tag) => of.tags.some((own) => own === tag)),
      )

    const counts = (aggregates: readonly StatsGroup[]) =>
      Object.fromEntries(aggregates.map(({ value, aggregates: { count } }) => [value, count]))
    const counted = (values: readonly string[]) => {
      const sums: Record<string, number> = {}
      for (const value of values) sums[value] = (sums[value] ?? 0) + 1
      return sums
    }

    test('agree with the traces that fit, by whatever filters and in whatever buckets', async () => {
      const filterOf = fc.record(
        {
          name: fc.constantFrom('plan', 'plan a trip', 'none'),
          environment: fc.constantFrom('prod', 'dev', 'none'),
          service: fc.constant('api'),
          model: fc.constantFrom('m1', 'm2'),
          tags: fc.constantFrom(['a'], ['a', 'b'], ['none']),
        },
        { requiredKeys: [] },
      )
      const widths = fc.constantFrom(minute, 5n * minute, hour, 24n * hour)
      await fc.assert(
        fc.asyncProperty(filterOf, widths, async (filters, bucketNanos) => {
          const stats = await read(filters, { bucketNanos })
          const traces = matching(filters)
          const startOf = (after: bigint) => base + after - ((base + after) % bucketNanos)
          expect(
            Object.fromEntries(stats.buckets.map((one) => [one.startedAt, one.aggregates.count])),
          ).toEqual(counted(traces.map(({ after }) => String(startOf(after)))))
          expect(stats.buckets.map(({ startedAt }) => startedAt)).toEqual(
            stats.buckets.map(({ startedAt }) => startedAt).toSorted((a, b) => Number(a - b)),
          )
          const sum = (key: 'errors' | 'unpriced' | 'tokensIn') =>
            stats.buckets.reduce((total, { aggregates }) => total + aggregates[key], 0)
          const calls = traces.flatMap(({ models }) => models)
          expect(sum('errors')).toBe(traces.filter(({ status }) => status === 'ERROR').length)
          expect([sum('unpriced'), sum('tokensIn')]).toEqual([calls.length, calls.length * 3])
          expect(counts(stats.byName)).toEqual(counted(traces.map((one) => one.name)))
          expect(counts(stats.byEnvironment)).toEqual(
            counted(traces.map(({ environment }) => environment ?? '')),
          )
          expect(counts(stats.byModel)).toEqual(counted(calls))
          expect(counts(stats.byTag)).toEqual(counted(traces.flatMap(({ tags }) => tags)))
          expect(stats).toMatchObject({ isComplete: true, coverageStart: range.from })
        }),
        { numRuns: 120 },
      )
    })

    test('count the newest traces in short buckets, and tell since when', async () => {
      const { isComplete, coverageStart, buckets } = await read(
        {},
        { bucketNanos: minute, scanLimit: 9 },
      )
      expect(isComplete).toBe(false)
      const since = { limit: 99, filters: { from: coverageStart } }
      expect((await store.listTraces(projectId, since)).traces.length).toBe(9)
      expect(buckets.reduce((sum, { aggregates }) => sum + aggregates.count, 0)).toBe(9)
    })

    test('pass no more traces than they may where hardly any fits', async () => {
      const stats = await read({ environment: 'none' }, { bucketNanos: minute, scanLimit: 1 })
      expect(stats).toMatchObject({ isComplete: false, buckets: [] })
    })

    test('of another project are none of this one', async () => {
      const query = {
        ...range,
        bucketNanos: minute,
        scanLimit: 9,
        filters: { environment: 'prod' },
      }
      for (const bucketNanos of [minute, hour]) {
        const stats = await store.readStats(randomUUID(), { ...query, bucketNanos })
        expect(stats).toMatchObject({ buckets: [], byName: [], byTag: [], byModel: [] })
      }
    })
  })
}
