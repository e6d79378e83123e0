import { randomUUID } from 'node:crypto'
import { limits } from '@assay/contract/limits.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonText } from '../../../domain/json-text.ts'
import { serializeSpan } from '../../../domain/serialize-span.ts'
import type { Span, Trace, TraceLabels } from '../../../domain/span.ts'
import type { Position } from './position.ts'
import type { ReadOptions } from './read-options.ts'
import {
  body,
  byStart,
  idAsSpan,
  idsOf,
  labels,
  type OpenStore,
  parseSpans,
  readSpans,
  span,
  start,
  stored,
  storeHelpers,
} from './samples.ts'
import type { TelemetryStore } from './store.ts'
import type { SpanQuery, TraceFilters } from './traces.ts'

/*
 * What traces.ts promises, as tests. Search is in search.suite.ts.
 */

export function describeTraces(open: OpenStore): void {
  describe('traces', () => {
    let store: TelemetryStore
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())

    const { record, everySpan, everyTrace } = storeHelpers(() => store)

    /** The ids of the spans of each page. */
    const listPages = async (projectId: string, query: SpanQuery) => {
      const pages: string[][] = []
      let after: Position | undefined
      do {
        const page = await store.readSpansJson(projectId, 'trace', {
          ...query,
          ...(after && { after }),
        })
        pages.push(parseSpans(page!).map(({ span_id }) => span_id))
        after = page?.next
      } while (after !== undefined)
      return pages
    }

    describe('order and pages', () => {
      // Ids whose order differs by UTF-16 units, by case, and by length.
      const ids = ['a', 'B', 'aa', '\uFB01', '\u{1F600}', 'z'.repeat(100), '%', '0', '10', '9']

      test('traces are listed newest first to the nanosecond, then by the bytes of their ids, descending', async () => {
        const projectId = randomUUID()
        const spans = ids.map((traceId, i) =>
          span('a', { traceId, startedAt: start + BigInt(i % 3) }),
        )
        await record(projectId, spans)
        const expected = spans.toSorted((a, b) => -byStart(idAsSpan(a), idAsSpan(b)))
        expect(idsOf(await everyTrace(projectId))).toEqual(expected.map(({ traceId }) => traceId))
      })

      test('spans are listed oldest first to the nanosecond, then by the bytes of their ids', async () => {
        const projectId = randomUUID()
        const spans = ids.map((id, i) => span(id, { startedAt: start + BigInt(i % 3) }))
        await record(projectId, spans)
        expect(await everySpan(projectId, 'trace')).toEqual(spans.toSorted(byStart).map(stored))
      })

      test('paging through traces returns each existing trace once, whatever arrives meanwhile', async () => {
        const times = fc.array(fc.bigInt({ min: 0n, max: 2n }), { minLength: 1, maxLength: 12 })
        const traceOf = (suffix: string) => (time: bigint, i: number) =>
          span('a', { traceId: `${i}${suffix}`, startedAt: start + time })
        const limits = fc.integer({ min: 1, max: 4 })
        await fc.assert(
          fc.asyncProperty(times, times, limits, async (old, fresh, limit) => {
            const projectId = randomUUID()
            await record(projectId, old.map(traceOf('old')))
            const arriving = fresh.map(traceOf('fresh'))
            const seen: string[] = []
            let page = await store.listTraces(projectId, { limit, filters: {} })
            for (;;) {
              expect(page.traces.length).toBeLessThanOrEqual(limit)
              seen.push(...idsOf(page.traces))
              if (page.next === undefined) break
              await record(projectId, arriving.splice(-1))
              page = await store.listTraces(projectId, { limit, filters: {}, after: page.next })
            }
            expect(new Set(seen).size).toBe(seen.length)
            const oldIds = idsOf(await everyTrace(projectId)).filter((id) => id.endsWith('old'))
            expect(seen.filter((id) => id.endsWith('old'))).toEqual(oldIds)
            expect(oldIds.length).toBe(old.length)
          }),
          { numRuns: 15 },
        )
      })

      test('paging through spans returns each once, in order, also with equal start times', async () => {
        const projectId = randomUUID()
        const spans = Array.from({ length: 23 }, (_, i) =>
          span(`${(i * 7) % 23}`, { startedAt: start + BigInt(i % 3) }),
        )
        await record(projectId, spans)
        for (const limit of [1, 4, 22, 23, 24]) {
          const pages = await listPages(projectId, { limit, bodies: true })
          expect(pages).toHaveLength(Math.ceil(spans.length / limit))
          for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit)
          const found = await readSpans(store, projectId, 'trace', limit)
          expect(found).toEqual(spans.toSorted(byStart).map(stored))
        }
      })

      test('a page of spans has at least one, and ends early when the bodies exceed the maximum', async () => {
        const projectId = randomUUID()
        const input = (share: number) =>
          JSON.stringify('x'.repeat(share * limits.pageBytes.value)) as JsonText
        const shares = { a: 0.3, b: 0.3, c: 0.3, d: 0.3, e: 2, f: 0.1 }
        for (const [id, share] of Object.entries(shares))
          await record(projectId, [span(id, { body: { ...body, input: input(share) } })])
        expect(await listPages(projectId, { limit: 10, bodies: true })).toEqual([
          ['a', 'b', 'c'],
          ['d'],
          ['e'],
          ['f'],
        ])
        const ids = Object.keys(shares)
        expect(await listPages(projectId, { limit: 10, bodies: false })).toEqual([ids])
      })

      test('a page of spans without bodies ends early, too', async () => {
        const projectId = randomUUID()
        const statusMessage = 'x'.repeat(limits.pageBytes.value * 0.4)
        await record(
          projectId,
          ['a', 'b', 'c'].map((id) => span(id, { statusMessage })),
        )
        const pages = await listPages(projectId, { limit: 10, bodies: false })
        expect(pages).toEqual([['a', 'b'], ['c']])
      })

      test.each([true, false])(
        'spans as JSON are in the form of the API, with bodies: %s',
        async (bodies) => {
          const projectId = randomUUID()
          const input = JSON.stringify('ü\u{1F600}'.repeat(10_000)) as JsonText
          const two = [span('a'), span('b', { body: { ...body, input } })]
          await record(projectId, [...two, span('c')])
          const page = await store.readSpansJson(projectId, 'trace', { limit: 2, bodies })
          const texts = two.map((each) => serializeSpan(each, bodies ? each.body : undefined))
          expect(Buffer.from(page!.json).toString()).toBe(`[${texts.join(',')}]`)
          const trace = await store.findTrace(projectId, 'trace')
          expect(page).toMatchObject({ trace, count: 2, next: expect.any(String) })
          const spanJson = await store.readSpanJson(projectId, 'trace', 'b')
          expect(Buffer.from(spanJson!).toString()).toBe(serializeSpan(two[1]!, two[1]!.body))
        },
      )

      test('a large JSON result is announced with its size before it is read, and may be refused', async () => {
        const projectId = randomUUID()
        const input = JSON.stringify('x'.repeat(3_000_000)) as JsonText
        await record(projectId, [span('large', { body: { ...body, input } })])
        await record(projectId, [span('small', { traceId: 'small' })])
        const sizes: number[] = []
        const announced = { onLargeRead: (bytes: number) => void sizes.push(bytes) }
        const refusal = new Error('too large')
        const refused = {
          onLargeRead() {
            throw refusal
          },
        }
        const query = { limit: 10, bodies: true }
        const reads = (traceId: string, options: ReadOptions) => [
          store.readSpanJson(projectId, traceId, traceId === 'small' ? 'small' : 'large', options),
          store.readSpansJson(projectId, traceId, query, options),
        ]
        await Promise.all(reads('small', refused))
        const rejected = { status: 'rejected', reason: refusal }
        expect(await Promise.allSettled(reads('trace', refused))).toEqual([rejected, rejected])
        for (const read of await Promise.all(reads('trace', announced))) expect(read).toBeDefined()
        expect(sizes).toHaveLength(2)
        for (const size of sizes) expect(Math.abs(size / input.length - 1)).toBeLessThan(0.01)
      })

      test('tool calls are read in order, in pages of the examined spans', async () => {
        const projectId = randomUUID()
        const kinds = ['agent', 'tool', 'llm', 'llm', 'mcp', 'agent', 'agent', 'tool']
        const spans = kinds.map((kind, n) => {
          // The model call 3 has no input.
          const input = (n === 3 ? 'null' : `{\n"n":${n}}`) as JsonText
          return span(`${n}`, { kind, startedAt: start + BigInt(n), body: { ...body, input } })
        })
        await record(projectId, spans)
        const pages: unknown[] = []
        let after: Position | undefined
        do {
          const query = { limit: 3, ...(after && { after }) }
          const page = await store.readToolCalls(projectId, 'trace', query)
          const text = Buffer.from(page.json).toString()
          expect(text).not.toContain('\n')
          const calls = JSON.parse(text) as { span_id: string; input: unknown }[]
          expect(calls).toHaveLength(page.count)
          for (const { span_id, input } of calls) expect(input).toEqual({ n: Number(span_id) })
          const ids = calls.map(({ span_id }) => span_id)
          pages.push([page.firstSpanId, page.modelCallId, ...ids])
          after = page.next
        } while (after !== undefined)
        expect(pages).toEqual([
          ['0', '2', '1'],
          ['3', undefined, '4'],
          ['6', undefined, '7'],
        ])
      })

      test('a page of tool calls ends early when they exceed the maximum', async () => {
        const projectId = randomUUID()
        const input = JSON.stringify('x'.repeat(limits.pageBytes.value * 0.4)) as JsonText
        const large = (id: string, kind: string) => span(id, { kind, body: { ...body, input } })
        for (const [id, kind] of Object.entries({ a: 'tool', b: 'llm', c: 'tool', d: 'tool' }))
          await record(projectId, [large(id, kind)])
        const first = await store.readToolCalls(projectId, 'trace', { limit: 10 })
        expect(first).toMatchObject({ count: 2, modelCallId: 'b' })
        const rest = { limit: 10, after: first.next! }
        const second = await store.readToolCalls(projectId, 'trace', rest)
        expect(second).toMatchObject({ count: 1, firstSpanId: 'd', next: undefined })
      })

      test('a trace moves in the list when an earlier span of it arrives', async () => {
        const projectId = randomUUID()
        const inTrace = (traceId: string, startedAt: bigint, spanId = 'a') =>
          span(spanId, { traceId, startedAt })
        await record(projectId, [inTrace('x', start), inTrace('y', start + 1n)])
        expect(idsOf(await everyTrace(projectId))).toEqual(['y', 'x'])
        await record(projectId, [inTrace('y', start - 1n, 'b')])
        expect(idsOf(await everyTrace(projectId))).toEqual(['x', 'y'])
      })
    })

    describe('filters', () => {
      const traces: readonly (readonly [Span, TraceLabels | null])[] = [
        [span('a', { status: 'ERROR', environment: 'prod', service: 'shop' }), null],
        [span('a', { sessionId: 's1', userId: 'u1', name: '100% sure' }), null],
        [span('a', { sessionId: 's1', environment: 'prod', status: 'ERROR' }), null],
        [span('a', { userId: 'u1', name: '1000 sure' }), labels({ mode: 'simulation' })],
        [span('a', { service: 'shop' }), labels({ rootName: 'Check_Out' })],
        [
          span('a', { name: 'checkXout', userId: 'u1', status: 'ERROR' }),
          labels({ sessionId: 's1' }),
        ],
        [span('a', { name: 'back\\slash' }), labels({ environment: 'prod', userId: 'u2' })],
        [
          span('a', { service: 'shop', environment: '' }),
          labels({ mode: 'simulation', userId: 'u1' }),
        ],
      ]
      const sourceOf = (i: number) => (i % 3 === 0 ? 'otlp' : 'json')
      let projectId: string
      let all: readonly Trace[]

      beforeAll(async () => {
        projectId = randomUUID()
        for (const [i, [only, said]] of traces.entries()) {
          // Pairs with equal start times.
          const startedAt = start + BigInt(i >> 1)
          const spans = [{ ...only, traceId: String(i), startedAt, endedAt: startedAt }]
          await record(projectId, spans, {
            source: sourceOf(i),
            ...(said === null ? {} : { labels: said }),
          })
        }
        all = await everyTrace(projectId)
        expect(all.length).toBe(traces.length)
      })

      const filterOf = {
        status: fc.constantFrom('OK' as const, 'ERROR' as const),
        mode: fc.constantFrom('live' as const, 'simulation' as const),
        environment: fc.constantFrom('prod', '', 'none'),
        source: fc.constantFrom('json' as const, 'otlp' as const),
        name: fc.constantFrom('CHECK', 'check_', '0%', '%', '_', 'k\\s', '\\', 'sure', 'n', ''),
        service: fc.constantFrom('shop', 'Shop'),
        sessionId: fc.constantFrom('s1', 's2'),
        userId: fc.constantFrom('u1', 'u2'),
        from: fc.bigInt({ min: start - 1n, max: start + 4n }),
        to: fc.bigInt({ min: start - 1n, max: start + 4n }),
      }
      const namesOf = ({ rootName, traceId }: Trace) => [rootName, traces[Number(traceId)]![0].name]
      const matches = (trace: Trace, { name: part, from, to, ...equal }: TraceFilters) =>
        Object.entries(equal).every(([key, value]) => trace[key as keyof Trace] === value) &&
        (part === undefined ||
          namesOf(trace).some((name) => name.toLowerCase().includes(part.toLowerCase()))) &&
        (from === undefined || trace.startedAt >= from) &&
        (to === undefined || trace.startedAt < to)

      test.each(Object.keys(filterOf) as (keyof typeof filterOf)[])('by %s alone', async (key) => {
        await fc.assert(
          fc.asyncProperty(filterOf[key], async (value) => {
            const filters = { [key]: value }
            expect(await everyTrace(projectId, filters)).toEqual(
              all.filter((trace) => matches(trace, filters)),
            )
          }),
          { numRuns: 20 },
        )
      })

      test('in any combination, page by page, without a total', async () => {
        const combined = fc.record(filterOf, { requiredKeys: [] })
        await fc.assert(
          fc.asyncProperty(combined, fc.integer({ min: 1, max: 3 }), async (filters, limit) => {
            const seen: Trace[] = []
            let page = await store.listTraces(projectId, { limit, filters })
            for (;;) {
              const isFiltered = Object.keys(filters).length > 0
              if (isFiltered) expect(page.total).toBeNull()
              else if (!page.isTotalEstimate) expect(page.total).toBe(traces.length)
              seen.push(...page.traces)
              if (page.next === undefined) break
              page = await store.listTraces(projectId, { limit, filters, after: page.next })
            }
            expect(seen).toEqual(all.filter((trace) => matches(trace, filters)))
          }),
          { numRuns: 60 },
        )
      })

      test.each<[string, TraceFilters, Partial<Span>, TraceLabels | null]>([
        ['status', { status: 'ERROR' }, { status: 'ERROR' }, null],
        ['session', { sessionId: 'new' }, { sessionId: 'new' }, null],
        ['user', { userId: 'new' }, { userId: 'new' }, null],
        ['service', { service: 'new' }, { service: 'new' }, null],
        ['name', { name: 'new' }, { name: 'new' }, null],
        ['mode', { mode: 'simulation' }, {}, labels({ mode: 'simulation' })],
        ['environment', { environment: 'new' }, {}, labels({ environment: 'new' })],
      ])('follow a change of the %s of a trace', async (_what, filters, change, given) => {
        const changing = randomUUID()
        await record(changing, [span('a')])
        expect(await everyTrace(changing, filters)).toEqual([])
        await record(changing, [span('a', change)], given === null ? {} : { labels: given })
        expect((await everyTrace(changing, filters)).length).toBe(1)
        const others = labels({ mode: 'live', environment: 'old' })
        await record(changing, [span('a')], { labels: others })
        expect(await everyTrace(changing, filters)).toEqual([])
      })
    })

    describe('filters by contents', () => {
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
        // Pairs with equal start times.
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
        traceIdPrefix: fc.constantFrom('1', '12', '3', '39', '390', '%', '_'),
        from: fc.bigInt({ min: start, max: start + 20n }),
        to: fc.bigInt({ min: start, max: start + 20n }),
      }
      const isInRange = ({ startedAt }: Trace, { from, to }: TraceFilters) =>
        (from === undefined || startedAt >= from) && (to === undefined || startedAt < to)
      const matches = (trace: Trace, filters: TraceFilters) => {
        const { tags = [], model, kind, name: part, traceIdPrefix = '' } = filters
        return (
          isInRange(trace, filters) &&
          tags.every((tag) => trace.tags.includes(tag)) &&
          (model === undefined || trace.models.includes(model)) &&
          (kind === undefined || kindsOf(trace).some((own) => own === kind)) &&
          (part === undefined || kindsOf(trace).some((own) => isPart(part, `do ${own}`))) &&
          (trace.costUsd ?? -1) >= (filters.minCostUsd ?? -1) &&
          trace.durationMs >= (filters.minDurationMs ?? 0) &&
          trace.tokensIn + trace.tokensOut >= (filters.minTokens ?? 0) &&
          trace.traceId.startsWith(traceIdPrefix)
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

      test.each<TraceFilters>([{ kind: 'tool', name: 'RUN' }, { traceIdPrefix: 't' }])(
        'page by page when thousands of traces match %j',
        async (filters) => {
          const common = randomUUID()
          const spans = Array.from({ length: 2500 }, (_, i) =>
            span('a', { traceId: `t${i}`, kind: 'tool', startedAt: start + BigInt(i >> 2) }),
          )
          await record(common, spans)
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
        },
      )

      test.each<[string, TraceFilters, Partial<Span>, TraceLabels | null]>([
        ['model', { model: 'new' }, { model: 'new' }, null],
        ['kind', { kind: 'new' }, { kind: 'new' }, null],
        ['name', { name: 'new' }, { name: 'new' }, null],
        ['tag', { tags: ['new'] }, {}, labels({ tags: ['old', 'new'] })],
        ['cost', { minCostUsd: 2 }, { costUsd: 2 }, null],
        ['duration', { minDurationMs: 60_000 }, { endedAt: start + 60_000_000_000n }, null],
        ['tokens', { minTokens: 9 }, { tokensOut: 9 }, null],
      ])('follow a change of the %s or start of a trace', async (_what, filters, change, said) => {
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

      test('find a part of a name ignoring the case of any letter', async () => {
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

      test('never return traces of another project', async () => {
        const mine = randomUUID()
        await record(mine, [span('a', { kind: 'llm', model: 'm1' })])
        const found = await everyTrace(mine, { kind: 'llm', model: 'm1', name: 'run' })
        expect(found.map((trace) => trace.projectId)).toEqual([mine])
        expect(await everyTrace(randomUUID(), { kind: 'llm' })).toEqual([])
      })
    })

    describe('the scan limit', () => {
      const count = 6000
      const projectId = randomUUID()
      beforeAll(async () => {
        const spans = Array.from({ length: count }, (_, i) =>
          span('a', {
            traceId: `t${i}`,
            // Many start together.
            startedAt: start + BigInt(Math.floor(i / 100)),
            environment: i % 2000 === 7 ? 'rare' : 'common',
            sessionId: 's',
            model: 'm',
            status: 'ERROR',
          }),
        )
        await record(projectId, spans)
        while (store.searchLagMs() > 0) await new Promise((resolve) => setTimeout(resolve, 10))
      })

      test.each<[string, TraceFilters]>([
        ['of the newest', {}],
        ['in error', { status: 'ERROR' }],
        ['of a session', { sessionId: 's' }],
        ['of a model', { model: 'm' }],
        ['found by words', { search: 'run' }],
        ['found by words and model', { search: 'run', model: 'm' }],
      ])(
        'may end pages of traces %s early, and paging still returns each once',
        async (_of, more) => {
          const filters = { ...more, environment: 'rare' }
          const all = await everyTrace(projectId, filters)
          expect(idsOf(all)).toEqual(['t4007', 't2007', 't7'])
          const seen: Trace[] = []
          for (let after: Position | undefined; ; ) {
            const query = { limit: 2, filters, scanLimit: 300, ...(after && { after }) }
            const page = await store.listTraces(projectId, query)
            seen.push(...page.traces)
            if (page.coverageStart !== undefined) {
              const covered = all.filter(({ startedAt }) => startedAt >= page.coverageStart!)
              expect(seen).toEqual(expect.arrayContaining(covered))
            }
            after = page.next
            if (after === undefined) break
          }
          expect(seen).toEqual(all)
        },
      )

      test('does not end a page that is full', async () => {
        const query = { limit: 2, filters: { environment: 'common' }, scanLimit: 300 }
        const page = await store.listTraces(projectId, query)
        expect(page.traces).toHaveLength(2)
        expect(page.coverageStart).toBeUndefined()
      })
    })
  })
}

function isPart(part: string, whole: string): boolean {
  return whole.toLowerCase().includes(part.toLowerCase())
}
