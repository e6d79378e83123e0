import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasClickHouseEngine } from '../../../../test/clickhouse/engine.ts'
import { useGatedEngine } from '../../../../test/clickhouse/gated-engine.ts'
import { idsOf, span, storeHelpers } from '../port/samples.ts'
import type { TelemetryStore } from '../port/store.ts'
import { type Connection, openConnection } from './connection.ts'
import { openHybridClock } from './hybrid-clock.ts'
import { openLargeTraces } from './large-traces.ts'
import { openSpanRecording } from './span-recording.ts'
import { openTraceRepair } from './trace-repair.ts'

/*
 * What a check finds, and what it leaves to the next one. What interrupted writes leave behind is in
 * interrupted-writes.db.test.ts.
 */

describe.runIf(hasClickHouseEngine())(
  'checks of stored traces (only where chdb is installed)',
  { timeout: 120_000 },
  () => {
    const clickHouse = useGatedEngine('SQLite')
    /** It checks what is stored when it is opened, and not again. */
    let store: TelemetryStore
    let connection: Connection
    beforeAll(async () => {
      store = await clickHouse.openStore({ repairIntervalMs: 2 ** 31 - 1 })
      connection = openConnection({ url: clickHouse.engine.url, database: 'assay' })
    })
    afterAll(async () => {
      await store.close()
      await connection.close()
    })
    const { record, everyTrace } = storeHelpers(() => store)

    /** Of a process of its own. Returns the ids of the traces that it has notified of. */
    const check = async (cluster?: string): Promise<readonly string[]> => {
      const now = () => BigInt(Date.now()) * 1_000_000n
      const largeTraces = openLargeTraces()
      const nextVersion = openHybridClock()
      const recording = openSpanRecording({ connection, nextVersion, now, largeTraces })
      const changed: string[] = []
      const notify = (_: string, ids: readonly string[] | null) => changed.push(...(ids ?? []))
      const repair = openTraceRepair({ connection, recording, now, notify, cluster })
      await repair.check(new AbortController().signal, 0)
      return changed
    }
    const copyRow = (projectId: string, changes: string) =>
      connection.execute(
        `INSERT INTO traces (*, stored_at) SETTINGS insert_allow_materialized_columns = 1
        SELECT * REPLACE (${changes}), now() + 30 FROM traces WHERE project_id = {project:String}`,
        { project: projectId },
      )
    const countOf = async (projectId: string) =>
      (await store.findTrace(projectId, 'trace'))?.spanCount

    test('leave alone a row whose spans a replica may not have yet, unless there are no others', async () => {
      const projectId = randomUUID()
      await record(projectId, [span('a')])
      await copyRow(projectId, 'version + 1 AS version, 2 AS span_count')
      await check('replicas')
      expect(await countOf(projectId)).toBe(2)
      await check()
      expect(await countOf(projectId)).toBe(1)
    })

    test.each([
      { situation: 'the clock was ahead', storedSecondsAgo: 0, merge: 'SELECT 1' },
      {
        ...{ situation: 'it was, and that have replaced the others', storedSecondsAgo: 1800 },
        merge: 'OPTIMIZE TABLE repairs FINAL',
      },
    ])('ignore times that were stored while $situation', async ({ storedSecondsAgo, merge }) => {
      const [from, projectId] = [randomUUID(), randomUUID()]
      await record(from, [span('a')])
      await check()
      await connection.execute(
        `INSERT INTO spans (*, stored_at) SETTINGS insert_allow_materialized_columns = 1
        SELECT * REPLACE ({to:String} AS project_id), now() - {ago:UInt32}
        FROM spans WHERE spans.project_id = {from:String}`,
        { from, to: projectId, ago: storedSecondsAgo },
      )
      await connection.execute('INSERT INTO repairs (checked_until) SELECT now() + 86400')
      await connection.execute(merge)
      expect(await check()).toEqual(['trace'])
      expect(await countOf(projectId)).toBe(1)
      const ahead = 'SELECT count() FROM repairs WHERE checked_until > now()'
      expect(await connection.rows(ahead, {})).toEqual([['0']])
    })

    test('restore the keys of traces that are missing in the list, and notify their watchers', async () => {
      const projectId = randomUUID()
      const ids = ['listed', 'missing', 'moved']
      await record(
        projectId,
        ids.map((traceId) => span('a', { traceId })),
      )
      await record(projectId, [span('b', { traceId: 'moved', startedAt: 1n, endedAt: 2n })])
      await connection.execute(
        `DELETE FROM trace_feed WHERE project_id = {project:String}
          AND (trace_id = 'missing' OR started_at = 1)`,
        { project: projectId },
      )
      expect(idsOf(await everyTrace(projectId))).toEqual(['listed'])
      expect((await check()).toSorted()).toEqual(['missing', 'moved'])
      expect(idsOf(await everyTrace(projectId)).toSorted()).toEqual(ids)
      expect(await check()).toEqual([])
    })
  },
)
