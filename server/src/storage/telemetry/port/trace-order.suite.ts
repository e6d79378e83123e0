import { randomUUID } from 'node:crypto'
import { type TraceOrder, traceOrders } from '@assay/contract/traces.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import type { JsonText } from '../../../domain/json-text.ts'
import type { Span, Trace } from '../../../domain/span.ts'
import { body, span, start, storeHelpers } from './samples.ts'
import type { TelemetryStore } from './store.ts'
import type { TraceFilters } from './traces.ts'

/*
 * What traces.ts promises of orders other than newest first.
 */

const sizes: Readonly<Record<string, (trace: Trace) => number | null>> = {
  started: ({ startedAt }) => Number(startedAt - start),
  duration: ({ durationMs }) => durationMs,
  cost: ({ costUsd }) => costUsd,
  tokens: ({ tokensIn, tokensOut }) => tokensIn + tokensOut,
  errors: ({ errorCount }) => errorCount,
}

export function describeTraceOrder(store: TelemetryStore): void {
  const { record } = storeHelpers(() => store)

  describe('an order', () => {
    const projectId = randomUUID()
    const second = 1_000_000_000n

    beforeAll(async () => {
      const spans = Array.from({ length: 12 }, (_, i): readonly Span[] => {
        const startedAt = start + BigInt(i % 7) * second
        const endedAt = startedAt + BigInt((i * 5) % 4) * second
        const common = { traceId: `t${i}`, startedAt, endedAt }
        const costUsd = i % 3 === 0 ? null : ((i * 7) % 5) / 10
        const status = i % 2 === 0 ? 'ERROR' : 'OK'
        const attributes = `{"isEven":${i % 2 === 0}}` as JsonText
        return [
          span('a', {
            ...common,
            body: { ...body, attributes },
            costUsd,
            tokensIn: (i * 3) % 5,
            kind: 'llm',
            status,
          }),
          span('b', { ...common, parentSpanId: 'a', status: i % 4 === 0 ? 'ERROR' : 'OK' }),
        ]
      })
      await record(projectId, spans.flat())
    })

    async function everyPage(
      order: TraceOrder,
      limit: number,
      filters: TraceFilters = { kind: 'llm' },
    ): Promise<readonly Trace[]> {
      const query = { limit, filters, order }
      const found: Trace[] = []
      let page = await store.listTraces(projectId, query)
      for (;;) {
        expect(page.coverageStart).toBeUndefined()
        found.push(...page.traces)
        if (page.next === undefined) return found
        page = await store.listTraces(projectId, { ...query, after: page.next })
      }
    }

    test.each(traceOrders)('%s lists every trace once, unknown values last', async (order) => {
      const found = await everyPage(order, 5)
      expect(new Set(found.map(({ traceId }) => traceId)).size).toBe(12)
      expect(found).toHaveLength(12)
      const values = found.map(sizes[order.replace('-', '')]!)
      const known = values.filter((value) => value !== null)
      const sorted = known.toSorted((a, b) => (order.startsWith('-') ? b - a : a - b))
      expect(values).toEqual([...sorted, ...values.filter((value) => value === null)])
      expect(await everyPage(order, 100)).toEqual(found)
    })

    test.each(traceOrders.filter((order) => order !== '-started'))(
      '%s lists those that an attribute matches',
      async (order) => {
        const attributes = [{ key: 'isEven', value: 'true' }]
        const found = await everyPage(order, 4, { attributes })
        const all = await everyPage(order, 100)
        expect(found).toEqual(all.filter(({ traceId }) => Number(traceId.slice(1)) % 2 === 0))
      },
    )

    test('sorts the traces of a range, however many are newer', async () => {
      const filters = { from: start, to: start + 3n * second }
      const query = { limit: 20, filters, order: 'started', scanLimit: 6 } as const
      const { traces, coverageStart } = await store.listTraces(projectId, query)
      const ids = traces.map(({ traceId }) => traceId).toSorted()
      expect(ids).toEqual(['t0', 't1', 't2', 't7', 't8', 't9'])
      expect(coverageStart).toBeUndefined()
    })

    test('sorts the newest traces where there are too many, on every page', async () => {
      const query = { limit: 2, filters: {}, order: '-duration', scanLimit: 6 } as const
      const first = await store.listTraces(projectId, query)
      expect(first.coverageStart).toBeGreaterThan(start)
      // Without these, earlier ones are among the newest.
      for (const { traceId } of first.traces) await store.removeTrace(projectId, traceId)
      const next = await store.listTraces(projectId, { ...query, after: first.next! })
      expect(next.coverageStart).toBe(first.coverageStart)
      for (const trace of [...first.traces, ...next.traces]) {
        expect(trace.startedAt).toBeGreaterThanOrEqual(first.coverageStart!)
      }
    })

    test('refuses a position of another order', async () => {
      const query = { limit: 2, filters: {} }
      const { next } = await store.listTraces(projectId, query)
      const sorted = { ...query, order: 'cost', after: next! } as const
      await expect(store.listTraces(projectId, sorted)).rejects.toThrow('cursor')
    })
  })
}
