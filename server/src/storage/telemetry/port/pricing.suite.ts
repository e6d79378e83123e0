import { randomUUID } from 'node:crypto'
import { unpricedReasons } from '@assay/contract/traces.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noPrice, type Span, type SpanPrice } from '../../../domain/span.ts'
import type { Position } from './position.ts'
import type { PriceableSpan, SpanRepricing } from './pricing.ts'
import {
  anySpan,
  byStart,
  computed,
  idAsSpan,
  type OpenStore,
  readSpans,
  span,
  start,
  stored,
  storedTrace,
  watchIds,
} from './samples.ts'
import type { TelemetryStore } from './store.ts'

/*
 * What pricing.ts promises, as tests.
 */

const call = (spanId: string, rest: Partial<Span> = {}): Span =>
  span(spanId, { kind: 'llm', model: 'm', tokensIn: 3, tokensOut: 4, ...rest })

const costing = (usd: number): SpanPrice => ({
  computedCostUsd: usd,
  priceSource: 'list:somebody/m',
  priceDate: '2026-02-03',
  unpricedReason: null,
})

/** The span after it got that price. */
const priced = (from: Span, price: SpanPrice): Span => ({
  ...from,
  ...price,
  costUsd: price.computedCostUsd,
  costSource: price.computedCostUsd === null ? 'unknown' : 'priced',
})

const repricing = (
  { traceId, spanId, version }: PriceableSpan,
  price: SpanPrice,
): SpanRepricing => ({ traceId, spanId, version, price })

/** `open` returns a new, empty store. */
export function describePricing(open: OpenStore): void {
  describe('prices', () => {
    let store: TelemetryStore
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())

    const record = (projectId: string, spans: readonly Span[]) =>
      store.record({ projectId, source: 'json', spans: store.encode(spans) })

    const ever = { from: start - 1_000_000n, to: start + 1_000_000n }

    const everyPriceable = async (projectId: string, limit = 1000, range = ever) => {
      const spans: PriceableSpan[] = []
      let traceCount = 0
      for (let after: Position | undefined; ; ) {
        const page = await store.listPriceable(projectId, {
          range,
          limit,
          ...(after && { after }),
        })
        expect(page.spans.length).toBeLessThanOrEqual(limit)
        spans.push(...page.spans)
        traceCount += page.traceCount
        after = page.next
        if (after === undefined) return { spans, traceCount }
      }
    }
    const spansOf = (projectId: string, traceId = 'trace') => readSpans(store, projectId, traceId)

    describe('priceable spans', () => {
      test('are those with a model or tokens and no reported cost, with everything that pricing needs', async () => {
        const projectId = randomUUID()
        const whole = call('whole', {
          ...costing(0.5),
          provider: 'aws',
          serviceTier: 'flex',
          tokensCacheRead: 1,
          tokensCacheWrite: 2,
          tokensCacheWrite1h: 1,
          tokensReasoning: 3,
          costUsd: 0.5,
          costSource: 'priced',
        })
        const tokens = span('tokens', { tokensIn: 0, unpricedReason: 'no_model' })
        const model = span('model', { model: 'm' })
        const reported = call('reported', { costUsd: 1, costSource: 'reported' })
        await record(projectId, [whole, tokens, model, reported, span('plain')])
        await record(randomUUID(), [call('elsewhere')])

        const { spans, traceCount } = await everyPriceable(projectId)
        const facts = ({ spanId, costUsd, ...from }: Span) => ({
          traceId: 'trace',
          spanId,
          version: expect.any(String),
          costUsd,
          kind: from.kind,
          model: from.model,
          provider: from.provider,
          serviceTier: from.serviceTier,
          startedAt: from.startedAt,
          tokensIn: from.tokensIn,
          tokensOut: from.tokensOut,
          tokensCacheRead: from.tokensCacheRead,
          tokensCacheWrite: from.tokensCacheWrite,
          tokensCacheWrite1h: from.tokensCacheWrite1h,
          tokensReasoning: from.tokensReasoning,
          computedCostUsd: from.computedCostUsd,
          priceSource: from.priceSource,
          priceDate: from.priceDate,
          unpricedReason: from.unpricedReason,
        })
        const found = new Map(spans.map((each) => [each.spanId, each]))
        expect([...found.keys()].toSorted()).toEqual(['model', 'tokens', 'whole'])
        for (const each of [whole, tokens, model])
          expect(found.get(each.spanId)).toEqual(facts(each))
        expect(traceCount).toBe(1)
      })

      test('belong to traces that started in the range, each listed once, whatever the page size', async () => {
        const drawn = fc.array(fc.record({ at: fc.nat(6), calls: fc.nat(4), others: fc.nat(2) }), {
          minLength: 1,
          maxLength: 8,
        })
        const edges = fc.tuple(fc.nat(7), fc.nat(7))
        await fc.assert(
          fc.asyncProperty(
            drawn,
            edges,
            fc.integer({ min: 1, max: 4 }),
            async (shapes, [a, b], limit) => {
              const projectId = randomUUID()
              const traces = shapes.map(({ at, calls, others }, i) => ({
                traceId: `t${i}`,
                startedAt: start + BigInt(at),
                calls,
                others: calls === 0 ? others + 1 : others,
              }))
              await record(
                projectId,
                traces.flatMap(({ traceId, startedAt, calls, others }) => [
                  ...Array.from({ length: calls }, (_, i) => call(`c${i}`, { traceId, startedAt })),
                  ...Array.from({ length: others }, (_, i) =>
                    span(`o${i}`, { traceId, startedAt }),
                  ),
                ]),
              )
              const range = { from: start + BigInt(a), to: start + BigInt(b) }
              const inRange = traces
                .filter(({ startedAt }) => startedAt >= range.from && startedAt < range.to)
                .map((trace) => ({ ...span('x', trace), calls: trace.calls }))
                .toSorted((x, y) => byStart(idAsSpan(x), idAsSpan(y)))
              const expected = inRange.flatMap(({ traceId, calls }) =>
                Array.from({ length: calls }, (_, i) => `${traceId} c${i}`),
              )
              const found = await everyPriceable(projectId, limit, range)
              expect(found.spans.map(({ traceId, spanId }) => `${traceId} ${spanId}`)).toEqual(
                expected,
              )
              expect(found.traceCount).toBe(inRange.length)
              const counted = await store.countTraces(projectId, { range, scanLimit: limit })
              if (counted.isComplete) expect(counted.count).toBe(inRange.length)
              else expect(counted.count).toBeLessThan(inRange.length)
              expect(counted.count).toBeGreaterThanOrEqual(Math.min(limit, inRange.length))
            },
          ),
          { numRuns: 25 },
        )
      })
    })

    describe('re-pricing', () => {
      const listed = async (projectId: string, spanId: string) =>
        (await everyPriceable(projectId)).spans.find((each) => each.spanId === spanId)!

      test('changes the span, its trace and all stats', async () => {
        const projectId = randomUUID()
        const agent = span('agent', { costUsd: null })
        const first = priced(call('first', { parentSpanId: 'agent' }), costing(0.25))
        const second = call('second', { parentSpanId: 'agent', unpricedReason: 'unknown_model' })
        await record(projectId, [agent, first, second])
        const prices = [
          repricing(await listed(projectId, 'first'), costing(2)),
          repricing(await listed(projectId, 'second'), costing(0.5)),
        ]
        expect(await store.reprice(projectId, prices)).toHaveLength(2)

        const now = [agent, priced(first, costing(2)), priced(second, costing(0.5))]
        expect(await spansOf(projectId)).toEqual(now.map(stored))
        expect(await store.findTrace(projectId, 'trace')).toMatchObject(computed(now))
        const filters = { minCostUsd: 2.4 }
        expect((await store.listTraces(projectId, { limit: 2, filters })).traces).toHaveLength(1)
        const hour = 3_600_000_000_000n
        const from = start - (start % hour)
        const { byModel } = await store.readStats(projectId, {
          from,
          to: from + hour,
          ...{ bucketNanos: 3_600_000_000_000n, filters: {}, scanLimit: 0 },
        })
        expect(byModel).toMatchObject([
          { value: 'm', aggregates: { costUsd: 2.5, calls: 2, unpriced: 0 } },
        ])
      })

      test('changes nothing when repeated, and again after the span is listed again', async () => {
        const projectId = randomUUID()
        await record(projectId, [call('a')])
        const first = repricing(await listed(projectId, 'a'), costing(1))
        expect(await store.reprice(projectId, [first])).toHaveLength(1)
        expect(await store.reprice(projectId, [{ ...first, price: costing(5) }])).toHaveLength(0)
        expect(await spansOf(projectId)).toEqual([stored(priced(call('a'), costing(1)))])
        const second = repricing(await listed(projectId, 'a'), costing(2))
        expect(await store.reprice(projectId, [second, second])).toHaveLength(1)
        expect(await store.reprice(projectId, [first])).toHaveLength(0)
        expect(await spansOf(projectId)).toEqual([stored(priced(call('a'), costing(2)))])
      })

      test('may remove the price, with the reason', async () => {
        const projectId = randomUUID()
        const before = priced(call('a'), costing(1))
        await record(projectId, [before])
        const price: SpanPrice = { ...noPrice, unpricedReason: 'no_tier_price' }
        await store.reprice(projectId, [repricing(await listed(projectId, 'a'), price)])
        expect(await spansOf(projectId)).toEqual([stored(priced(before, price))])
        expect((await store.findTrace(projectId, 'trace'))?.costUsd).toBeNull()
      })

      test.each<[string, Partial<Span>]>([
        ['unchanged', {}],
        ['with another model', { model: 'other' }],
        ['with another price', { ...costing(3), costUsd: 3, costSource: 'priced' }],
        ['with a reported cost', { costUsd: 9, costSource: 'reported' }],
      ])('skips a span that was recorded again since, %s', async (_how, change) => {
        const projectId = randomUUID()
        await record(projectId, [call('a'), call('b')])
        const price = costing(7)
        const prices = [
          repricing(await listed(projectId, 'a'), price),
          repricing(await listed(projectId, 'b'), price),
        ]
        const again = call('a', change)
        await record(projectId, [again])
        expect(await store.reprice(projectId, prices)).toHaveLength(1)
        const now = [again, priced(call('b'), price)]
        expect(await spansOf(projectId)).toEqual(now.toSorted(byStart).map(stored))
        expect(await store.findTrace(projectId, 'trace')).toMatchObject(computed(now))
      })

      test('changes a span that was moved to another project, there only', async () => {
        const [from, to] = [randomUUID(), randomUUID()]
        await record(from, [call('a')])
        const prices = [repricing(await listed(from, 'a'), costing(7))]
        await store.moveTraces(to, from, ['trace'])
        expect(await store.reprice(from, prices)).toHaveLength(0)
        expect(await spansOf(to)).toEqual([stored(call('a'))])
        expect(
          await store.reprice(to, [repricing(await listed(to, 'a'), costing(7))]),
        ).toHaveLength(1)
        expect(await spansOf(to)).toEqual([stored(priced(call('a'), costing(7)))])
      })

      test('ignores spans that do not exist, and changes no other project', async () => {
        const [mine, theirs] = [randomUUID(), randomUUID()]
        await record(mine, [call('a')])
        await record(theirs, [call('a')])
        const own = repricing(await listed(mine, 'a'), costing(7))
        const absent = [
          { ...own, spanId: 'none' },
          { ...own, traceId: 'none' },
        ]
        expect(await store.reprice(mine, absent)).toHaveLength(0)
        expect(await store.reprice(randomUUID(), [own])).toHaveLength(0)
        expect(await store.reprice(mine, [own])).toHaveLength(1)
        expect(await spansOf(theirs)).toEqual([stored(call('a'))])
        expect(await store.findTrace(theirs, 'trace')).toMatchObject(computed([call('a')]))
        expect(await store.findTrace(mine, 'none')).toBeUndefined()
      })

      test('notifies the change feed', async () => {
        const projectId = randomUUID()
        await record(projectId, [call('a'), call('a', { traceId: 'other' })])
        const { spans } = await everyPriceable(projectId)
        const { reported, end } = watchIds(store, projectId)
        const one = spans.find(({ traceId }) => traceId === 'other')!
        await store.reprice(projectId, [repricing(one, costing(1))])
        await expect.poll(() => new Set(reported)).toEqual(new Set(['other']))
        end()
      })

      test('leaves traces that agree with their spans, for any spans and prices', async () => {
        const price = fc.record({
          computedCostUsd: fc.option(
            fc.double({ min: 0, max: 1e6, noNaN: true }).map((x) => x + 0),
          ),
          priceSource: fc.option(fc.string({ unit: 'grapheme' })),
          priceDate: fc.option(fc.string({ unit: 'grapheme' })),
          unpricedReason: fc.option(fc.constantFrom(...unpricedReasons)),
        })
        const drawn = fc.array(fc.tuple(anySpan, price), { minLength: 1, maxLength: 6 })
        await fc.assert(
          fc.asyncProperty(drawn, async (pairs) => {
            const projectId = randomUUID()
            const spans = pairs.map(([each], i) => ({ ...each, spanId: `span ${i}` }))
            await record(projectId, spans)
            const found = await everyPriceable(projectId)
            const prices = found.spans.map((each) =>
              repricing(each, pairs[Number(each.spanId.slice(5))]![1]),
            )
            await store.reprice(projectId, prices)
            const ids = new Set(found.spans.map(({ spanId }) => spanId))
            const now = spans.map((each, i) =>
              ids.has(each.spanId) ? priced(each, pairs[i]![1]) : each,
            )
            expect(await spansOf(projectId)).toEqual(storedTrace(now))
            expect(await store.findTrace(projectId, 'trace')).toMatchObject(computed(now))
          }),
          { numRuns: 25 },
        )
      })
    })

    test('calls of a model are counted as in the stats, for any spans', async () => {
      const hour = 3_600_000_000_000n
      const from = start - (start % hour)
      const everything = {
        from,
        to: from + 2n * hour,
        bucketNanos: hour,
        filters: {},
        scanLimit: 9,
      }
      const drawn = fc.array(fc.tuple(anySpan, fc.constantFrom(null, 'm', 'n')), {
        minLength: 1,
        maxLength: 6,
      })
      await fc.assert(
        fc.asyncProperty(drawn, async (pairs) => {
          const projectId = randomUUID()
          const spans = pairs.map(([each, model], i) => {
            const call = { model, provider: null, serviceTier: null }
            return { ...each, ...call, spanId: `span ${i}` }
          })
          await record(projectId, spans)
          const query = { range: ever, traceLimit: 9, limit: 9 }
          const { models } = await store.listModels(projectId, query)
          const { byModel } = await store.readStats(projectId, everything)
          const counted = models.map(({ model, spanCount, callCount, unpricedCount }) => [
            ...[model, spanCount, callCount, unpricedCount],
          ])
          const expected = byModel.map(({ value, aggregates: { count, calls, unpriced } }) => [
            ...[value, count, calls, unpriced],
          ])
          const hasCalls = ([, count]: readonly unknown[]) => count !== 0
          const inAnyOrder = expect.arrayContaining(expected.filter(hasCalls)) as unknown
          expect(counted.filter(hasCalls)).toEqual(inAnyOrder)
          expect(counted.filter(hasCalls)).toHaveLength(expected.filter(hasCalls).length)
        }),
        { numRuns: 50 },
      )
    })

    test('models are those of the newest traces in the range, ordered by unpriced spans', async () => {
      const projectId = randomUUID()
      const inTrace = (traceId: string, at: bigint, rest: Partial<Span>, id = 'a') =>
        call(id, { traceId, startedAt: start + at, ...rest })
      const known = { ...costing(2), costUsd: 2, costSource: 'priced' as const }
      const lost = { unpricedReason: 'unknown_model' as const }
      const reported = { costUsd: 5, costSource: 'reported' as const }
      const failed = { ...lost, status: 'ERROR' as const, tokensIn: 0, tokensOut: null }
      await record(projectId, [
        inTrace('old', 0n, { model: 'old', ...known }),
        inTrace('new', 1n, { model: 'good', ...known }),
        inTrace('new', 2n, { model: 'good', provider: 'p', serviceTier: 'flex' }, 'b'),
        inTrace('newer', 3n, { model: 'good', ...known }),
        inTrace('newer', 4n, { model: 'lost', ...lost }, 'b'),
        inTrace('newer', 5n, { model: null, ...lost }, 'c'),
        inTrace('newer', 6n, { model: 'reported', ...reported, computedCostUsd: 4 }, 'd'),
        inTrace('newer', 7n, { model: 'reported', ...reported }, 'e'),
        inTrace('newer', 8n, { model: 'reported', ...failed }, 'f'),
        inTrace('newest', 9n, { model: 'beyond' }),
      ])
      const range = { from: start, to: start + 9n }
      const none = { comparedCount: 0, reportedUsd: null, computedUsd: null }
      const one = { provider: null, serviceTier: null, unpricedCount: 0, costUsd: null, ...none }
      const expected = [
        {
          ...{ ...one, model: 'good', provider: 'p', serviceTier: 'flex' },
          ...{ spanCount: 1, callCount: 1, unpricedCount: 1, lastStartedAt: start + 2n },
        },
        {
          ...{ ...one, model: 'lost', spanCount: 1, callCount: 1, unpricedCount: 1 },
          lastStartedAt: start + 4n,
        },
        {
          ...{
            ...one,
            model: 'reported',
            spanCount: 3,
            callCount: 2,
            costUsd: 10,
            lastStartedAt: start + 8n,
          },
          ...{ comparedCount: 1, reportedUsd: 5, computedUsd: 4 },
        },
        {
          ...{ ...one, model: 'good', spanCount: 2, callCount: 2, costUsd: 4 },
          lastStartedAt: start + 3n,
        },
      ]
      const list = (traceLimit: number, limit: number) =>
        store.listModels(projectId, { range, traceLimit, limit })
      expect(await list(2, 9)).toEqual({ models: expected, traceCount: 2, isComplete: false })
      expect((await list(2, 1)).models).toEqual(expected.slice(0, 1))
      const all = await list(3, 9)
      expect(all).toMatchObject({ traceCount: 3, isComplete: true })
      expect(all.models.map(({ model }) => model).toSorted()).toEqual([
        'good',
        'good',
        'lost',
        'old',
        'reported',
      ])
      expect(await store.listModels(randomUUID(), { range, traceLimit: 1, limit: 1 })).toEqual({
        models: [],
        traceCount: 0,
        isComplete: true,
      })
    })
  })
}
