import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { hasClickHouseEngine } from '../../../../test/clickhouse/engine.ts'
import { useGatedEngine } from '../../../../test/clickhouse/gated-engine.ts'
import { systemClock } from '../../../platform/clock.ts'
import { Unavailable } from '../../../platform/failure.ts'
import type { PriceableSpan } from '../port/pricing.ts'
import { labels, readSpans, span, start, storeHelpers } from '../port/samples.ts'
import type { TelemetryStore } from '../port/store.ts'
import { type Connection, openConnection } from './connection.ts'

/*
 * Spans that one process prices while another one moves or removes their traces.
 */

describe.runIf(hasClickHouseEngine())(
  'pricing beside moves and removals in ClickHouse (only where chdb is installed)',
  { timeout: 120_000 },
  () => {
    const clickHouse = useGatedEngine('SQLite')
    const never = 2 ** 31 - 1
    /** Its statements pass the gate. */
    let store: TelemetryStore
    let another: TelemetryStore
    let connection: Connection
    beforeAll(async () => {
      store = await clickHouse.openStore({ repairIntervalMs: never })
      const { url } = clickHouse.engine
      another = await clickHouse.openStore({ url, repairIntervalMs: never })
      connection = openConnection({ url, database: 'assay' })
    })
    afterAll(async () => {
      await connection.close()
      await another.close()
      await store.close()
    })
    const { record } = storeHelpers(() => store)

    const range = { from: 0n, to: 2n ** 62n }
    const call = span('a', { model: 'm', kind: 'llm', tokensIn: 1 })
    const recordCall = async (projectId: string) =>
      await record(projectId, [call, span('b')], { labels: labels({ tags: ['t'] }) })
    const listPriceable = async (projectId: string) =>
      (await another.listPriceable(projectId, { range, limit: 99 })).spans
    const toPrices = (spans: readonly PriceableSpan[], usd = 3) => {
      const price = { computedCostUsd: usd, priceSource: 's', priceDate: 'd', unpricedReason: null }
      return spans.map(({ traceId, spanId, version }) => ({ traceId, spanId, version, price }))
    }
    const reprice = async (projectId: string, usd?: number) =>
      await another.reprice(projectId, toPrices(await listPriceable(projectId), usd))
    /** What the totals of a project and of its trace have, and what the row of the call has. */
    const costsOf = async (projectId: string) => {
      const stats = await store.readStats(projectId, {
        ...{ ...range, bucketNanos: 2n ** 62n, filters: {}, scanLimit: 99 },
      })
      const trace = await store.findTrace(projectId, 'trace')
      const spans = await readSpans(store, projectId, 'trace')
      const { computedCostUsd, priceSource } = spans.find(({ spanId }) => spanId === 'a') ?? {}
      return {
        ...{
          stats: stats.total.costUsd,
          trace: trace?.costUsd,
          span: computedCostUsd,
          priceSource,
        },
        ...{ unpriced: trace?.unpricedCallCount, spanCount: trace?.spanCount },
      }
    }
    const priced = (usd: number) => ({
      ...{ stats: usd, trace: usd, span: usd, priceSource: 's', unpriced: 0, spanCount: 2 },
    })
    const countSpans = async (projectId: string) => {
      const text = 'SELECT count() FROM spans WHERE project_id = {projectId:String}'
      const [row] = await connection.rows(text, { projectId })
      return Number(row?.[0])
    }
    /** A copy of what is stored of the call, as a statement has it that has read it before it is deleted. */
    const readCall = async (projectId: string) => {
      const copy = randomUUID()
      const insert = (from: string, to: string, changes: string) =>
        connection.execute(
          `INSERT INTO spans SELECT * REPLACE ({to:String} AS project_id ${changes})
          FROM (SELECT * FROM spans FINAL WHERE project_id = {from:String} AND span_id = 'a')`,
          { from, to },
        )
      await insert(projectId, copy, '')
      const price = `, version + 1 AS version, 3 AS computed_cost_usd, 3 AS cost_usd,
        'priced' AS cost_source, 's' AS price_source`
      return { storePriced: () => insert(copy, projectId, price) }
    }
    /** Until the test ends, parts are too large to be merged, so that deleted spans stay on the disk. */
    const keepDeleted = async () => {
      const names = ['max', 'min'].map((space) => `max_bytes_to_merge_at_${space}_space_in_pool`)
      const settings = names.map((name) => `${name} = 1`)
      await connection.execute(`ALTER TABLE spans MODIFY SETTING ${settings.join(', ')}`)
      onTestFinished(() =>
        connection.execute(`ALTER TABLE spans RESET SETTING ${names.join(', ')}`),
      )
    }
    const untilResponding = async () => {
      clickHouse.gate.cut(undefined)
      await vi.waitUntil(() => store.probe(), { timeout: 15_000 })
    }

    describe('a price that is stored while its trace is moved', () => {
      test.each(['INSERT INTO traces', 'DELETE FROM trace_labels', 'DELETE FROM spans'])(
        'moves along when it was acknowledged before %s',
        async (text) => {
          const [from, to] = [randomUUID(), randomUUID()]
          await recordCall(from)
          const held = clickHouse.gate.hold(text)
          const moving = store.moveTraces(to, from, ['trace'])
          await held.reached
          expect(await reprice(from)).toHaveLength(1)
          held.release()
          expect(await moving).toEqual(['adopted'])
          expect(await costsOf(to)).toEqual(priced(3))
          expect(await store.findTrace(from, 'trace')).toBeUndefined()
          expect(await countSpans(from)).toBe(0)
        },
      )

      test('moves along in the last of several versions', async () => {
        const [from, to] = [randomUUID(), randomUUID()]
        await recordCall(from)
        const held = ['DELETE FROM spans', 'DELETE FROM spans'].map(clickHouse.gate.hold)
        const moving = store.moveTraces(to, from, ['trace'])
        for (const [index, { reached, release }] of held.entries()) {
          await reached
          for (const each of [1, 2]) await reprice(from, 10 * index + each)
          release()
        }
        expect(await moving).toEqual(['adopted'])
        expect(await costsOf(to)).toEqual(priced(12))
        expect(await countSpans(from)).toBe(0)
      })

      test('moves along when its statement has read the span before it was deleted', async () => {
        const [from, to] = [randomUUID(), randomUUID()]
        await recordCall(from)
        const { storePriced } = await readCall(from)
        const held = clickHouse.gate.hold('DELETE FROM traces')
        const moving = store.moveTraces(to, from, ['trace'])
        await held.reached
        await storePriced()
        held.release()
        expect(await moving).toEqual(['adopted'])
        expect(await costsOf(to)).toEqual(priced(3))
        expect(await store.findTrace(from, 'trace')).toBeUndefined()
        expect(await countSpans(from)).toBe(0)
      })

      test.each(['INSERT INTO spans', 'INSERT INTO traces', 'DELETE FROM spans'])(
        'moves along when a move that was interrupted at a later %s is repeated',
        async (text) => {
          const [from, to] = [randomUUID(), randomUUID()]
          await recordCall(from)
          const { storePriced } = await readCall(from)
          const held = clickHouse.gate.hold('DELETE FROM traces')
          const moving = store.moveTraces(to, from, ['trace']).catch((error: unknown) => error)
          await held.reached
          await storePriced()
          onTestFinished(() => clickHouse.gate.cut(undefined))
          clickHouse.gate.cut(text)
          held.release()
          expect(await moving).toBeInstanceOf(Unavailable)
          await untilResponding()
          expect(await store.moveTraces(to, from, ['trace'])).toEqual(['adopted'])
          expect(await costsOf(to)).toEqual(priced(3))
          expect(await store.findTrace(from, 'trace')).toBeUndefined()
          expect(await countSpans(from)).toBe(0)
          expect(await store.moveTraces(to, from, ['trace'])).toEqual(['exists'])
        },
      )

      test('does not replace the one that the target has stored meanwhile', async () => {
        const [from, to] = [randomUUID(), randomUUID()]
        await recordCall(from)
        const held = clickHouse.gate.hold('DELETE FROM spans')
        const moving = store.moveTraces(to, from, ['trace'])
        await held.reached
        await reprice(from, 3)
        await reprice(to, 4)
        held.release()
        expect(await moving).toEqual(['adopted'])
        expect(await costsOf(to)).toEqual(priced(4))
        expect(await countSpans(from)).toBe(0)
      })

      test('takes no statement for each trace, and leaves spans that arrive meanwhile', async () => {
        const [from, to] = [randomUUID(), randomUUID()]
        const ids = Array.from({ length: 30 }, (_, n) => `${n}`)
        await record(
          from,
          ids.map((traceId) => ({ ...call, traceId })),
        )
        const held = clickHouse.gate.hold('DELETE FROM spans')
        const moving = store.moveTraces(to, from, ids)
        await held.reached
        expect(await reprice(from)).toHaveLength(30)
        const late = another.encode([span('late', { traceId: '7' })])
        await another.record({ projectId: from, source: 'otlp', spans: late })
        held.release()
        expect(await moving).toEqual(ids.map(() => 'adopted'))
        const traces = await Promise.all(ids.map((id) => store.findTrace(to, id)))
        expect(traces.map((trace) => trace?.costUsd)).toEqual(ids.map(() => 3))
        expect((await readSpans(store, from, '7')).map(({ spanId }) => spanId)).toEqual(['late'])
        expect(await countSpans(from)).toBe(1)
        const [row] = await connection.rows(
          `SELECT count() FROM system.mutations
          WHERE table = 'spans' AND position(command, {from:String}) > 0`,
          { from },
        )
        expect(Number(row?.[0])).toBeLessThanOrEqual(3)
      })
    })

    const changes = [
      ['moved', (from: string) => another.moveTraces(randomUUID(), from, ['trace'])],
      ['removed', (from: string) => another.removeTrace(from, 'trace')],
      ['removed with its project', (from: string) => another.removeProject(from)],
    ] as const
    describe.each(changes)('a price whose trace was %s before', (_how, change) => {
      /** Re-prices a trace that is gone when its prices are stored. */
      const repriceBeside = async (projectId: string, storeMeanwhile?: () => Promise<void>) => {
        const held = clickHouse.gate.hold('version + 1 AS version')
        const pricing = store.reprice(projectId, toPrices(await listPriceable(projectId)))
        await held.reached
        await change(projectId)
        await storeMeanwhile?.()
        held.release()
        return await pricing
      }

      test('is refused', async () => {
        const projectId = randomUUID()
        await recordCall(projectId)
        expect(await repriceBeside(projectId)).toEqual([])
        expect(await store.findTrace(projectId, 'trace')).toBeUndefined()
      })

      test('is refused when its statement has read the span before, and brings nothing back', async () => {
        const projectId = randomUUID()
        await keepDeleted()
        await recordCall(projectId)
        const { storePriced } = await readCall(projectId)
        expect(await repriceBeside(projectId, storePriced)).toEqual([])
        expect(await store.findTrace(projectId, 'trace')).toBeUndefined()
        expect(await countSpans(projectId)).toBe(0)
      })
    })

    describe.each(changes)('a price of a span whose trace was %s before', (_how, change) => {
      test('is refused although another span of the trace has arrived since', async () => {
        const projectId = randomUUID()
        await keepDeleted()
        await recordCall(projectId)
        const { storePriced } = await readCall(projectId)
        const held = clickHouse.gate.hold('version + 1 AS version')
        const pricing = store.reprice(projectId, toPrices(await listPriceable(projectId)))
        await held.reached
        await change(projectId)
        await storePriced()
        const late = another.encode([span('late')])
        await another.record({ projectId, source: 'otlp', spans: late })
        held.release()
        expect(await pricing).toEqual([])
        const left = await readSpans(store, projectId, 'trace')
        expect(left.map(({ spanId }) => spanId)).toEqual(['late'])
        expect((await store.findTrace(projectId, 'trace'))?.spanCount).toBe(1)
      })
    })

    test.each(['as listed', 'priced already'])(
      'a trace that was moved away and back keeps its spans: %s',
      async (listed) => {
        const [projectId, elsewhere] = [randomUUID(), randomUUID()]
        await keepDeleted()
        await recordCall(projectId)
        const prices = toPrices(await listPriceable(projectId))
        if (listed === 'priced already') {
          await another.reprice(projectId, prices)
          expect(await costsOf(projectId)).toEqual(priced(3))
        }
        expect(await another.moveTraces(elsewhere, projectId, ['trace'])).toEqual(['adopted'])
        expect(await another.moveTraces(projectId, elsewhere, ['trace'])).toEqual(['adopted'])
        const held = clickHouse.gate.hold('max(_row_exists) = 0')
        const pricing = store.reprice(projectId, prices)
        const isAsked = await Promise.race([
          held.reached.then(() => true),
          pricing.then(() => false),
        ])
        if (isAsked) {
          // As a merge does, which leaves the price and what was deleted before.
          const text = `DELETE FROM spans WHERE project_id = {projectId:String}
            AND span_id = 'a' AND computed_cost_usd IS NULL`
          await connection.execute(text, { projectId })
        }
        held.release()
        await pricing
        expect(await costsOf(projectId)).toEqual(priced(3))
      },
    )

    test('a price is stored and acknowledged while the row of its trace is computed again', async () => {
      const projectId = randomUUID()
      await recordCall(projectId)
      const prices = toPrices(await listPriceable(projectId))
      await connection.execute('DELETE FROM traces WHERE project_id = {projectId:String}', {
        projectId,
      })
      expect(await store.reprice(projectId, prices)).toHaveLength(1)
      expect(await costsOf(projectId)).toEqual(priced(3))
    })

    test.each([
      ['of a trace', (projectId: string) => store.removeTrace(projectId, 'trace')],
      ['by age', (projectId: string) => store.removeOldTraces(projectId, start + 1n)],
    ] as const)(
      'a removal %s removes a price whose statement has read the span before it was deleted',
      async (_what, remove) => {
        const projectId = randomUUID()
        await keepDeleted()
        await recordCall(projectId)
        const { storePriced } = await readCall(projectId)
        const held = clickHouse.gate.hold('DELETE FROM traces')
        const removing = remove(projectId)
        await held.reached
        await storePriced()
        held.release()
        await removing
        expect(await countSpans(projectId)).toBe(0)
      },
    )

    test.each([
      ['of the same clock', 0],
      ['of a process whose clock is behind', -2000],
    ])(
      'a removal leaves spans %s that arrive after it has deleted the others',
      async (_what, ms) => {
        const projectId = randomUUID()
        await recordCall(projectId)
        const url = clickHouse.engine.url
        const now = () => new Date(Date.now() + ms)
        const third = await clickHouse.openStore({
          url,
          repairIntervalMs: never,
          clock: { ...systemClock, now },
        })
        onTestFinished(() => third.close())
        const held = clickHouse.gate.hold('DELETE FROM traces')
        const removing = store.removeTrace(projectId, 'trace')
        await held.reached
        const late = third.encode([span('late')])
        await third.record({ projectId, source: 'otlp', spans: late })
        held.release()
        expect(await removing).toBe(true)
        expect(await countSpans(projectId)).toBe(1)
      },
    )
  },
)
