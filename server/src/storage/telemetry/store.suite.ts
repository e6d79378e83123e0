import { randomBytes, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compareIds } from '../../domain/id-order.ts'
import type { JsonText } from '../../domain/json-text.ts'
import type { Span, Trace, TraceLabels } from '../../domain/span.ts'
import { Unavailable } from '../../platform/failure.ts'
import {
  anyBody,
  anySpan,
  body,
  byStart,
  computed,
  idAsSpan,
  labels,
  span,
  start,
  stored,
} from './store.samples.ts'
import type { Recording, StoredSpan, TelemetryStore, TraceFilters } from './store.ts'

/*
 * What every telemetry store promises (the page at the head of store.ts), as tests. Tests keep apart by making
 * projects of their own, as production does, so that one store serves them all.
 */

/** Runs the promises against stores that `open` makes: each empty, each on its own. */
export function describeTelemetryStore(name: string, open: () => Promise<TelemetryStore>): void {
  describe(name, () => {
    let store: TelemetryStore
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())

    const record = (projectId: string, spans: readonly Span[], rest: Partial<Recording> = {}) =>
      store.record({ projectId, source: 'json', spans: store.encode(spans), ...rest })

    const everySpan = async (projectId: string, traceId: string): Promise<readonly StoredSpan[]> =>
      (await store.listSpans(projectId, traceId, { limit: 10_000, bodies: true }))?.spans ?? []

    const everyTrace = async (projectId: string, filters: TraceFilters = {}) =>
      (await store.listTraces(projectId, { limit: 1000, filters })).traces

    const idsOf = (traces: readonly Trace[]) => traces.map(({ traceId }) => traceId)

    describe('a recorded batch', () => {
      test('is seen whole by the next read of every kind', async () => {
        const projectId = randomUUID()
        const spans = [
          span('a', { kind: 'llm', model: 'm', tokensIn: 3, tokensOut: 4, costUsd: 0.5 }),
          span('b', { parentSpanId: 'a', status: 'ERROR', endedAt: start + 9n, name: 'second' }),
        ]
        const recorded = await record(projectId, spans)
        expect(recorded).toEqual({
          traces: [{ traceId: 'trace', spanCount: 2, status: 'ERROR' }],
          repeated: false,
          note: '',
        })
        const trace = await store.findTrace(projectId, 'trace')
        expect(trace).toMatchObject({ ...computed(spans), traceId: 'trace', projectId })
        expect(await store.findTraces(projectId, ['trace', 'none'])).toEqual([trace])
        expect(await store.listTraces(projectId, { limit: 5, filters: {} })).toEqual({
          traces: [trace],
          next: undefined,
          total: 1,
        })
        expect(await store.listSpans(projectId, 'trace', { limit: 5, bodies: true })).toEqual({
          trace,
          spans: spans.map(stored),
          next: undefined,
        })
        expect(await store.findSpan(projectId, 'trace', 'b')).toEqual(stored(spans[1]!))
      })

      test('may hold many traces, and tells what became of each', async () => {
        const projectId = randomUUID()
        const spans = ['x', 'y', 'x', 'z'].map((traceId, i) => span(String(i), { traceId }))
        const { traces } = await record(projectId, spans)
        expect(traces.toSorted((a, b) => compareIds(a.traceId, b.traceId))).toEqual([
          { traceId: 'x', spanCount: 2, status: 'OK' },
          { traceId: 'y', spanCount: 1, status: 'OK' },
          { traceId: 'z', spanCount: 1, status: 'OK' },
        ])
        expect((await everyTrace(projectId)).length).toBe(3)
      })

      test('that cannot be kept leaves nothing, and neither hinders nor takes along the others', async () => {
        const projectId = randomUUID()
        const idempotency = { key: 'key', note: '' }
        const impossible = span('b', { startedAt: 2n ** 80n, endedAt: 2n ** 80n })
        const outcomes = await Promise.allSettled([
          record(projectId, [span('a'), span('a', { traceId: 'other' }), impossible], {
            idempotency,
          }),
          record(projectId, [span('before')]),
          record(projectId, [impossible]),
          record(projectId, [span('after')]),
        ])
        const accepted = outcomes.map(({ status }) => status === 'fulfilled')
        expect(accepted).toEqual([false, true, false, true])
        expect(idsOf(await everyTrace(projectId))).toEqual(['trace'])
        expect((await everySpan(projectId, 'trace')).map(({ spanId }) => spanId)).toEqual([
          'after',
          'before',
        ])
        expect((await record(projectId, [span('c')], { idempotency })).repeated).toBe(false)
      })

      test('keeps every member of every span, whatever its value', async () => {
        const projectId = randomUUID()
        let count = 0
        await fc.assert(
          fc.asyncProperty(fc.array(anySpan, { minLength: 1, maxLength: 5 }), async (spans) => {
            const traceId = `trace ${count++}`
            const distinct = spans.map((each, i) => ({ ...each, traceId, spanId: `span ${i}` }))
            await record(projectId, distinct)
            const sorted = distinct.toSorted(byStart)
            expect(await everySpan(projectId, traceId)).toEqual(sorted.map(stored))
            expect(await store.findTrace(projectId, traceId)).toMatchObject(computed(distinct))
          }),
          { numRuns: 25 },
        )
      })
    })

    describe('tenancy', () => {
      test('the same ids in two projects are two traces, and neither is touched by the other', async () => {
        const [mine, theirs] = [randomUUID(), randomUUID()]
        await record(mine, [span('a', { name: 'mine' }), span('b')])
        const before = await store.findTrace(mine, 'trace')
        await record(theirs, [span('a', { name: 'theirs', status: 'ERROR' }), span('c')])

        expect(await store.findTrace(mine, 'trace')).toEqual(before)
        expect((await store.findSpan(mine, 'trace', 'a'))?.name).toBe('mine')
        expect(await store.findSpan(mine, 'trace', 'c')).toBeUndefined()
        expect((await everySpan(mine, 'trace')).map(({ spanId }) => spanId)).toEqual(['a', 'b'])
        expect((await store.findSpan(theirs, 'trace', 'a'))?.name).toBe('theirs')
        expect(await store.findTraces(mine, ['trace'])).toEqual([before])
        expect(await store.listTraces(mine, { limit: 9, filters: {} })).toEqual({
          traces: [before],
          next: undefined,
          total: 1,
        })
        expect(await everyTrace(mine, { status: 'ERROR' })).toEqual([])
      })

      test('a receipt holds in its own project only', async () => {
        const [mine, theirs] = [randomUUID(), randomUUID()]
        const idempotency = { key: 'key', note: 'mine' }
        await record(mine, [span('a')], { idempotency })
        const recorded = await record(theirs, [span('b')], {
          idempotency: { key: 'key', note: 'theirs' },
        })
        expect(recorded).toMatchObject({ repeated: false, note: 'theirs' })
        expect(await store.findSpan(theirs, 'trace', 'b')).toBeDefined()
      })

      test('what is not there is undefined or empty', async () => {
        const [mine, empty] = [randomUUID(), randomUUID()]
        await record(mine, [span('a')])
        for (const projectId of [empty, 'no such project', '']) {
          expect(await store.findTrace(projectId, 'trace')).toBeUndefined()
          expect(await store.findTraces(projectId, ['trace'])).toEqual([])
          expect(
            await store.listSpans(projectId, 'trace', { limit: 1, bodies: true }),
          ).toBeUndefined()
          expect(await store.findSpan(projectId, 'trace', 'a')).toBeUndefined()
          expect(await store.listTraces(projectId, { limit: 1, filters: {} })).toEqual({
            traces: [],
            next: undefined,
            total: 0,
          })
        }
        expect(await store.findSpan(mine, 'trace', 'none')).toBeUndefined()
        expect(await store.findTraces(mine, [])).toEqual([])
      })
    })

    describe('identity', () => {
      test('a span recorded again replaces itself, body and totals included', async () => {
        const projectId = randomUUID()
        const first = span('a', { tokensIn: 5, status: 'ERROR', costUsd: 1, model: 'old' })
        const second = span('a', {
          tokensIn: 7,
          startedAt: start - 5n,
          name: 'again',
          body: { ...body, input: '"new"' as JsonText },
        })
        await record(projectId, [first, span('b')])
        await record(projectId, [second])
        expect(await everySpan(projectId, 'trace')).toEqual([stored(second), stored(span('b'))])
        expect(await store.findTrace(projectId, 'trace')).toMatchObject(
          computed([second, span('b')]),
        )
      })

      test('of two spans with one id in a batch the later is kept', async () => {
        const projectId = randomUUID()
        const later = span('a', { name: 'later', body: { ...body, output: '2' as JsonText } })
        const { traces } = await record(projectId, [
          span('a', { name: 'earlier' }),
          span('b'),
          later,
        ])
        expect(traces).toEqual([{ traceId: 'trace', spanCount: 2, status: 'OK' }])
        expect(await store.findSpan(projectId, 'trace', 'a')).toEqual(stored(later))
      })

      test.each([
        ['quotes', `'"\`;--`],
        ['patterns', '%_\\*?[a]'],
        ['spaces at the ends', ' a\t\n'],
        ['case', 'A'],
        ['emoji', '\u{1F9EA}\u200d\u{1F525}'],
        ['128 characters', '\u{1F600}'.repeat(64)],
        ['what looks like a number', '007'],
      ])('ids with %s are ids like any other', async (_what, id) => {
        const projectId = randomUUID()
        await record(projectId, [span(id, { traceId: id }), span('a', { traceId: 'a' })])
        await record(projectId, [span(id, { traceId: id, name: 'again' })])
        expect(await everySpan(projectId, id)).toEqual([stored(span(id, { name: 'again' }))])
        expect(idsOf(await store.findTraces(projectId, [id]))).toEqual([id])
        expect((await store.findSpan(projectId, id, id))?.name).toBe('again')
        expect(await store.findTrace(projectId, id)).toMatchObject({ traceId: id, spanCount: 1 })
      })

      test('batches split, shuffled and repeated in any way end in the same traces', async () => {
        const parts = fc.record({
          spans: fc.uniqueArray(fc.tuple(fc.constantFrom('t', 'u'), fc.nat(9), anySpan), {
            minLength: 1,
            maxLength: 12,
            selector: ([traceId, spanId]) => `${traceId} ${spanId}`,
          }),
          cuts: fc.array(fc.nat(11), { maxLength: 3 }),
          order: fc.array(fc.nat(100), { minLength: 2, maxLength: 6 }),
          together: fc.boolean(),
        })
        await fc.assert(
          fc.asyncProperty(parts, async ({ spans: drawn, cuts, order, together }) => {
            const projectId = randomUUID()
            const spans = drawn.map(([traceId, id, each]) => {
              const parent = each.parentSpanId === null ? null : String(each.name.length % 10)
              return { ...each, traceId, spanId: String(id), parentSpanId: parent }
            })
            const edges = [0, ...cuts.toSorted((a, b) => a - b), spans.length]
            const pieces = edges
              .map((edge, i) => spans.slice(edge, edges[i + 1]))
              .filter(({ length }) => length > 0)
            const repeats = order.map((at) => pieces[at % pieces.length]!)
            const sending = [...repeats, ...pieces]
            if (together) await Promise.all(sending.map((piece) => record(projectId, piece)))
            else for (const piece of sending) await record(projectId, piece)

            for (const traceId of ['t', 'u']) {
              const own = spans.filter((each) => each.traceId === traceId)
              expect(await everySpan(projectId, traceId)).toEqual(own.toSorted(byStart).map(stored))
              const trace = await store.findTrace(projectId, traceId)
              if (own.length === 0) expect(trace).toBeUndefined()
              else expect(trace).toMatchObject(computed(own))
            }
          }),
          { numRuns: 20 },
        )
      })
    })

    describe('labels', () => {
      test('the newest batch that carries labels wins, absent members included', async () => {
        const projectId = randomUUID()
        await record(projectId, [span('a', { environment: 'of span' })], {
          labels: labels({ rootName: 'first', environment: 'one', tags: ['x'], userId: 'u' }),
        })
        await record(projectId, [span('b')], {
          labels: labels({ mode: 'simulation', tags: ['y', 'z'], sessionId: 's' }),
        })
        expect(await store.findTrace(projectId, 'trace')).toMatchObject({
          rootName: 'run',
          environment: 'of span',
          mode: 'simulation',
          tags: ['y', 'z'],
          sessionId: 's',
          userId: null,
        })
      })

      test('a batch without labels leaves them as they are', async () => {
        const projectId = randomUUID()
        const said = labels({ rootName: 'told', mode: 'simulation', tags: ['"\u{1F600}"'] })
        await record(projectId, [span('a')], { labels: said })
        await record(projectId, [span('b', { startedAt: start - 9n })], { source: 'otlp' })
        expect(await store.findTrace(projectId, 'trace')).toMatchObject({
          ...computed([span('a'), span('b', { startedAt: start - 9n })], said),
          source: 'otlp',
        })
      })
    })

    describe('receipts', () => {
      test('a repeated key answers as the first time and keeps nothing of the second batch', async () => {
        const projectId = randomUUID()
        const first = await record(projectId, [span('a', { status: 'ERROR' })], {
          idempotency: { key: 'key', note: 'first' },
        })
        await record(projectId, [span('b')])
        const again = await record(projectId, [span('c'), span('d', { traceId: 'other' })], {
          idempotency: { key: 'key', note: 'second' },
          labels: labels({ rootName: 'not kept' }),
        })
        expect(again).toEqual({ ...first, repeated: true })
        expect(again.traces).toEqual([{ traceId: 'trace', spanCount: 1, status: 'ERROR' }])
        expect((await everySpan(projectId, 'trace')).map(({ spanId }) => spanId)).toEqual([
          'a',
          'b',
        ])
        expect(await store.findTrace(projectId, 'other')).toBeUndefined()
        expect(await store.findTrace(projectId, 'trace')).toMatchObject({ rootName: 'run' })
      })

      test('of fifty at the same time one is kept, and all are answered alike', async () => {
        const projectId = randomUUID()
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, i) =>
            record(projectId, [span(`span ${i}`)], {
              idempotency: { key: 'key', note: `note ${i}` },
            }),
          ),
        )
        const accepted = answers.filter(({ repeated }) => !repeated)
        expect(accepted.length).toBe(1)
        for (const answer of answers) {
          expect({ ...answer, repeated: false }).toEqual(accepted[0])
        }
        const [only, ...others] = await everySpan(projectId, 'trace')
        expect(others).toEqual([])
        expect(accepted[0]?.note).toBe(only?.spanId.replace('span', 'note'))
      })
    })

    describe('bodies', () => {
      test('come back byte for byte', async () => {
        const projectId = randomUUID()
        let count = 0
        await fc.assert(
          fc.asyncProperty(fc.array(anyBody, { minLength: 1, maxLength: 6 }), async (bodies) => {
            const traceId = `trace ${count++}`
            const spans = bodies.map((each, i) => span(String(i), { traceId, body: each }))
            await record(projectId, spans)
            const found = await everySpan(projectId, traceId)
            expect(found.map((each) => each.body)).toEqual(bodies)
            const one = await store.findSpan(projectId, traceId, '0')
            expect(one?.body).toEqual(bodies[0])
          }),
          { numRuns: 25 },
        )
      })

      test('of any size are kept', async () => {
        const projectId = randomUUID()
        const text = (length: number) =>
          JSON.stringify('\u00e9\u{1F600}x'.repeat(length)) as JsonText
        const spans = [10, 5_000, 20_000, 40_000, 3, 200_000, 1_000].map((length, i) =>
          span(String(i), { body: { ...body, input: text(length) } }),
        )
        await record(projectId, spans)
        const found = await everySpan(projectId, 'trace')
        expect(
          found.map((each) => each.body?.input === spans[Number(each.spanId)]?.body.input),
        ).toEqual(spans.map(() => true))
      })

      test('are left out where they are not asked for', async () => {
        const projectId = randomUUID()
        await record(projectId, [span('a')])
        const page = await store.listSpans(projectId, 'trace', { limit: 1, bodies: false })
        expect(page?.spans[0]).toEqual({ ...stored(span('a')), body: undefined })
      })
    })

    describe('order and pages', () => {
      // Ids whose order differs by UTF-16 units, by case, and by length.
      const ids = ['a', 'B', 'aa', '\uFB01', '\u{1F600}', 'z'.repeat(100), '%', '0', '10', '9']

      test('traces come newest first to the nanosecond, then by the bytes of their ids, descending', async () => {
        const projectId = randomUUID()
        const spans = ids.map((traceId, i) =>
          span('a', { traceId, startedAt: start + BigInt(i % 3) }),
        )
        await record(projectId, spans)
        const expected = spans.toSorted((a, b) => -byStart(idAsSpan(a), idAsSpan(b)))
        expect(idsOf(await everyTrace(projectId))).toEqual(expected.map(({ traceId }) => traceId))
      })

      test('spans come oldest first to the nanosecond, then by the bytes of their ids', async () => {
        const projectId = randomUUID()
        const spans = ids.map((id, i) => span(id, { startedAt: start + BigInt(i % 3) }))
        await record(projectId, spans)
        expect(await everySpan(projectId, 'trace')).toEqual(spans.toSorted(byStart).map(stored))
      })

      test('paging through traces shows what was there all along once, whatever arrives meanwhile', async () => {
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

      test('paging through spans shows each once, in order, also those that start together', async () => {
        const projectId = randomUUID()
        const spans = Array.from({ length: 23 }, (_, i) =>
          span(`${(i * 7) % 23}`, { startedAt: start + BigInt(i % 3) }),
        )
        await record(projectId, spans)
        for (const limit of [1, 4, 22, 23, 24]) {
          const seen: StoredSpan[] = []
          let page = await store.listSpans(projectId, 'trace', { limit, bodies: true })
          while (page !== undefined) {
            seen.push(...page.spans)
            if (page.next === undefined) break
            expect(page.spans.length).toBe(limit)
            const query = { limit, bodies: true, after: page.next }
            page = await store.listSpans(projectId, 'trace', query)
          }
          expect(seen).toEqual(spans.toSorted(byStart).map(stored))
        }
      })

      test('a page of spans ends early where the bodies are too many for one answer', async () => {
        const projectId = randomUUID()
        const mib = 1024 * 1024
        const large = JSON.stringify('x'.repeat(20 * mib)) as JsonText
        const spans = ['a', 'b', 'c', 'd', 'e'].map((id) =>
          span(id, { body: { ...body, input: large } }),
        )
        for (const each of spans) await record(projectId, [each])
        const first = await store.listSpans(projectId, 'trace', { limit: 10, bodies: true })
        expect(first?.spans.map(({ spanId }) => spanId)).toEqual(['a', 'b', 'c'])
        const query = { limit: 10, bodies: true, after: first!.next! }
        const second = await store.listSpans(projectId, 'trace', query)
        expect(second?.spans.map(({ spanId }) => spanId)).toEqual(['d', 'e'])
        expect(second?.next).toBeUndefined()
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
          // Two and two start together.
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

      test('in any combination, page by page; the whole is not counted then', async () => {
        const combined = fc.record(filterOf, { requiredKeys: [] })
        await fc.assert(
          fc.asyncProperty(combined, fc.integer({ min: 1, max: 3 }), async (filters, limit) => {
            const seen: Trace[] = []
            let page = await store.listTraces(projectId, { limit, filters })
            for (;;) {
              const isFiltered = Object.keys(filters).length > 0
              expect(page.total).toBe(isFiltered ? null : traces.length)
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
      ])('follow a trace whose %s changes', async (_what, filters, change, said) => {
        const changing = randomUUID()
        await record(changing, [span('a')])
        expect(await everyTrace(changing, filters)).toEqual([])
        await record(changing, [span('a', change)], said === null ? {} : { labels: said })
        expect((await everyTrace(changing, filters)).length).toBe(1)
        await record(changing, [span('a')], { labels: labels({}) })
        expect(await everyTrace(changing, filters)).toEqual([])
      })
    })

    describe('listeners', () => {
      test('are told of what can be read by then, and of nothing else', async () => {
        const projectId = randomUUID()
        const told: string[] = []
        const reading: Promise<unknown>[] = []
        const end = store.onRecorded((change) => {
          if (change.projectId !== projectId) return
          told.push(...change.traceIds)
          reading.push(...change.traceIds.map((id) => store.findTrace(projectId, id)))
        })
        const idempotency = { key: 'key', note: '' }
        await record(projectId, [span('a'), span('a', { traceId: 'other' })], { idempotency })
        await record(projectId, [span('b')], { idempotency })
        await record(projectId, [span('c', { startedAt: 2n ** 80n })]).catch(() => undefined)
        await record(randomUUID(), [span('d')])
        end()
        await record(projectId, [span('e', { traceId: 'unheard' })])
        expect(told.toSorted()).toEqual(['other', 'trace'])
        expect(await Promise.all(reading)).not.toContain(undefined)
      })
    })

    describe('load and end', () => {
      test('beyond its budget of waiting bytes it refuses at once, keeps nothing of it, and recovers', async () => {
        const projectId = randomUUID()
        const large = (traceId: string) => ({
          ...store.encode([span('a', { traceId })]),
          sizeBytes: 200 * 1024 * 1024,
        })
        const recordings = ['x', 'y', 'z'].map((traceId) => ({
          projectId,
          source: 'json' as const,
          spans: large(traceId),
        }))
        const outcomes = await Promise.allSettled(recordings.map((each) => store.record(each)))
        const refused = outcomes.flatMap((each) =>
          each.status === 'rejected' ? [each.reason] : [],
        )
        expect(refused.length).toBe(2)
        for (const reason of refused) expect(reason).toBeInstanceOf(Unavailable)
        expect(idsOf(await everyTrace(projectId))).toEqual(['x'])
        await record(projectId, [span('a', { traceId: 'later' })])
        expect((await everyTrace(projectId)).length).toBe(2)
      })

      test('closing answers what is under way, and refuses what comes after', async () => {
        const closing = await open()
        const long = JSON.stringify(randomBytes(50_000).toString('base64')) as JsonText
        const one = (spanId: string) => ({
          projectId: 'p',
          source: 'json' as const,
          spans: closing.encode([span(spanId, { body: { ...body, input: long } })]),
        })
        // Long enough under way for the end to come in between.
        const underWay = Array.from({ length: 100 }, (_, i) => closing.record(one(String(i))))
        const read = closing.findTrace('p', 'trace')
        await closing.close()
        expect((await Promise.all(underWay)).length).toBe(100)
        await read
        await expect(closing.record(one('c'))).rejects.toThrow()
        await expect(closing.findTrace('p', 'trace')).rejects.toThrow()
        await expect(closing.listTraces('p', { limit: 1, filters: {} })).rejects.toThrow()
        await closing.close()
      })
    })
  })
}
