import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Span } from '../../../domain/span.ts'
import { type OpenStore, span, start } from './samples.ts'
import { score } from './score-samples.ts'
import type { SettledTraceQuery } from './settling.ts'
import type { TelemetryStore } from './store.ts'

/*
 * What settling.ts promises, as tests.
 */

const hour = 3_600_000_000_000n
const now = () => BigInt(Date.now()) * 1_000_000n

export function describeSettling(open: OpenStore): void {
  describe('settled traces', () => {
    let store: TelemetryStore
    let projectId: string
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())
    beforeEach(() => {
      projectId = randomUUID()
    })

    const record = (traceId: string, more: Partial<Span> = {}, of = projectId) =>
      store.record({
        projectId: of,
        source: 'json',
        spans: store.encode([span(more.spanId ?? 'a', { traceId, ...more })]),
      })
    const list = (query: Partial<SettledTraceQuery> = {}, of = projectId) =>
      store.listSettledTraces(of, {
        ...{ filters: {}, receivedSince: 0n, until: now() + 1n, scanLimit: 100, countLimit: 100 },
        ...query,
      })
    const idsOf = async (query: Partial<SettledTraceQuery> = {}, of = projectId) =>
      (await list(query, of)).traces.map(({ trace }) => trace.traceId)

    test('are listed in the order of their last change, each as it is now', async () => {
      for (const traceId of ['c', 'a', 'b']) await record(traceId)
      await record('c', { spanId: 'b', parentSpanId: 'a', startedAt: start + 1n })
      const { traces } = await list()
      expect(traces.map(({ trace }) => trace.traceId).toSorted()).toEqual(['a', 'b', 'c'])
      const times = traces.map(({ settledAt }) => settledAt)
      expect(times).toEqual(times.toSorted((x, y) => Number(x - y)))
      const found = traces.find(({ trace }) => trace.traceId === 'c')
      expect(found?.trace).toEqual(await store.findTrace(projectId, 'c'))
      expect(found?.settledAt).toBe(found?.trace.updatedAt)
    })

    test('are read once in pages, with what is behind a page counted, and again when they change', async () => {
      for (const traceId of ['a', 'b', 'c']) await record(traceId)
      const first = await list({ scanLimit: 2 })
      expect([first.traces.length, first.remaining]).toEqual([2, 1])
      expect((await list({ scanLimit: 1, countLimit: 1 })).remaining).toBe(1)
      const after = first.end!.position
      expect(after).toBe(first.traces[1]?.position)
      const rest = await list({ after })
      expect([rest.traces.length, rest.remaining]).toEqual([1, 0])
      const end = rest.end!.position
      expect(await list({ after: end })).toEqual({ traces: [], end: undefined, remaining: 0 })
      await record('d')
      await expect.poll(() => idsOf({ after: end })).toEqual(['d'])
      const last = (await list({ after: end })).end!.position
      await expect
        .poll(async () => {
          await record('a', { spanId: 'b' })
          return await idsOf({ after: last })
        })
        .toEqual(['a'])
    })

    test('wait some minutes for the end of a root that has not arrived', async () => {
      await record('without-root', { spanId: 'b', parentSpanId: 'a' })
      await record('open', { endedAt: start })
      await record('open', { spanId: 'b', parentSpanId: 'a' })
      await record('instant', { endedAt: start })
      expect(await idsOf()).toEqual(['instant'])
      expect((await idsOf({ until: now() + hour })).toSorted()).toEqual(
        ['instant', 'open', 'without-root'].toSorted(),
      )
      await record('without-root', { startedAt: start - 1n })
      await record('open', { endedAt: start + 5000n })
      expect((await idsOf()).toSorted()).toEqual(['instant', 'open', 'without-root'])
      // Not again when they would have settled without it.
      const { end } = await list()
      expect(await idsOf({ after: end!.position, until: now() + hour })).toEqual([])
    })

    test('can be filtered by their members and by when they first arrived, and are counted by the latter', async () => {
      await record('old')
      const { updatedAt } = (await store.findTrace(projectId, 'old'))!
      await expect.poll(() => now() > updatedAt, { interval: 1 }).toBe(true)
      await record('new', { status: 'ERROR', service: 'shop' })
      await expect
        .poll(async () => {
          await record('old', { spanId: 'b' })
          return await idsOf()
        })
        .toEqual(['new', 'old'])
      expect(await idsOf({ receivedSince: updatedAt + 1n })).toEqual(['new'])
      expect(await idsOf({ filters: { status: 'ERROR' } })).toEqual(['new'])
      expect(await idsOf({ filters: { service: 'shop' } })).toEqual(['new'])
      expect(await idsOf({ filters: { service: 'none' } })).toEqual([])
      expect((await list({ filters: { service: 'none' } })).end).toBeDefined()
      expect((await list({ scanLimit: 1 })).remaining).toBe(1)
      const isNew = { receivedSince: updatedAt + 1n }
      expect((await list({ scanLimit: 1, ...isNew })).remaining).toBe(0)
    })

    test('settle again in the project that they are moved to, and not when they are scored', async () => {
      const other = randomUUID()
      await record('a')
      await record('b')
      const { position: after } = (await list()).end!
      await store.recordScores(projectId, [score('s', { traceId: 'b' })])
      expect(await idsOf({ after })).toEqual([])
      await store.moveTraces(other, projectId, ['a'])
      expect(await idsOf()).toEqual(['b'])
      expect(await idsOf({}, other)).toEqual(['a'])
      const arrivedBefore = { receivedSince: (await store.findTrace(other, 'a'))!.updatedAt }
      expect(await idsOf(arrivedBefore, other)).toEqual([])
      await store.removeTrace(other, 'a')
      expect(await idsOf({}, other)).toEqual([])
      expect(await idsOf({}, randomUUID())).toEqual([])
    })
  })
}
