import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { hasClickHouseEngine } from '../../../../test/clickhouse/engine.ts'
import { useGatedEngine } from '../../../../test/clickhouse/gated-engine.ts'
import { Unavailable } from '../../../platform/failure.ts'
import { readSpans, span, start, storeHelpers } from '../port/samples.ts'
import { contentLog, log } from '../port/signal-samples.ts'
import type { TelemetryStore } from '../port/store.ts'
import { type Connection, openConnection } from './connection.ts'

/*
 * Moves of traces with very many rows, which take several statements for each table.
 */

describe.runIf(hasClickHouseEngine())(
  'moves of large traces in ClickHouse (only where chdb is installed)',
  { timeout: 120_000 },
  () => {
    const clickHouse = useGatedEngine('SQLite')
    const never = 2 ** 31 - 1
    let store: TelemetryStore
    let connection: Connection
    beforeAll(async () => {
      store = await clickHouse.openStore({ repairIntervalMs: never })
      connection = openConnection({ url: clickHouse.engine.url, database: 'assay' })
    })
    afterAll(async () => {
      await connection.close()
      await store.close()
    })
    const { record } = storeHelpers(() => store)
    const openAnother = async () => {
      const { url } = clickHouse.engine
      const another = await clickHouse.openStore({ url, repairIntervalMs: never })
      onTestFinished(() => another.close())
      return another
    }

    const recordLogs = (projectId: string, logs: readonly ReturnType<typeof log>[]) =>
      store.recordLogs(projectId, store.encodeLogs(logs))
    /** Records of a trace, one in each nanosecond. */
    const logsOf = (traceId: string, count: number) =>
      Array.from({ length: count }, (_, n) => log(`${n}`, { traceId, at: start + BigInt(n) }))
    /** How many different log records there are of a project, and of how many traces. */
    const countLogs = async (projectId: string) => {
      const [row] = await connection.rows(
        'SELECT uniqExact(log_id), uniqExact(trace_id) FROM logs WHERE project_id = {project:String}',
        { project: projectId },
      )
      return row?.map(Number)
    }
    const countDeletions = async (projectId: string, table: string) => {
      const [row] = await connection.rows(
        'SELECT count() FROM system.mutations WHERE table = {table:String} AND position(command, {project:String}) > 0',
        { project: projectId, table },
      )
      return Number(row?.[0])
    }

    test('take along every log record in few statements', async () => {
      const [from, to] = [randomUUID(), randomUUID()]
      const traceIds = ['1', '2']
      await record(
        from,
        traceIds.map((traceId) => span('a', { traceId })),
      )
      for (const traceId of traceIds) await recordLogs(from, logsOf(traceId, 6000))
      const contents = Array.from({ length: 5000 }, (_, n) =>
        contentLog('a', `${n}`, null, { traceId: '1', at: start + BigInt(n) }),
      )
      await recordLogs(from, contents)
      await recordLogs(from, [log('of another', { traceId: 'another' })])
      const before = await store.findSpan(from, '1', 'a')
      expect(await store.moveTraces(to, from, traceIds)).toEqual(['adopted', 'adopted'])
      expect(await countLogs(to)).toEqual([17_000, 2])
      expect(await countLogs(from)).toEqual([1, 1])
      expect(await store.findSpan(to, '1', 'a')).toEqual(before)
      expect(before?.body.input).toContain('"4999"')
      expect(await countDeletions(from, 'logs')).toBeLessThanOrEqual(4)
      expect(await countDeletions(from, 'span_contents')).toBeLessThanOrEqual(3)
    })

    test.each(['INSERT INTO logs', 'DELETE FROM logs'])(
      'that are interrupted at a later %s continue where they were when they are repeated',
      async (text) => {
        const [from, to] = [randomUUID(), randomUUID()]
        await record(from, [span('a')])
        await recordLogs(from, logsOf('trace', 12_000))
        const held = clickHouse.gate.hold(text)
        const moving = store.moveTraces(to, from, ['trace'])
        await held.reached
        onTestFinished(() => clickHouse.gate.cut(undefined))
        clickHouse.gate.cut(text)
        held.release()
        await expect(moving).rejects.toBeInstanceOf(Unavailable)
        clickHouse.gate.cut(undefined)
        await vi.waitUntil(() => store.probe(), { timeout: 15_000 })
        expect((await countLogs(from))?.[0]).toBeLessThan(12_000)
        expect(await store.findTrace(to, 'trace')).toBeUndefined()
        const another = await openAnother()
        expect(await another.moveTraces(to, from, ['trace'])).toEqual(['adopted'])
        expect(await countLogs(to)).toEqual([12_000, 1])
        expect(await countLogs(from)).toEqual([0, 0])
        expect((await readSpans(store, to, 'trace')).map(({ spanId }) => spanId)).toEqual(['a'])
        expect(await store.moveTraces(to, from, ['trace'])).toEqual(['exists'])
      },
    )

    test.each(['INSERT INTO logs', 'DELETE FROM logs'])(
      'leave log records that arrive before %s where they were sent to',
      async (text) => {
        const [from, to] = [randomUUID(), randomUUID()]
        await record(from, [span('a')])
        await recordLogs(from, logsOf('trace', 100))
        const held = clickHouse.gate.hold(text)
        const moving = store.moveTraces(to, from, ['trace'])
        await held.reached
        const another = await openAnother()
        const late = log('late', { traceId: 'trace', at: start + 50n })
        await another.recordLogs(from, another.encodeLogs([late]))
        held.release()
        expect(await moving).toEqual(['adopted'])
        expect(await countLogs(to)).toEqual([100, 1])
        expect(await countLogs(from)).toEqual([1, 1])
      },
    )

    test('leave both traces when the target receives one while log records are moved', async () => {
      const [from, to] = [randomUUID(), randomUUID()]
      await record(from, [span('a')])
      await recordLogs(from, logsOf('trace', 10))
      const held = clickHouse.gate.hold('DELETE FROM logs')
      const moving = store.moveTraces(to, from, ['trace'])
      await held.reached
      const another = await openAnother()
      const recording = { projectId: to, source: 'otlp' as const }
      await another.record({ ...recording, spans: another.encode([span('b')]) })
      held.release()
      expect(await moving).toEqual(['exists'])
      for (const [projectId, spanId] of [
        [from, 'a'],
        [to, 'b'],
      ] as const) {
        const spans = await readSpans(store, projectId, 'trace')
        expect(spans.map((each) => each.spanId)).toEqual([spanId])
      }
      expect(await countLogs(to)).toEqual([10, 1])
    })

    test('take along every span, in the versions that were copied', async () => {
      const [from, to] = [randomUUID(), randomUUID()]
      // Ids that fit in no parameter together.
      const spans = Array.from({ length: 9000 }, (_, n) => span(`ü${n}`.padEnd(60, '-')))
      for (const some of [spans, spans.slice(0, 4000)]) await record(from, some)
      expect(await store.moveTraces(to, from, ['trace'])).toEqual(['adopted'])
      expect((await store.findTrace(to, 'trace'))?.spanCount).toBe(9000)
      expect(await store.findTrace(from, 'trace')).toBeUndefined()
      const [row] = await connection.rows(
        'SELECT count() FROM spans WHERE project_id = {project:String}',
        { project: from },
      )
      expect(Number(row?.[0])).toBe(0)
    })
  },
)
