import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Span, Trace, TraceLabels } from '../../domain/span.ts'
import { labels, span, start } from './store.samples.ts'
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
      store.record({ projectId, source: 'json', spans: store.pack(spans), ...rest })

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

      test('never lead to another project', async () => {
        const mine = randomUUID()
        await record(mine, [span('a', { kind: 'llm', model: 'm1' })])
        const found = await everyTrace(mine, { kind: 'llm', model: 'm1', name: 'run' })
        expect(found.map((trace) => trace.projectId)).toEqual([mine])
        expect(await everyTrace(randomUUID(), { kind: 'llm' })).toEqual([])
      })
    })
  })
}

function isPart(part: string, whole: string): boolean {
  return whole.toLowerCase().includes(part.toLowerCase())
}
