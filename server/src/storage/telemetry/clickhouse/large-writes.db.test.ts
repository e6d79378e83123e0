import { randomUUID } from 'node:crypto'
import { limits } from '@assay/contract/limits.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { hasClickHouseEngine } from '../../../../test/clickhouse/engine.ts'
import { useGatedEngine } from '../../../../test/clickhouse/gated-engine.ts'
import { span } from '../port/samples.ts'
import type { TelemetryStore } from '../port/store.ts'
import { openConnection } from './connection.ts'
import { versionsOfSources, versionsOfTraces } from './statements/repair.ts'
import { labelsOfTraces } from './statements/traces.ts'
import { tagPrefix } from './trace-labels.ts'

describe.runIf(hasClickHouseEngine())(
  'traces of thousands of spans (only where chdb is installed)',
  { timeout: 120_000 },
  () => {
    const clickHouse = useGatedEngine('SQLite')
    let store: TelemetryStore
    beforeAll(async () => {
      store = await clickHouse.openStore()
    })
    afterAll(() => store.close())

    const record = (projectId: string, spanIds: readonly string[]) =>
      store.record({
        ...{ projectId, source: 'otlp' },
        spans: store.encode(spanIds.map((spanId) => span(spanId))),
      })
    const manyIds = Array.from({ length: 5001 }, (_, n) => `span ${n}`)
    /** Those that were changed last are in memory, so that only newer spans are read. */
    const readOfLarge = 'spans.version > {after:UInt64}'

    test('delay nobody else while they are computed, and have all spans of waiting batches after it', async () => {
      const [large, other] = [randomUUID(), randomUUID()]
      await record(large, manyIds)
      const held = clickHouse.gate.hold(readOfLarge)
      const first = record(large, ['a'])
      await held.reached
      const waiting = ['b', 'c', 'd'].map((spanId) => record(large, [spanId]))
      expect((await record(other, ['a', 'b'])).traces).toMatchObject([{ spanCount: 2 }])
      held.release()
      for (const { traces } of await Promise.all([first, ...waiting])) {
        expect(traces[0]?.spanCount).toBeGreaterThan(5001)
      }
      expect((await store.findTrace(large, 'trace'))?.spanCount).toBe(5005)
    })

    test('have at most 100,000 spans, also from batches that are stored together, of which each counts for the next', async () => {
      const projectId = randomUUID()
      const most = limits.spansPerTrace.value
      await record(projectId, ['a'])
      const connection = openConnection({ url: clickHouse.engine.url, database: 'assay' })
      onTestFinished(() => connection.close())
      await connection.execute(
        `INSERT INTO spans SELECT spans.* REPLACE (toString(number) AS span_id)
        FROM spans CROSS JOIN numbers({count:UInt64}) AS copies WHERE project_id = {project:String}`,
        { project: projectId, count: most - 4 },
      )
      expect((await record(projectId, ['b'])).traces[0]?.spanCount).toBe(most - 2)
      const held = clickHouse.gate.hold(readOfLarge)
      const first = record(projectId, ['a'])
      await held.reached
      const json = {
        ...{ projectId, source: 'json' as const },
        spans: store.encode(['x', 'y', 'z'].map((spanId) => span(spanId))),
      }
      const waiting = [
        record(projectId, ['a', 'c']),
        store.record(json),
        record(projectId, ['c', 'd']),
        record(projectId, ['d', 'e', '0']),
        record(projectId, ['f']),
      ]
      held.release()
      expect((await first).refusedSpans).toBe(0)
      const outcomes = await Promise.all(waiting)
      expect(outcomes.map(({ refusedSpans }) => refusedSpans)).toEqual([0, 2, 0, 1, 1])
      expect(outcomes.map(({ traces }) => traces.length)).toEqual([1, 0, 1, 1, 0])
      expect((await store.findTrace(projectId, 'trace'))?.spanCount).toBe(most)
    })

    test('delay nobody else while a project removes many at once, two at a time', async () => {
      const [mine, other] = [randomUUID(), randomUUID()]
      const traceIds = ['a', 'b', 'c', 'd']
      for (const projectId of [mine, other]) {
        const spans = traceIds.map((traceId) => span('s', { traceId }))
        await store.record({ projectId, source: 'otlp', spans: store.encode(spans) })
      }
      const held = [
        clickHouse.gate.hold('DELETE FROM spans'),
        clickHouse.gate.hold('DELETE FROM spans'),
      ]
      const removals = traceIds.map((traceId) => store.removeTrace(mine, traceId))
      for (const { reached } of held) await reached
      expect(await store.removeTrace(other, 'a')).toBe(true)
      expect(await store.removeTrace(other, 'b')).toBe(true)
      expect(await store.findTraces(mine, traceIds)).toHaveLength(4)
      for (const { release } of held) release()
      expect(await Promise.all(removals)).toEqual([true, true, true, true])
      expect(await store.findTraces(mine, traceIds)).toEqual([])
    })

    test('move together up to 20,000 spans, with all of them, and the next ones afterwards', async () => {
      const [from, to, traceIds] = [randomUUID(), randomUUID(), ['a', 'b', 'c']]
      const counts = [10_000, 10_000, 1]
      for (const [index, traceId] of traceIds.entries()) {
        const spans = Array.from({ length: counts[index]! }, (_, n) => span(`${n}`, { traceId }))
        await store.record({ projectId: from, source: 'otlp', spans: store.encode(spans) })
      }
      const [first, second] = [
        clickHouse.gate.hold('INSERT INTO traces'),
        clickHouse.gate.hold('INSERT INTO traces'),
      ]
      const moving = store.moveTraces(to, from, traceIds)
      await first.reached
      first.release()
      await Promise.race([second.reached, moving])
      const idsIn = async (projectId: string) =>
        (await store.findTraces(projectId, traceIds)).map(({ traceId }) => traceId).toSorted()
      expect(await idsIn(from)).toEqual(['c'])
      expect(await idsIn(to)).toEqual(['a', 'b'])
      second.release()
      expect(await moving).toEqual(['adopted', 'adopted', 'adopted'])
      expect(await idsIn(from)).toEqual([])
      const moved = await store.findTraces(to, traceIds)
      const countOf = (id: string) => moved.find(({ traceId }) => traceId === id)?.spanCount
      expect(traceIds.map(countOf)).toEqual(counts)
    })

    test('of thousands of changes of its tags, a trace has the newest, and the rest is not read', async () => {
      const projectId = randomUUID()
      await record(projectId, ['a'])
      const most = limits.tagsPerTrace.value
      const tags = (from: number) => Array.from({ length: most }, (_, n) => `tag ${from + n}`)
      for (const [added, removed] of [
        [tags(0), []],
        [tags(most), tags(0)],
        [['last'], tags(3 * most)],
      ] as const) {
        await store.changeTags(projectId, ['trace'], { added, removed })
      }
      const connection = openConnection({ url: clickHouse.engine.url, database: 'assay' })
      onTestFinished(() => connection.close())
      const of = { projects: [projectId], traces: ['trace'] }
      const bounds = { ofTags: most, tagPrefix }
      expect(await connection.rows(labelsOfTraces, { ...of, ...bounds })).toHaveLength(2 * most)
      const { tags: found = [] } = (await store.findTrace(projectId, 'trace')) ?? {}
      expect(found).toHaveLength(most)
      expect(found).toEqual(expect.arrayContaining(['last', ...tags(most).slice(1)]))
      const [[, , version] = []] = await connection.rows(versionsOfTraces, of)
      const [[, , expected] = []] = await connection.rows(versionsOfSources, of)
      expect(version).toBe(expected)
    })
  },
)
