import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Mode, Span, Trace } from '../../../domain/span.ts'
import { labels, type OpenStore, readSpans, span, start } from './samples.ts'
import type { StatsFilters, StatsGroup, StatsQuery } from './stats.ts'
import type { TelemetryStore } from './store.ts'
import type { TraceFilters } from './traces.ts'

/*
 * What stats.ts promises of aggregates, sessions and users, as tests.
 */

export function describeStats(open: OpenStore): void {
  describeAggregates(open)
  describeStatsFilters(open)
}

function describeAggregates(open: OpenStore): void {
  describe('stats', () => {
    let store: TelemetryStore
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())

    const record = (projectId: string, spans: readonly Span[], mode: Mode | null = null) =>
      store.record({
        ...{ projectId, source: 'json', spans: store.encode(spans) },
        ...(mode !== null && { labels: labels({ mode }) }),
      })

    const everyTrace = async (projectId: string, filters: TraceFilters = {}) =>
      (await store.listTraces(projectId, { limit: 1000, filters })).traces

    const hour = 3_600_000_000_000n
    const everything = {
      from: 0n,
      to: start - (start % hour) + 1000n * hour,
      ...{ bucketNanos: hour, filters: {}, scanLimit: 0 },
    }

    test('agree with the traces whatever is recorded, replaced, moved, removed and expires', async () => {
      const usage = fc.record({
        tokensIn: fc.option(fc.nat(100)),
        costUsd: fc.option(fc.nat(100).map((cents) => cents / 100)),
        model: fc.constantFrom(null, 'm1', 'm2'),
        sessionId: fc.constantFrom(null, 's1', 's2'),
        status: fc.constantFrom('OK' as const, 'ERROR' as const),
        environment: fc.constantFrom(null, 'prod'),
        mode: fc.constantFrom(null, 'live' as const, 'simulation' as const),
        hours: fc.nat(3),
      })
      const step = fc.record({
        act: fc.constantFrom('record', 'record', 'record', 'remove', 'adopt', 'expire'),
        traceId: fc.constantFrom('x', 'y', 'z'),
        spanId: fc.constantFrom('a', 'b'),
        usage,
      })
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
          const [mine, other] = [randomUUID(), randomUUID()]
          for (const {
            act,
            traceId,
            spanId,
            usage: { hours, mode, ...rest },
          } of steps) {
            const startedAt = start + BigInt(hours) * hour
            const times = { startedAt, endedAt: startedAt + 5_000_000n }
            if (act === 'remove') await store.removeTrace(mine, traceId)
            else if (act === 'adopt') await store.moveTraces(other, mine, [traceId])
            else if (act === 'expire') await removeOld(mine, startedAt)
            else await record(mine, [span(spanId, { traceId, ...rest, ...times })], mode)
          }
          for (const projectId of [mine, other]) {
            for (const filters of [{}, { mode: 'live' }, { mode: 'simulation' }] as const) {
              await checkStats(projectId, filters)
            }
            await checkSessions(projectId)
          }
        }),
        { numRuns: 40 },
      )
    })

    const removeOld = async (projectId: string, before: bigint) => {
      while (!(await store.removeOldTraces(projectId, before)).isDone);
    }

    const checkStats = async (projectId: string, filters: Pick<TraceFilters, 'mode'>) => {
      const traces = await everyTrace(projectId, filters)
      const { total } = await store.listTraces(projectId, { limit: 1, filters })
      expect(total).toBe(traces.length)
      const stats = await store.readStats(projectId, { ...everything, filters })
      const hours = [...new Set(traces.map(({ startedAt }) => startedAt - (startedAt % hour)))]
      expect(stats.buckets.map(({ startedAt }) => startedAt)).toEqual(
        hours.sort((a, b) => Number(a - b)),
      )
      for (const { startedAt, aggregates } of stats.buckets) {
        const of = traces.filter((one) => one.startedAt - (one.startedAt % hour) === startedAt)
        expect(aggregates).toMatchObject(summed(of))
      }
      const environments = stats.byEnvironment.map(({ value, aggregates }) => [
        value,
        aggregates.count,
      ])
      expect(Object.fromEntries(environments)).toEqual(
        counted(traces.map(({ environment }) => environment ?? '')),
      )
      const withModel = await Promise.all(
        traces.map(async ({ traceId }) => {
          const spans = await readSpans(store, projectId, traceId)
          return spans.flatMap(({ model }) => (model === null ? [] : [model]))
        }),
      )
      expect(
        Object.fromEntries(stats.byModel.map(({ value, aggregates }) => [value, aggregates.count])),
      ).toEqual(counted(withModel.flat()))
    }

    const checkSessions = async (projectId: string) => {
      const traces = await everyTrace(projectId)
      const { groups } = await store.listGroups(projectId, {
        kind: 'session',
        limit: 9,
        scanLimit: 99,
      })
      expect(groups.map(({ value }) => value).toSorted()).toEqual(
        Object.keys(counted(traces.flatMap(({ sessionId }) => sessionId ?? []))).toSorted(),
      )
      for (const group of groups) {
        const of = traces.filter(({ sessionId }) => sessionId === group.value)
        const { count: traceCount, errors, tokensIn, costUsd } = summed(of)
        const calls = of.reduce((sum, { modelCallCount }) => sum + modelCallCount, 0)
        const unpriced = of.reduce((sum, { unpricedCallCount }) => sum + unpricedCallCount, 0)
        const sums = { errors, calls, unpriced, tokensIn, costUsd }
        expect(group).toMatchObject({ traces: traceCount, ...sums })
        expect([group.lastAt, group.firstAt]).toEqual([of[0]?.startedAt, of.at(-1)?.startedAt])
      }
    }

    const summed = (traces: readonly Trace[]) => ({
      count: traces.length,
      errors: traces.filter(({ status }) => status === 'ERROR').length,
      tokensIn: traces.reduce((sum, one) => sum + one.tokensIn, 0),
      costUsd: Math.round(traces.reduce((sum, one) => sum + (one.costUsd ?? 0), 0) * 100) / 100,
    })

    const counted = (values: readonly string[]) => {
      const counts: Record<string, number> = {}
      for (const value of values) counts[value] = (counts[value] ?? 0) + 1
      return counts
    }

    test('by model add up to the trace where a parent has the cost and its child the tokens', async () => {
      const projectId = randomUUID()
      const byModel = async () => {
        const stats = await store.readStats(projectId, everything)
        const models = stats.byModel.map(({ value, aggregates }) => {
          const { count, tokensIn, costUsd } = aggregates
          return [value, { count, tokensIn, costUsd }] as const
        })
        return Object.fromEntries(models)
      }
      const outer = span('a', { model: 'outer', tokensIn: 9, costUsd: 2 })
      await record(projectId, [outer])
      await record(projectId, [span('b', { parentSpanId: 'a', model: 'inner', tokensIn: 5 })])
      expect(await byModel()).toEqual({
        outer: { count: 0, tokensIn: 0, costUsd: 2 },
        inner: { count: 1, tokensIn: 5, costUsd: 0 },
      })
      await record(projectId, [{ ...outer, costUsd: null }])
      expect(await byModel()).toEqual({ inner: { count: 1, tokensIn: 5, costUsd: 0 } })
    })

    test('of sessions and users are paged, most recently active first, in a range or without one', async () => {
      const projectId = randomUUID()
      const spans = Array.from({ length: 9 }, (_, i) =>
        span('a', { traceId: `t${i}`, userId: `u${i % 5}`, startedAt: start + BigInt(i >> 1) }),
      )
      await record(projectId, spans)
      const seen: string[] = []
      const query = { kind: 'user', limit: 2, scanLimit: 99 } as const
      let page = await store.listGroups(projectId, query)
      for (;;) {
        seen.push(...page.groups.map(({ value }) => value))
        if (page.next === undefined) break
        page = await store.listGroups(projectId, { ...query, after: page.next })
      }
      expect(seen).toEqual(['u3', 'u2', 'u1', 'u4', 'u0'])
      const range = { ...query, limit: 9, from: start + 3n, to: start + 4n }
      const { groups } = await store.listGroups(projectId, range)
      expect(groups.map(({ value }) => value)).toEqual(['u2', 'u1'])
      const { next } = await store.listGroups(projectId, { ...range, limit: 1 })
      const rest = await store.listGroups(projectId, { ...range, after: next! })
      expect(rest.groups).toEqual(groups.slice(1))
      const none = await store.listGroups(randomUUID(), query)
      expect(none).toEqual({ groups: [], next: undefined })
    })
  })
}

function describeStatsFilters(open: OpenStore): void {
  describe('stats with filters', () => {
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
        mode: fc.constantFrom('live' as const, 'simulation' as const),
        service: fc.constantFrom(null, 'api'),
        name: fc.constantFrom('plan', 'plan a trip'),
        models: fc.constantFrom([], ['m1'], ['m1', 'm2']),
        tags: fc.constantFrom([], ['a'], ['b', 'a']),
      }),
      { numRuns: 60, seed: 5 },
    )

    const record = async (of: (typeof drawn)[number], traceId: string) => {
      const { after, tags, models, mode, name: rootName, ...rest } = of
      const times = { startedAt: base + after, endedAt: base + after + 2_000_000n }
      const whole = { traceId, ...rest, ...times }
      const calls = models.map((model, i) =>
        span(`call ${i}`, { ...whole, parentSpanId: 'root', model, tokensIn: 3, costUsd: null }),
      )
      const root = span('root', { ...whole, name: rootName })
      const spans = store.encode([root, ...calls])
      await store.record({ projectId, source: 'json', spans, labels: labels({ tags, mode }) })
    }

    beforeAll(async () => {
      store = await open()
      projectId = randomUUID()
      // Recorded with other values first, so that stats must follow the change.
      for (const [i, { models }] of drawn.entries()) {
        await record({ ...drawn[(i + 1) % drawn.length]!, models }, `t${i}`)
      }
      for (const [i, of] of drawn.entries()) await record(of, `t${i}`)
      await record(drawn[0]!, 'removed')
      await store.removeTrace(projectId, 'removed')
    })
    afterAll(() => store.close())

    const read = (filters: StatsFilters, more: Partial<StatsQuery> = {}) =>
      store.readStats(projectId, {
        ...{ ...range, bucketNanos: hour, scanLimit: 1000, filters },
        ...more,
      })

    const matching = (filters: StatsFilters) => {
      const { mode, name: nameFilter, environment, service, model, tags = [] } = filters
      return drawn.filter(
        (of) =>
          (mode === undefined || of.mode === mode) &&
          (nameFilter === undefined || of.name === nameFilter) &&
          (environment === undefined || of.environment === environment) &&
          (service === undefined || of.service === service) &&
          (model === undefined || of.models.some((own) => own === model)) &&
          tags.every((tag) => of.tags.some((own) => own === tag)),
      )
    }

    const counts = (aggregates: readonly StatsGroup[]) =>
      Object.fromEntries(aggregates.map(({ value, aggregates: { count } }) => [value, count]))
    const counted = (values: readonly string[]) => {
      const sums: Record<string, number> = {}
      for (const value of values) sums[value] = (sums[value] ?? 0) + 1
      return sums
    }

    test('agree with the matching traces for any filters and bucket width', async () => {
      const filterOf = fc.record(
        {
          mode: fc.constantFrom('live' as const, 'simulation' as const),
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
          const asOneBucket = await read(filters, { bucketNanos: 1_000_000n * hour })
          const empty = { ...stats.total, count: 0 }
          expect(stats.total).toEqual(asOneBucket.buckets[0]?.aggregates ?? empty)
          expect(counts(stats.byName)).toEqual(counted(traces.map((one) => one.name)))
          expect(counts(stats.byEnvironment)).toEqual(
            counted(traces.map(({ environment }) => environment ?? '')),
          )
          expect(counts(stats.byModel)).toEqual(counted(calls))
          expect(counts(stats.byTag)).toEqual(counted(traces.flatMap(({ tags }) => tags)))
          expect(stats).toMatchObject({ isComplete: true, coverageStart: range.from })
        }),
        // The mode alone is read from other rollups, and rarely drawn.
        {
          numRuns: 120,
          examples: [
            [{ mode: 'live' }, hour],
            [{ mode: 'simulation' }, 24n * hour],
          ],
        },
      )
    })

    test('with short buckets, count at least the newest traces, and all from the coverage start on', async () => {
      const scanLimit = 9
      const stats = await read({}, { bucketNanos: minute, scanLimit })
      const { isComplete, coverageStart, buckets } = stats
      const since = { limit: 99, filters: { from: coverageStart } }
      const { traces } = await store.listTraces(projectId, since)
      expect(traces.length).toBeGreaterThanOrEqual(scanLimit)
      const counted = buckets.reduce((sum, { aggregates }) => sum + aggregates.count, 0)
      expect(counted).toBe(traces.length)
      expect(isComplete).toBe(coverageStart === range.from)
    })

    test('never include another project', async () => {
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
