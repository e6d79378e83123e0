import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openLog } from '../../../../platform/log.ts'
import { openTelemetry } from '../../engines.ts'
import { span } from '../../port/samples.ts'
import type { TelemetryStore } from '../../port/store.ts'
import { folderOfTest } from '../test-store.ts'

/*
 * Ingestion while the search index is behind.
 */

const projectId = randomUUID()
const record = (store: TelemetryStore, traceId: string) =>
  store.record({ projectId, source: 'json', spans: store.encode([span('a', { traceId })]) })

/** Never lets the index fall behind. */
async function openStrict(dataDir: string) {
  const store = await openTelemetry({
    ...{ engine: 'sqlite', dataDir, searchBacklogMaxMs: 0 },
    log: openLog('error', () => {}),
    onFatal(error) {
      throw error
    },
  })
  onTestFinished(() => store.close())
  return store
}

test('a batch waits until the index has caught up with earlier ones', async () => {
  const store = await openStrict(folderOfTest())
  const query = { limit: 9, filters: { search: 'run' } }
  await record(store, 'first')
  await record(store, 'second')
  const { traces } = await store.listTraces(projectId, query)
  expect(traces.map(({ traceId }) => traceId)).toContain('first')
  const ids = Array.from({ length: 20 }, (_, i) => `t${i}`)
  await Promise.all(ids.map((traceId) => record(store, traceId)))
  const range = { from: 0n, to: 2n ** 62n }
  const { count } = await store.countTraces(projectId, { range, scanLimit: 99 })
  expect(count).toBe(22)
})

test('an index that cannot be written does not stop ingestion', async () => {
  const folder = folderOfTest()
  const store = await openStrict(folder)
  await record(store, 'first')
  await record(store, 'second')
  const blocker = new DatabaseSync(join(folder, 'search.sqlite'), { timeout: 5000 })
  onTestFinished(() => blocker.close())
  blocker.exec('BEGIN IMMEDIATE')
  for (const traceId of ['third', 'fourth', 'fifth']) await record(store, traceId)
  expect(store.searchLagMs()).toBeGreaterThan(0)
  blocker.exec('ROLLBACK')
})
