import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { body, labels, span, start } from './store.samples.ts'
import type { TelemetryStore } from './store.ts'
import { contentLog, log, measurement } from './store-signals.samples.ts'

/*
 * What every telemetry store promises of a project that is removed, in the way of store.suite.ts.
 */

/** Runs the promises against stores that `open` makes: each empty, each on its own. */
export function describeProjectRemoval(name: string, open: () => Promise<TelemetryStore>): void {
  describe(name, () => {
    let store: TelemetryStore
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())

    const idempotency = { key: 'once', note: 'a note' }
    const filters = { tags: ['told'], name: 'secret name' }

    /** Something of everything that a project can have. */
    const fill = async (projectId: string, traces = 3) => {
      const spans = Array.from({ length: traces }, (_, i) =>
        span('a', { traceId: `t${i}`, name: 'secret name', startedAt: start + BigInt(i) }),
      )
      const recording = { projectId, source: 'json' as const, spans: store.encode(spans) }
      await store.record({ ...recording, labels: labels({ tags: ['told'] }), idempotency })
      await store.recordMetrics(projectId, store.encodeMetrics([measurement(), measurement()]))
      await store.recordLogs(
        projectId,
        store.encodeLogs([log('hello'), contentLog('a', 'asked', 'answered', { traceId: 't0' })]),
      )
    }
    const remove = async (projectId: string): Promise<number> => {
      let steps = 1
      while ((await store.removeProject(projectId)) === 'more') steps += 1
      return steps
    }
    const indexed = async () => {
      while (store.searchLagMs() > 0) await new Promise((resolve) => setTimeout(resolve, 10))
    }
    /** What can be read of the project. */
    const readable = async (projectId: string) => ({
      list: await store.listTraces(projectId, { limit: 9, filters: {} }),
      byFacet: (await store.listTraces(projectId, { limit: 9, filters })).traces,
      trace: await store.findTrace(projectId, 't0'),
      span: await store.findSpan(projectId, 't0', 'a'),
      metrics: (await store.listMetrics(projectId, { limit: 9 })).metrics,
      logs: (await store.listLogs(projectId, { limit: 9, scanLimit: 99, filters: {} })).logs,
      found: (await store.listTraces(projectId, { limit: 9, filters: { search: 'secret' } }))
        .traces,
    })
    const nothing = {
      list: { traces: [], next: undefined, total: 0 },
      ...{ byFacet: [], trace: undefined, span: undefined, metrics: [], logs: [], found: [] },
    }

    test('nothing of it can be read any more, and nothing of another is touched', async () => {
      const [mine, theirs] = [randomUUID(), randomUUID()]
      for (const projectId of [mine, theirs]) await fill(projectId)
      await indexed()
      const before = await readable(theirs)
      expect(before.found).toHaveLength(3)
      await remove(mine)
      await indexed()
      expect(await readable(mine)).toEqual(nothing)
      expect(await readable(theirs)).toEqual(before)
      expect(await store.removeProject(mine)).toBe('removed')
    })

    test('one that was never there is removed', async () => {
      expect(await store.removeProject(randomUUID())).toBe('removed')
    })

    test('goes in steps, between which others are served', async () => {
      const [mine, theirs] = [randomUUID(), randomUUID()]
      await fill(mine, 1300)
      const removal = remove(mine)
      await fill(theirs)
      expect((await store.findTrace(theirs, 't0'))?.spanCount).toBe(1)
      expect(await removal).toBeGreaterThan(2)
    })

    test('has afterwards what is recorded afterwards, and a receipt of before holds no more', async () => {
      const projectId = randomUUID()
      await fill(projectId)
      await remove(projectId)
      const recording = {
        projectId,
        source: 'json' as const,
        spans: store.encode([span('b', { body })]),
      }
      expect((await store.record({ ...recording, idempotency })).repeated).toBe(false)
      await store.recordMetrics(projectId, store.encodeMetrics([measurement()]))
      const { metrics } = await store.listMetrics(projectId, { limit: 9 })
      expect(metrics).toMatchObject([{ seriesCount: 1, lastSeenAt: start }])
      expect((await store.listTraces(projectId, { limit: 9, filters: {} })).total).toBe(1)
    })
  })
}
