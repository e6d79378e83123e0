import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonText } from '../../domain/json-text.ts'
import type { Span, Trace, TraceLabels } from '../../domain/span.ts'
import { body, labels, span, start } from './store.samples.ts'
import type { Recording, TelemetryStore, TraceFilters } from './store.ts'

/*
 * What every telemetry store promises of finding and counting, as tests. Continues store.suite.ts.
 */

/** Runs the promises against stores that `open` makes: each empty, each on its own. */
export function describeTelemetryReading(name: string, open: () => Promise<TelemetryStore>): void {
  describe(name, () => {
    let store: TelemetryStore
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())

    const record = (projectId: string, spans: readonly Span[], rest: Partial<Recording> = {}) =>
      store.record({ projectId, source: 'json', spans: store.encode(spans), ...rest })

    const everyTrace = async (projectId: string, filters: TraceFilters = {}) =>
      (await store.listTraces(projectId, { limit: 1000, filters })).traces

    describe('filters by what is in a trace', () => {
      const words = fc.record({
        kinds: fc.uniqueArray(fc.constantFrom('llm', 'tool', 'agent'), { minLength: 1 }),
        model: fc.constantFrom(null, 'm1', 'm2', 'm\u0301'),
        tags: fc.uniqueArray(fc.constantFrom('a', 'b', 'A', 'ü')),
        costUsd: fc.constantFrom(null, 0, 1e-9, 0.25, 0.5, 0.5000001, 7),
        tokensIn: fc.constantFrom(null, 0, 1, 3, 4, 1000),
        millis: fc.constantFrom(0n, 1n, 2n, 5n, 1000n),
      })
      const drawn = fc.sample(words, { numRuns: 40, seed: 7 })
      const spansOf = (of: (typeof drawn)[number], traceId: string): Span[] => {
        // Two and two start together.
        const startedAt = start + BigInt(Number(traceId) >> 1)
        const endedAt = startedAt + of.millis * 1_000_000n
        const { model, costUsd, tokensIn } = of
        return of.kinds.map((kind, i) => {
          const usage = i === 0 ? { model, costUsd, tokensIn } : {}
          return span(String(i), {
            traceId,
            kind,
            startedAt,
            endedAt,
            name: `do ${kind}`,
            ...usage,
          })
        })
      }
      let projectId: string
      let all: readonly Trace[]
      const kindsOf = (trace: Trace) => drawn[Number(trace.traceId)]!.kinds

      beforeAll(async () => {
        projectId = randomUUID()
        for (const [i, of] of drawn.entries()) {
          const said = of.tags.length === 0 ? {} : { labels: labels({ tags: of.tags }) }
          await record(projectId, spansOf(of, String(i)), said)
        }
        all = await everyTrace(projectId)
        expect(all.length).toBe(drawn.length)
      })

      const filterOf = {
        tags: fc.uniqueArray(fc.constantFrom('a', 'b', 'A', 'ü', 'none'), { maxLength: 3 }),
        model: fc.constantFrom('m1', 'm2', 'm\u0301', 'M1', ''),
        kind: fc.constantFrom('llm', 'tool', 'agent', 'none'),
        name: fc.constantFrom('do LLM', 'o t', 'agent', 'none', ''),
        minCostUsd: fc.constantFrom(0, 1e-9, 0.25, 0.4999, 0.5, 0.5000001, 8),
        minTokens: fc.constantFrom(0, 1, 2, 4, 1000, 1001),
        minDurationMs: fc.constantFrom(0, 0.5, 1, 2, 999.9999, 1000, 1e300),
        from: fc.bigInt({ min: start, max: start + 20n }),
        to: fc.bigInt({ min: start, max: start + 20n }),
      }
      const matches = (trace: Trace, filters: TraceFilters) => {
        const { tags = [], model, kind, name: part, from, to } = filters
        return (
          tags.every((tag) => trace.tags.includes(tag)) &&
          (model === undefined || trace.models.includes(model)) &&
          (kind === undefined || kindsOf(trace).some((own) => own === kind)) &&
          (part === undefined || kindsOf(trace).some((own) => isPart(part, `do ${own}`))) &&
          (trace.costUsd ?? -1) >= (filters.minCostUsd ?? -1) &&
          trace.durationMs >= (filters.minDurationMs ?? 0) &&
          trace.tokensIn + trace.tokensOut >= (filters.minTokens ?? 0) &&
          (from === undefined || trace.startedAt >= from) &&
          (to === undefined || trace.startedAt < to)
        )
      }

      test('in any combination, page by page', async () => {
        const combined = fc.record(filterOf, { requiredKeys: [] })
        await fc.assert(
          fc.asyncProperty(combined, fc.integer({ min: 1, max: 9 }), async (filters, limit) => {
            const seen: Trace[] = []
            let page = await store.listTraces(projectId, { limit, filters })
            for (;;) {
              seen.push(...page.traces)
              if (page.next === undefined) break
              page = await store.listTraces(projectId, { limit, filters, after: page.next })
            }
            expect(seen).toEqual(all.filter((trace) => matches(trace, filters)))
          }),
          { numRuns: 100 },
        )
      })

      test('page by page also where thousands of traces have the word', async () => {
        const common = randomUUID()
        const spans = Array.from({ length: 2500 }, (_, i) =>
          span('a', { traceId: `t${i}`, kind: 'tool', startedAt: start + BigInt(i >> 2) }),
        )
        await record(common, spans)
        const filters = { kind: 'tool', name: 'RUN' }
        const seen: string[] = []
        let page = await store.listTraces(common, { limit: 700, filters })
        for (;;) {
          seen.push(...page.traces.map(({ traceId }) => traceId))
          if (page.next === undefined) break
          page = await store.listTraces(common, { limit: 700, filters, after: page.next })
        }
        expect(seen).toEqual(
          (await store.listTraces(common, { limit: 5000, filters: {} })).traces.map(
            ({ traceId }) => traceId,
          ),
        )
      })

      test.each<[string, TraceFilters, Partial<Span>, TraceLabels | null]>([
        ['model', { model: 'new' }, { model: 'new' }, null],
        ['kind', { kind: 'new' }, { kind: 'new' }, null],
        ['name', { name: 'new' }, { name: 'new' }, null],
        ['tag', { tags: ['new'] }, {}, labels({ tags: ['old', 'new'] })],
        ['cost', { minCostUsd: 2 }, { costUsd: 2 }, null],
        ['duration', { minDurationMs: 60_000 }, { endedAt: start + 60_000_000_000n }, null],
        ['tokens', { minTokens: 9 }, { tokensOut: 9 }, null],
      ])('follow a trace whose %s or start changes', async (_what, filters, change, said) => {
        const changing = randomUUID()
        const given = said === null ? {} : { labels: said }
        await record(changing, [span('a')])
        expect(await everyTrace(changing, filters)).toEqual([])
        await record(changing, [span('a', change)], given)
        expect((await everyTrace(changing, filters)).length).toBe(1)
        await record(changing, [span('b', { startedAt: start - 5n })])
        const [moved] = await everyTrace(changing, filters)
        expect(moved?.startedAt).toBe(start - 5n)
        await record(changing, [span('a')], { labels: labels({}) })
        expect(await everyTrace(changing, filters)).toEqual([])
      })

      test('find a part of a name in any case of any letter', async () => {
        const named = randomUUID()
        const names = ['Größe PRÜFEN', 'ΟΔΟΣ 100%_a', 'отчёт', 'plain']
        await record(
          named,
          names.map((own, i) => span('a', { traceId: `t${i}`, name: own })),
        )
        const found = async (part: string) =>
          (await everyTrace(named, { name: part })).map(({ traceId }) => traceId)
        expect(await found('grösse prüfen')).toEqual(['t0'])
        expect(await found('οδος 100%_A')).toEqual(['t1'])
        expect(await found('οδος 1000')).toEqual([])
        expect(await found('ОТЧЁ')).toEqual(['t2'])
        expect(await found('PLAIN')).toEqual(['t3'])
        expect(await found('ö')).toEqual(['t0'])
      })

      test('never lead to another project', async () => {
        const mine = randomUUID()
        await record(mine, [span('a', { kind: 'llm', model: 'm1' })])
        const found = await everyTrace(mine, { kind: 'llm', model: 'm1', name: 'run' })
        expect(found.map((trace) => trace.projectId)).toEqual([mine])
        expect(await everyTrace(randomUUID(), { kind: 'llm' })).toEqual([])
      })
    })

    describe('search', () => {
      const said = (text: string) => ({ ...body, input: JSON.stringify({ text }) as JsonText })
      /** Resolves when everything recorded can be searched. */
      const indexed = async () => {
        while (store.searchLagMs() > 0) await new Promise((resolve) => setTimeout(resolve, 10))
      }
      const found = async (projectId: string, search: string, more: TraceFilters = {}) => {
        await indexed()
        return (await everyTrace(projectId, { ...more, search })).map(({ traceId }) => traceId)
      }

      test('finds words of names, messages, inputs and outputs, of any script, in any order', async () => {
        const projectId = randomUUID()
        await record(projectId, [
          span('a', { traceId: 'x', name: 'get_weather', statusMessage: 'Timed out' }),
          span('b', { traceId: 'y', body: said('今天天气很好 \n"K\u00f6ln"') }),
          span('c', {
            traceId: 'z',
            body: { ...body, output: '"snow in \\u5929\\u6c14"' as JsonText },
          }),
        ])
        expect(await found(projectId, 'WEATHER')).toEqual(['x'])
        expect(await found(projectId, 'out timed get')).toEqual(['x'])
        expect(await found(projectId, 'koln')).toEqual(['y'])
        expect(await found(projectId, '天气')).toEqual(['z', 'y'])
        expect(await found(projectId, '天气 snow')).toEqual(['z'])
        expect(await found(projectId, 'sno*')).toEqual(['z'])
        expect(await found(projectId, 'weather snow')).toEqual([])
        expect(await found(projectId, '天气', { kind: 'agent', to: start })).toEqual([])
        expect(await found(projectId, '...')).toEqual([])
        expect(await found(randomUUID(), 'weather')).toEqual([])
      })

      test('never leads to another project, and follows what is replaced, adopted and removed', async () => {
        const [mine, theirs] = [randomUUID(), randomUUID()]
        await record(mine, [span('a', { body: said('apple') }), span('b', { body: said('pear') })])
        await record(theirs, [span('a', { body: said('apple') })])
        expect(await found(mine, 'apple')).toEqual(['trace'])
        await record(mine, [span('a', { body: said('cherry') })])
        expect(await found(mine, 'apple')).toEqual([])
        expect(await found(theirs, 'apple')).toEqual(['trace'])
        const other = randomUUID()
        await store.moveTrace(other, mine, 'trace')
        expect(await found(mine, 'cherry')).toEqual([])
        expect(await found(other, 'cherry')).toEqual(['trace'])
        expect(await found(other, 'pear')).toEqual(['trace'])
        await store.removeTrace(other, 'trace')
        await record(other, [span('n', { name: 'again' })])
        expect(await found(other, 'cherry')).toEqual([])
        expect(await found(other, 'again')).toEqual(['trace'])
      })

      test('pages through words that thousands of spans have, newest first', async () => {
        const projectId = randomUUID()
        const spans = Array.from({ length: 6000 }, (_, i) =>
          span('a', {
            traceId: `t${i}`,
            startedAt: start + BigInt(((i * 7919) % 6000) >> 1),
            name: i % 3 === 0 ? 'other' : 'common',
            status: i % 5 === 0 ? 'ERROR' : 'OK',
          }),
        )
        await record(projectId, [...spans, span('b', { traceId: 't1', name: 'common' })])
        await indexed()
        const expected = (
          await store.listTraces(projectId, {
            limit: 9000,
            filters: { name: 'common', status: 'OK' },
          })
        ).traces
        expect(expected.length).toBe(3200)
        const seen: Trace[] = []
        const query = { limit: 1000, filters: { search: 'COMMON', status: 'OK' as const } }
        let page = await store.listTraces(projectId, query)
        for (;;) {
          seen.push(...page.traces)
          if (page.next === undefined) break
          page = await store.listTraces(projectId, { ...query, after: page.next })
        }
        expect(seen).toEqual(expected)
      })
    })

    describe('figures', () => {
      const hour = 3_600_000_000_000n
      const everything = {
        from: 0n,
        to: start + 1000n * hour,
        ...{ bucketNanos: 3_600_000_000_000n, filters: {}, scanLimit: 0 },
      }

      test('agree with the traces whatever is recorded, replaced, given away and removed', async () => {
        const usage = fc.record({
          tokensIn: fc.option(fc.nat(100)),
          costUsd: fc.option(fc.nat(100).map((cents) => cents / 100)),
          model: fc.constantFrom(null, 'm1', 'm2'),
          sessionId: fc.constantFrom(null, 's1', 's2'),
          status: fc.constantFrom('OK' as const, 'ERROR' as const),
          environment: fc.constantFrom(null, 'prod'),
          hours: fc.nat(3),
        })
        const step = fc.record({
          act: fc.constantFrom('record', 'record', 'record', 'remove', 'adopt'),
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
              usage: { hours, ...rest },
            } of steps) {
              const startedAt = start + BigInt(hours) * hour
              const times = { startedAt, endedAt: startedAt + 5_000_000n }
              if (act === 'remove') await store.removeTrace(mine, traceId)
              else if (act === 'adopt') await store.moveTrace(other, mine, traceId)
              else await record(mine, [span(spanId, { traceId, ...rest, ...times })])
            }
            for (const projectId of [mine, other]) await checkFigures(projectId)
          }),
          { numRuns: 40 },
        )
      })

      const checkFigures = async (projectId: string) => {
        const traces = await everyTrace(projectId)
        const stats = await store.readStats(projectId, everything)
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
            const page = await store.listSpans(projectId, traceId, { limit: 9, bodies: false })
            return page!.spans.flatMap(({ model }) => (model === null ? [] : [model]))
          }),
        )
        expect(
          Object.fromEntries(
            stats.byModel.map(({ value, aggregates }) => [value, aggregates.count]),
          ),
        ).toEqual(counted(withModel.flat()))
        const { groups } = await store.listGroups(projectId, { kind: 'session', limit: 9 })
        expect(groups.map(({ value }) => value).toSorted()).toEqual(
          Object.keys(counted(traces.flatMap(({ sessionId }) => sessionId ?? []))).toSorted(),
        )
        for (const group of groups) {
          const of = traces.filter(({ sessionId }) => sessionId === group.value)
          const { count: traceCount, errors, tokensIn, costUsd } = summed(of)
          expect(group).toMatchObject({ traces: traceCount, errors, tokensIn, costUsd })
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

      test('of sessions and users come page by page, those seen last first', async () => {
        const projectId = randomUUID()
        const spans = Array.from({ length: 9 }, (_, i) =>
          span('a', { traceId: `t${i}`, userId: `u${i % 5}`, startedAt: start + BigInt(i >> 1) }),
        )
        await record(projectId, spans)
        const seen: string[] = []
        let page = await store.listGroups(projectId, { kind: 'user', limit: 2 })
        for (;;) {
          seen.push(...page.groups.map(({ value }) => value))
          if (page.next === undefined) break
          page = await store.listGroups(projectId, { kind: 'user', limit: 2, after: page.next })
        }
        expect(seen).toEqual(['u3', 'u2', 'u1', 'u4', 'u0'])
        const none = await store.listGroups(randomUUID(), { kind: 'user', limit: 2 })
        expect(none).toEqual({ groups: [], next: undefined })
      })
    })

    describe('removing and adopting', () => {
      test('a removed trace is nowhere any more, and can be recorded again', async () => {
        const [mine, theirs] = [randomUUID(), randomUUID()]
        for (const projectId of [mine, theirs]) await record(projectId, [span('a'), span('b')])
        expect(await store.removeTrace(mine, 'trace')).toBe(true)
        expect(await store.removeTrace(mine, 'trace')).toBe(false)
        expect(await store.removeTrace(randomUUID(), 'trace')).toBe(false)
        expect(await store.findTrace(mine, 'trace')).toBeUndefined()
        expect(await store.findSpan(mine, 'trace', 'a')).toBeUndefined()
        expect(await store.listTraces(mine, { limit: 9, filters: {} })).toEqual({
          traces: [],
          next: undefined,
          total: 0,
        })
        expect(await everyTrace(mine, { kind: 'agent' })).toEqual([])
        expect((await store.findTrace(theirs, 'trace'))?.spanCount).toBe(2)
        await record(mine, [span('c')])
        expect((await store.findTrace(mine, 'trace'))?.spanCount).toBe(1)
      })

      test('an adopted trace is as it was, in the other project alone', async () => {
        const [from, to] = [randomUUID(), randomUUID()]
        const said = { labels: labels({ tags: ['kept'], rootName: 'named' }) }
        await record(from, [span('a', { model: 'm' }), span('b', { status: 'ERROR' })], said)
        const before = await store.listSpans(from, 'trace', { limit: 9, bodies: true })
        expect(await store.moveTrace(to, from, 'trace')).toBe('adopted')
        expect(await store.moveTrace(to, from, 'trace')).toBe('exists')
        expect(await store.moveTrace(to, from, 'none')).toBe('not_found')
        expect(await store.findTrace(from, 'trace')).toBeUndefined()
        const after = await store.listSpans(to, 'trace', { limit: 9, bodies: true })
        const { updatedAt } = after!.trace
        expect(after).toEqual({ ...before, trace: { ...before!.trace, projectId: to, updatedAt } })
        const filters = { tags: ['kept'], model: 'm', name: 'named' }
        expect((await everyTrace(to, filters)).length).toBe(1)
        expect(await everyTrace(from, filters)).toEqual([])
        await record(from, [span('a')])
        expect(await store.moveTrace(to, from, 'trace')).toBe('exists')
        expect((await store.findTrace(from, 'trace'))?.spanCount).toBe(1)
        await record(to, [span('c')])
        expect((await store.findTrace(to, 'trace'))?.spanCount).toBe(3)
      })

      test('what is older goes, a few at a time, until nothing older is left', async () => {
        const projectId = randomUUID()
        const spans = Array.from({ length: 7 }, (_, i) =>
          span('a', { traceId: `t${i}`, startedAt: start + BigInt(i) }),
        )
        await record(projectId, spans)
        const removed: string[][] = []
        for (;;) {
          const traceIds = await store.removeOldTraces(projectId, start + 5n, 2)
          if (traceIds.length === 0) break
          removed.push([...traceIds])
        }
        expect(removed).toEqual([['t0', 't1'], ['t2', 't3'], ['t4']])
        const left = await everyTrace(projectId)
        expect(left.map(({ traceId }) => traceId)).toEqual(['t6', 't5'])
      })
    })
  })
}

function isPart(part: string, whole: string): boolean {
  return whole.toLowerCase().includes(part.toLowerCase())
}
