import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasClickHouseEngine } from '../../../../test/clickhouse/engine.ts'
import { useGatedEngine } from '../../../../test/clickhouse/gated-engine.ts'
import { dayNanos } from '../moved-rows.ts'
import { start } from '../port/samples.ts'
import { contentLog, measurement } from '../port/signal-samples.ts'
import type { TelemetryStore } from '../port/store.ts'

/*
 * The statements by which old metrics and log records are removed.
 */

describe.runIf(hasClickHouseEngine())(
  'removing old signals in ClickHouse (only where chdb is installed)',
  { timeout: 60_000 },
  () => {
    const clickHouse = useGatedEngine('SQLite')
    let store: TelemetryStore
    beforeAll(async () => {
      store = await clickHouse.openStore({ repairIntervalMs: 2 ** 31 - 1 })
    })
    afterAll(() => store.close())

    const recordAt = async (projectId: string, days: readonly bigint[]) => {
      for (const day of days) {
        const at = start + day * dayNanos
        await store.recordMetrics(projectId, store.encodeMetrics([measurement({ at })]))
        await store.recordLogs(projectId, store.encodeLogs([contentLog('a', 'i', 'o', { at })]))
      }
    }
    const countStored = async (projectId: string) => {
      const { metricPoints, logRecords } = await store.readStorage(projectId)
      return [metricPoints.count, logRecords.count]
    }

    test('deletes nothing where nothing is old', async () => {
      const projectId = randomUUID()
      await recordAt(projectId, [0n, 1n])
      clickHouse.gate.cut('DELETE FROM')
      try {
        expect(await store.removeOldSignals(projectId, start)).toBeUndefined()
        expect(await store.removeOldSignals(randomUUID(), start)).toBeUndefined()
      } finally {
        clickHouse.gate.cut(undefined)
      }
      expect(await countStored(projectId)).toEqual([2, 2])
    })

    test('deletes a month at a time, and skips months without any', async () => {
      const projectId = randomUUID()
      await recordAt(projectId, [0n, 30n, 32n, 3000n, 3001n])
      const counts: unknown[] = []
      let after: string | undefined
      do {
        after = await store.removeOldSignals(projectId, start + 3001n * dayNanos, after)
        counts.push(await countStored(projectId))
      } while (after !== undefined)
      expect(counts).toEqual([
        [3, 3],
        [2, 2],
        [1, 1],
      ])
    })
  },
)
