import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Span } from '../../../domain/span.ts'
import { buildSpanTree } from '../../../domain/span-tree.ts'
import { findCountedUsage } from '../../../domain/trace-totals.ts'
import { computed, type OpenStore, readSpans, span, start } from './samples.ts'
import type { TelemetryStore } from './store.ts'

/*
 * Calls that several instrumentations report (domain/repeated-calls.ts), as tests.
 */

const call = (spanId: string, sdk: string, rest: Partial<Span> = {}): Span =>
  span(spanId, {
    ...{ kind: 'llm', sdk, model: 'm', tokensIn: 3, tokensOut: 4, costUsd: 0.5 },
    ...{ costSource: 'reported', responseId: 'r' },
    ...rest,
  })

/** `open` returns a new, empty store. */
export function describeRepeatedCalls(open: OpenStore): void {
  describe('calls that several instrumentations report', () => {
    let store: TelemetryStore
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())

    const record = (projectId: string, ...spans: readonly Span[]) =>
      store.record({ projectId, source: 'json', spans: store.encode(spans) })

    const readRepeats = async (projectId: string) => {
      const spans = await readSpans(store, projectId, 'trace')
      return Object.fromEntries(spans.map(({ spanId, repeatsSpanId }) => [spanId, repeatsSpanId]))
    }
    const hour = 3_600_000_000_000n
    const from = start - (start % hour)
    const range = { from, to: from + hour }

    test('count once in the trace, the stats and the models, and name the span that counts', async () => {
      const projectId = randomUUID()
      await record(projectId, call('a', 'client'))
      await record(projectId, call('b', 'framework', { parentSpanId: 'lost' }))
      expect(await readRepeats(projectId)).toEqual({ a: null, b: 'a' })
      const once = { tokensIn: 3, tokensOut: 4, costUsd: 0.5 }
      expect(await store.findTrace(projectId, 'trace')).toMatchObject({ ...once, llmCallCount: 1 })
      // By rollups and by a scan.
      for (const bucketNanos of [hour, hour / 60n]) {
        const query = { from, to: from + hour, bucketNanos, filters: {}, scanLimit: 1000 }
        const { buckets, byModel } = await store.readStats(projectId, query)
        expect(buckets).toMatchObject([{ aggregates: { ...once, calls: 1 } }])
        expect(byModel).toMatchObject([{ value: 'm', aggregates: { ...once, count: 1 } }])
      }
      const { models } = await store.listModels(projectId, { range, traceLimit: 9, limit: 9 })
      expect(models).toMatchObject([{ model: 'm', callCount: 1, costUsd: 0.5 }])
    })

    test('count both in the trace, the stats and the models when one is within the other and their responses differ', async () => {
      const projectId = randomUUID()
      await record(projectId, call('outer', 'client', { tokensOut: 9, costUsd: 1 }))
      await record(
        projectId,
        call('inner', 'client', { parentSpanId: 'outer', responseId: 'other' }),
      )
      const separate = (await readSpans(store, projectId, 'trace')).map(
        ({ spanId, isSeparateCall }) => [spanId, isSeparateCall],
      )
      expect(Object.fromEntries(separate)).toEqual({ outer: true, inner: false })
      const both = { tokensIn: 6, tokensOut: 13, costUsd: 1.5 }
      expect(await store.findTrace(projectId, 'trace')).toMatchObject({ ...both, llmCallCount: 2 })
      for (const bucketNanos of [hour, hour / 60n]) {
        const query = { from, to: from + hour, bucketNanos, filters: {}, scanLimit: 1000 }
        const { buckets, byModel } = await store.readStats(projectId, query)
        expect(buckets).toMatchObject([{ aggregates: { ...both, calls: 2 } }])
        expect(byModel).toMatchObject([{ value: 'm', aggregates: { ...both, count: 2 } }])
      }
      const { models } = await store.listModels(projectId, { range, traceLimit: 9, limit: 9 })
      expect(models).toMatchObject([{ model: 'm', callCount: 2, costUsd: 1.5 }])
      const sum = { parentSpanId: 'outer', responseId: 'third', tokensIn: 0, tokensOut: 5 }
      await record(projectId, call('second', 'client', sum))
      expect(await store.findTrace(projectId, 'trace')).toMatchObject({ tokensIn: 3, costUsd: 1 })
      const [marked] = (await readSpans(store, projectId, 'trace')).filter(
        ({ spanId }) => spanId === 'outer',
      )
      expect(marked?.isSeparateCall).toBe(false)
    })

    test('count in another span once one arrives that knows more, and again when it is replaced', async () => {
      const projectId = randomUUID()
      await record(projectId, call('a', 'client'), call('b', 'framework'))
      expect(await readRepeats(projectId)).toEqual({ a: null, b: 'a' })
      await record(projectId, call('c', 'another', { tokensCacheRead: 1 }))
      expect(await readRepeats(projectId)).toEqual({ a: 'c', b: 'c', c: null })
      await record(projectId, call('c', 'another', { responseId: 'other', tokensIn: 1 }))
      expect(await readRepeats(projectId)).toEqual({ a: null, b: 'a', c: null })
      expect(await store.findTrace(projectId, 'trace')).toMatchObject({ tokensIn: 4, costUsd: 1 })
    })

    test('are those of all spans, in any batches', async () => {
      const anyCall = fc.record({
        spanId: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
        sdk: fc.constantFrom('client', 'framework', 'another'),
        parentSpanId: fc.constantFrom(null, 'a', 'b'),
        responseId: fc.constantFrom(null, 'r', 's'),
        tokensIn: fc.constantFrom(3, 5),
        tokensCacheRead: fc.constantFrom(null, 1),
        kind: fc.constantFrom('llm', 'llm', 'chain'),
        endedAt: fc.constantFrom(start, start + 1n),
      })
      const batches = fc.array(fc.array(anyCall, { minLength: 1, maxLength: 3 }), { minLength: 1 })
      await fc.assert(
        fc.asyncProperty(batches, async (drawn) => {
          const projectId = randomUUID()
          const last = new Map<string, Span>()
          for (const batch of drawn) {
            const spans = batch.map(({ spanId, sdk, ...rest }) => call(spanId, sdk, rest))
            for (const each of spans) last.set(each.spanId, each)
            await record(projectId, ...spans)
          }
          const spans = [...last.values()]
          const counted = spans.map((each) => ({ ...each, source: 'json' as const }))
          const expected = findCountedUsage(counted, buildSpanTree(counted)).repeats
          expect(await readRepeats(projectId)).toEqual(
            Object.fromEntries(spans.map(({ spanId }) => [spanId, expected.get(spanId) ?? null])),
          )
          expect(await store.findTrace(projectId, 'trace')).toMatchObject(computed(spans))
        }),
        { numRuns: 50 },
      )
    })
  })
}
