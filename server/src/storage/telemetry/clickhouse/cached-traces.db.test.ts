import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { hasClickHouseEngine } from '../../../../test/clickhouse/engine.ts'
import { useGatedEngine } from '../../../../test/clickhouse/gated-engine.ts'
import { systemClock } from '../../../platform/clock.ts'
import { Unavailable } from '../../../platform/failure.ts'
import { anySpan, computed, span } from '../port/samples.ts'
import type { TelemetryStore } from '../port/store.ts'

/*
 * Processes that cache every trace, however small.
 */

/** In the statement that reads all spans of traces. */
const wholeTraces = 'LIMIT 1 BY project_id, trace_id, span_id'

describe.runIf(hasClickHouseEngine())(
  'traces that processes cache (only where chdb is installed)',
  { timeout: 300_000 },
  () => {
    const clickHouse = useGatedEngine('PostgreSQL')
    let stores: readonly TelemetryStore[]
    const open = (clock = systemClock) =>
      clickHouse.openStore({ url: clickHouse.engine.url, clock, cachedTraceSpans: 1 })
    beforeAll(async () => {
      const hourAgo = { ...systemClock, now: () => new Date(Date.now() - 3_600_000) }
      stores = [await open(), await open(), await open(hourAgo)]
    })
    afterAll(async () => {
      for (const store of stores) await store.close()
    })
    const record = (
      projectId: string,
      by: number,
      spans: Parameters<TelemetryStore['encode']>[0],
    ) => stores[by]!.record({ projectId, source: 'json', spans: stores[by]!.encode(spans) })

    test('follow from all stored spans, whichever process stores which, one after the other or at once', async () => {
      const sent = fc.record({
        batches: fc.array(
          fc.record({
            by: fc.nat(1),
            spans: fc.uniqueArray(fc.tuple(fc.nat(9), anySpan), {
              ...{ minLength: 1, maxLength: 4, selector: ([id]: readonly [number, unknown]) => id },
            }),
          }),
          { minLength: 2, maxLength: 7 },
        ),
        together: fc.boolean(),
      })
      await fc.assert(
        fc.asyncProperty(sent, async ({ batches, together }) => {
          const projectId = randomUUID()
          const toSpans = (index: number) =>
            batches[index]!.spans.map(([id, each]) => {
              const parent = each.parentSpanId === null ? null : String(each.name.length % 10)
              // At once, no span is sent twice: which one counts would be open.
              const spanId = together ? `${index} ${id}` : String(id)
              return { ...each, traceId: 'trace', spanId, parentSpanId: parent }
            })
          const recordOne = (index: number) => record(projectId, batches[index]!.by, toSpans(index))
          const indexes = [...batches.keys()]
          if (together) await Promise.all(indexes.map(recordOne))
          else for (const index of indexes) await recordOne(index)
          const stored = new Map(indexes.flatMap(toSpans).map((each) => [each.spanId, each]))
          const own = [...stored.values()]
          expect(await stores[0]!.findTrace(projectId, 'trace')).toMatchObject(computed(own))
        }),
        { numRuns: 20 },
      )
    })

    test('are not read again for each batch', async () => {
      const store = await clickHouse.openStore({ cachedTraceSpans: 1 })
      onTestFinished(() => store.close())
      const projectId = randomUUID()
      const recordHere = (traceId: string, spanId: string) => {
        const spans = store.encode([span(spanId, { traceId })])
        return store.record({ projectId, source: 'json', spans })
      }
      await recordHere('cached', 'a')
      clickHouse.gate.cut(wholeTraces)
      await expect(recordHere('new', 'a')).rejects.toBeInstanceOf(Unavailable)
      const { traces } = await recordHere('cached', 'b')
      expect(traces).toEqual([{ traceId: 'cached', spanCount: 2, status: 'OK' }])
    })

    test('have the spans of a process whose clock is behind', async () => {
      const projectId = randomUUID()
      for (const [spanId, by] of [
        ['a', 0],
        ['b', 2],
        ['c', 0],
      ] as const) {
        await record(projectId, by, [span(spanId)])
      }
      expect((await stores[1]!.findTrace(projectId, 'trace'))?.spanCount).toBe(3)
    })

    test('have nothing of what another process has removed', async () => {
      const projectId = randomUUID()
      await record(projectId, 0, [span('a'), span('b')])
      expect(await stores[1]!.removeTrace(projectId, 'trace')).toBe(true)
      const { traces } = await record(projectId, 0, [span('c')])
      expect(traces).toEqual([{ traceId: 'trace', spanCount: 1, status: 'OK' }])
    })

    test('have the prices that another process has given their spans', async () => {
      const projectId = randomUUID()
      await record(projectId, 0, [span('a', { model: 'm', kind: 'llm', tokensIn: 1 })])
      await record(projectId, 0, [span('b')])
      const query = { range: { from: 0n, to: 2n ** 62n }, limit: 9 }
      const { spans } = await stores[1]!.listPriceable(projectId, query)
      const price = { computedCostUsd: 3, priceSource: 's', priceDate: 'd', unpricedReason: null }
      const prices = spans.map(({ traceId, spanId, version }) => ({
        ...{ traceId, spanId, version, price },
      }))
      expect(await stores[1]!.reprice(projectId, prices)).toHaveLength(1)
      await record(projectId, 0, [span('c')])
      expect(await stores[0]!.findTrace(projectId, 'trace')).toMatchObject({
        ...{ spanCount: 3, costUsd: 3 },
      })
    })
  },
)
