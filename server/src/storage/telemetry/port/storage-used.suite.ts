import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Instant } from '../../../domain/instant.ts'
import type { Position } from './position.ts'
import { type OpenStore, span, start } from './samples.ts'
import { contentLog, log, measurement } from './signal-samples.ts'
import type { TelemetryStore } from './store.ts'

/*
 * What storage-used.ts promises, and what removal.ts promises of metrics and log records, as tests.
 */

export function describeStorage(open: OpenStore): void {
  describe('storage', () => {
    let store: TelemetryStore
    let projectId: string
    let other: string
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())
    beforeEach(() => {
      projectId = randomUUID()
      other = randomUUID()
    })

    const recordLogs = (of: string, records: readonly ReturnType<typeof log>[]) =>
      store.recordLogs(of, store.encodeLogs(records))
    const recordPoints = (of: string, points: readonly ReturnType<typeof measurement>[]) =>
      store.recordMetrics(of, store.encodeMetrics(points))
    const recordTrace = (of: string, traceId = 'trace', spanIds = ['a', 'b']) =>
      store.record({
        projectId: of,
        source: 'otlp',
        spans: store.encode(spanIds.map((spanId) => span(spanId, { traceId }))),
      })
    const logsOf = async (of: string) => {
      const query = { limit: 9999, scanLimit: 99_999, filters: {} }
      return (await store.listLogs(of, query)).logs
    }
    const inputOf = async (of: string) => (await store.findSpan(of, 'trace', 'a'))?.body?.input
    const expectCounts = async (expected: readonly number[], of = projectId) => {
      const used = await store.readStorage(of)
      const { traces, spans, metricPoints, logRecords, isEstimate } = used
      if (isEstimate) return
      const counts = [traces.count, spans.count, metricPoints.count, logRecords.count]
      expect(counts).toEqual(expected)
    }
    const removeOld = async (before: Instant) => {
      let after: Position | undefined
      do after = await store.removeOldSignals(projectId, before, after)
      while (after !== undefined)
    }
    const spanLog = (traceId = 'trace') => contentLog('a', 'question', 'answer', { traceId })

    test('counts that are not estimates are exact after repeating, replacing, moving and removing', async () => {
      await expectCounts([0, 0, 0, 0])
      for (const _twice of [1, 2]) {
        await recordTrace(projectId)
        await recordLogs(projectId, [spanLog(), log('x'), log('x'), log('y')])
        await recordPoints(projectId, [
          measurement({ value: 1 }),
          measurement({ value: 2 }),
          measurement({ at: start + 1n }),
        ])
        await expectCounts([1, 2, 2, 3])
      }
      await recordTrace(projectId, 'trace', ['c'])
      await recordTrace(projectId, 'second')
      await expectCounts([2, 5, 2, 3])
      await store.moveTraces(other, projectId, ['trace'])
      await expectCounts([1, 2, 2, 2])
      await expectCounts([1, 3, 0, 1], other)
      await store.removeTrace(other, 'trace')
      await expectCounts([0, 0, 0, 0], other)
      await store.removeOldTraces(projectId, start + 1n)
      await removeOld(start + 1n)
      await expectCounts([0, 0, 1, 0])
      while ((await store.removeProject(projectId)) === 'more');
      await expectCounts([0, 0, 0, 0])
    })

    test('includes the times of the oldest and newest, and bytes grow with the data', async () => {
      const none = { count: 0, bytes: 0, oldestAt: null, newestAt: null }
      const empty = await store.readStorage(projectId)
      expect([empty.traces, empty.spans, empty.metricPoints, empty.logRecords]).toEqual(
        Array.from({ length: 4 }, () => none),
      )
      const ends = { oldestAt: start, newestAt: start + 5n }
      await recordLogs(projectId, [log('x'), log('x'.repeat(1000), { at: start + 5n })])
      await recordPoints(projectId, [measurement(), measurement({ at: start + 5n })])
      await recordTrace(projectId)
      const some = await store.readStorage(projectId)
      expect(some).toMatchObject({
        metricPoints: ends,
        logRecords: ends,
        spans: { oldestAt: start },
      })
      expect(some.logRecords.bytes).toBeGreaterThan(0)
      expect(some.deploymentBytes).toBeGreaterThan(0)
      await recordTrace(projectId, 'second')
      expect((await store.readStorage(projectId)).spans.bytes).toBeGreaterThan(some.spans.bytes)
    })

    describe('removing old signals', () => {
      test('removes log records, points and span contents, nothing newer and nothing of other projects', async () => {
        const many = Array.from({ length: 4500 }, (_, i) => log(`${i}`, { at: start + BigInt(i) }))
        const points = Array.from({ length: 4500 }, (_, i) =>
          measurement({ at: start + BigInt(i) }, { name: `m${i % 3}` }),
        )
        for (const of of [projectId, other]) {
          await recordTrace(of)
          await recordLogs(of, [spanLog(), ...many])
          await recordPoints(of, [...points, measurement({}, { name: 'ended' })])
        }
        expect(await inputOf(projectId)).toContain('question')
        await removeOld(start + 4499n)
        expect((await logsOf(projectId)).map(({ at }) => at)).toEqual([start + 4499n])
        expect(await inputOf(projectId)).toBe('null')
        const { metrics } = await store.listMetrics(projectId, { limit: 9 })
        expect(metrics.map((one) => one.name)).toEqual(['m2'])
        await expectCounts([1, 2, 1, 1])
        await expectCounts([1, 2, 4501, 4501], other)
        expect(await inputOf(other)).toContain('question')
      })

      test('allows recording again, in removed series too', async () => {
        await recordPoints(projectId, [measurement()])
        await removeOld(start + 1n)
        expect((await store.listMetrics(projectId, { limit: 9 })).metrics).toEqual([])
        await recordPoints(projectId, [measurement()])
        const { metrics } = await store.listMetrics(projectId, { limit: 9 })
        expect(metrics).toMatchObject([{ seriesCount: 1, lastSeenAt: start }])
      })

      test('removes log records with the old traces that they reference', async () => {
        await recordTrace(projectId)
        await recordLogs(projectId, [spanLog(), spanLog('another'), log('of none')])
        await store.removeOldTraces(projectId, start + 1n)
        const remaining = (await logsOf(projectId)).map(({ traceId }) => traceId)
        expect(remaining).toHaveLength(2)
        expect(remaining).toEqual(expect.arrayContaining(['another', null]))
      })
    })

    test('removing a trace removes the log records that reference it, with their contents', async () => {
      for (const of of [projectId, other]) {
        await recordTrace(of)
        await recordLogs(of, [spanLog(), log('of none')])
      }
      await store.removeTrace(projectId, 'trace')
      expect((await logsOf(projectId)).map(({ traceId }) => traceId)).toEqual([null])
      await recordTrace(projectId)
      expect(await inputOf(projectId)).toBe('null')
      expect(await inputOf(other)).toContain('question')
      expect(await logsOf(other)).toHaveLength(2)
    })

    test('moving a trace moves the log records that reference it, with their contents', async () => {
      await recordTrace(projectId)
      await recordLogs(projectId, [spanLog(), spanLog('another'), log('of none')])
      // The other project already has one of them.
      await recordLogs(other, [spanLog()])
      const before = (await logsOf(projectId)).find(({ traceId }) => traceId === 'trace')
      expect(await store.moveTraces(other, projectId, ['trace'])).toEqual(['adopted'])
      expect(await logsOf(other)).toEqual([before])
      expect(await inputOf(other)).toContain('question')
      expect((await logsOf(projectId)).map(({ traceId }) => traceId)).not.toContain('trace')
      while ((await store.removeProject(projectId)) === 'more');
      expect(await logsOf(other)).toEqual([before])
      expect(await inputOf(other)).toContain('question')
    })
  })
}
