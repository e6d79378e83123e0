import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Trace } from '../../../domain/span.ts'
import { body, labels, type OpenStore, readSpans, span, start, storeHelpers } from './samples.ts'
import { score } from './score-samples.ts'
import { contentLog, log, measurement } from './signal-samples.ts'
import type { TelemetryStore } from './store.ts'

/*
 * What removal.ts promises, as tests. Log records and metric points: storage-used.suite.ts.
 */

export function describeRemoval(open: OpenStore): void {
  describeTraceRemoval(open)
  describeProjectRemoval(open)
}

function describeTraceRemoval(open: OpenStore): void {
  describe('removing and moving traces', () => {
    let store: TelemetryStore
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())

    const { record, everyTrace, wholeList } = storeHelpers(() => store)

    const manySpans = (traceId: string, count: number) =>
      Array.from({ length: count }, (_, i) => span(`s${i}`, { traceId }))

    const removeOld = async (projectId: string, before: bigint) => {
      let count = 0
      for (;;) {
        const { traceCount, isDone } = await store.removeOldTraces(projectId, before)
        count += traceCount
        if (isDone) return count
      }
    }

    test('a removed trace is in no read, and can be recorded again', async () => {
      const [mine, theirs] = [randomUUID(), randomUUID()]
      for (const projectId of [mine, theirs]) await record(projectId, [span('a'), span('b')])
      expect(await store.removeTrace(mine, 'trace')).toBe(true)
      expect(await store.removeTrace(mine, 'trace')).toBe(false)
      expect(await store.removeTrace(randomUUID(), 'trace')).toBe(false)
      expect(await store.findTrace(mine, 'trace')).toBeUndefined()
      expect(await store.findSpan(mine, 'trace', 'a')).toBeUndefined()
      expect(await wholeList(mine)).toEqual({ traces: [], next: undefined })
      expect(await everyTrace(mine, { kind: 'agent' })).toEqual([])
      expect((await store.findTrace(theirs, 'trace'))?.spanCount).toBe(2)
      await record(mine, [span('c')])
      expect((await store.findTrace(mine, 'trace'))?.spanCount).toBe(1)
    })

    test('a moved trace is unchanged, in the other project only', async () => {
      const [from, to] = [randomUUID(), randomUUID()]
      const labeled = { labels: labels({ tags: ['kept'], rootName: 'named' }) }
      await record(from, [span('a', { model: 'm' }), span('b', { status: 'ERROR' })], labeled)
      const before = await store.findTrace(from, 'trace')
      const spans = await readSpans(store, from, 'trace')
      expect(await store.moveTraces(to, from, ['trace'])).toEqual(['adopted'])
      expect(await store.moveTraces(to, from, ['trace'])).toEqual(['exists'])
      expect(await store.moveTraces(to, from, ['none'])).toEqual(['not_found'])
      expect(await store.findTrace(from, 'trace')).toBeUndefined()
      const after = await store.findTrace(to, 'trace')
      expect(after).toEqual({ ...before, projectId: to, updatedAt: after?.updatedAt })
      expect(spans).toHaveLength(2)
      expect(await readSpans(store, to, 'trace')).toEqual(spans)
      const filters = { tags: ['kept'], model: 'm', name: 'named' }
      expect((await everyTrace(to, filters)).length).toBe(1)
      expect(await everyTrace(from, filters)).toEqual([])
      await record(from, [span('a')])
      expect(await store.moveTraces(to, from, ['trace'])).toEqual(['exists'])
      expect((await store.findTrace(from, 'trace'))?.spanCount).toBe(1)
      await record(to, [span('c')])
      expect((await store.findTrace(to, 'trace'))?.spanCount).toBe(3)
    })

    test('traces are moved together, each with its own, and those that cannot be are reported', async () => {
      const [from, to] = [randomUUID(), randomUUID()]
      // With ids of this length, they do not fit in one list of a statement.
      const movedId = (n: number) => `t${n}`.padEnd(2000, '.')
      const moved = Array.from({ length: 30 }, (_, n) => movedId(n))
      const spansOf = (traceId: string) => ['a', traceId].map((id) => span(id, { traceId }))
      await record(from, moved.flatMap(spansOf))
      await record(from, spansOf('both'))
      await record(to, spansOf('both'))
      await record(to, spansOf('there'))
      await record(from, spansOf('kept'))
      await store.recordScores(from, [score('s', { traceId: movedId(3) })])
      const logs = [contentLog('a', 'question', 'answer', { traceId: movedId(4) })]
      await store.recordLogs(from, store.encodeLogs(logs))
      const before = await everyTrace(from)
      const ids = ['none', ...moved, 'both', 'there']
      expect(await store.moveTraces(to, from, ids)).toEqual([
        ...['not_found', ...moved.map(() => 'adopted'), 'exists', 'exists'],
      ])
      expect((await everyTrace(from)).map(({ traceId }) => traceId)).toEqual(['kept', 'both'])
      const withoutTime = ({ updatedAt: _, ...trace }: Trace) => ({ ...trace, projectId: to })
      const expected = before.filter(({ traceId }) => moved.includes(traceId)).map(withoutTime)
      const after = await store.findTraces(to, moved)
      expect(new Set(after.map(withoutTime))).toEqual(new Set(expected))
      for (const traceId of moved) {
        const spans = await readSpans(store, to, traceId)
        expect(spans.map(({ spanId }) => spanId)).toEqual(['a', traceId])
      }
      expect((await store.listScores(to, movedId(3), { limit: 9 })).scores).toHaveLength(1)
      expect((await store.findSpan(to, movedId(4), 'a'))?.body.input).toContain('question')
      expect(await store.moveTraces(to, from, [])).toEqual([])
    })

    test('old traces are removed until none remain, and no newer ones', async () => {
      const projectId = randomUUID()
      const spans = Array.from({ length: 7 }, (_, i) =>
        span('a', { traceId: `t${i}`, startedAt: start + BigInt(i) }),
      )
      await record(projectId, spans)
      expect(await removeOld(projectId, start + 5n)).toBe(5)
      const remaining = await everyTrace(projectId)
      expect(remaining.map(({ traceId }) => traceId)).toEqual(['t6', 't5'])
      expect(await store.removeOldTraces(projectId, start + 5n)).toEqual({
        traceCount: 0,
        isDone: true,
      })
      expect(await store.removeOldTraces(randomUUID(), start + 5n)).toEqual({
        traceCount: 0,
        isDone: true,
      })
    })

    test('a large trace is removed completely while others record, and can be recorded again', async () => {
      const [mine, theirs] = [randomUUID(), randomUUID()]
      await record(mine, manySpans('large', 12_000))
      await record(mine, [span('a')])
      const removal = store.removeTrace(mine, 'large')
      await record(theirs, [span('a')])
      expect(await removal).toBe(true)
      expect(await store.findTrace(mine, 'large')).toBeUndefined()
      expect((await everyTrace(mine)).map(({ traceId }) => traceId)).toEqual(['trace'])
      await record(mine, [span('b', { traceId: 'large' })])
      expect((await store.findTrace(mine, 'large'))?.spanCount).toBe(1)
    })

    test('large traces that are old are removed with small ones', async () => {
      const projectId = randomUUID()
      await record(projectId, manySpans('large', 12_000))
      await record(projectId, [span('a', { traceId: 'small', startedAt: start + 1n })])
      expect(await removeOld(projectId, start + 2n)).toBe(2)
      expect(await everyTrace(projectId)).toEqual([])
    })
  })
}

function describeProjectRemoval(open: OpenStore): void {
  describe('removing a project', () => {
    let store: TelemetryStore
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())

    const { wholeList } = storeHelpers(() => store)
    const idempotency = { key: 'once', note: 'a note' }
    const filters = { tags: ['secret tag'], name: 'secret name' }

    /** Records one of everything that a project can have. */
    const fill = async (projectId: string, traces = 3) => {
      const spans = Array.from({ length: traces }, (_, i) =>
        span('a', { traceId: `t${i}`, name: 'secret name', startedAt: start + BigInt(i) }),
      )
      const recording = { projectId, source: 'json' as const, spans: store.encode(spans) }
      await store.record({ ...recording, labels: labels({ tags: ['secret tag'] }), idempotency })
      await store.recordMetrics(projectId, store.encodeMetrics([measurement(), measurement()]))
      await store.recordLogs(
        projectId,
        store.encodeLogs([log('hello'), contentLog('a', 'question', 'answer', { traceId: 't0' })]),
      )
    }
    const remove = async (projectId: string): Promise<void> => {
      while ((await store.removeProject(projectId)) === 'more');
    }
    const indexed = async () => {
      while (store.searchLagMs() > 0) await new Promise((resolve) => setTimeout(resolve, 10))
    }
    /** Everything that can be read of the project. */
    const readable = async (projectId: string) => ({
      list: await wholeList(projectId),
      byFacet: (await store.listTraces(projectId, { limit: 9, filters })).traces,
      trace: await store.findTrace(projectId, 't0'),
      span: await store.findSpan(projectId, 't0', 'a'),
      metrics: (await store.listMetrics(projectId, { limit: 9 })).metrics,
      logs: (await store.listLogs(projectId, { limit: 9, scanLimit: 99, filters: {} })).logs,
      found: (await store.listTraces(projectId, { limit: 9, filters: { search: 'secret' } }))
        .traces,
    })
    const nothing = {
      list: { traces: [], next: undefined },
      ...{ byFacet: [], trace: undefined, span: undefined, metrics: [], logs: [], found: [] },
    }

    test('leaves nothing readable, and does not change other projects', async () => {
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

    test('an unknown project is removed', async () => {
      expect(await store.removeProject(randomUUID())).toBe('removed')
    })

    test('serves other projects meanwhile', async () => {
      const [mine, theirs] = [randomUUID(), randomUUID()]
      await fill(mine, 1300)
      const removal = remove(mine)
      await fill(theirs)
      expect((await store.findTrace(theirs, 't0'))?.spanCount).toBe(1)
      await removal
      expect((await wholeList(mine)).traces).toEqual([])
    })

    test('keeps what is recorded afterwards, and forgets earlier idempotency keys', async () => {
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
      expect((await wholeList(projectId)).traces).toHaveLength(1)
    })
  })
}
