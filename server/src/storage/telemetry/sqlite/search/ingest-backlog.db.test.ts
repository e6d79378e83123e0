import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test, vi } from 'vitest'
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

async function openWith(searchBacklogMaxMs: number, dataDir: string) {
  const store = await openTelemetry({
    ...{ engine: 'sqlite', dataDir, searchBacklogMaxMs },
    log: openLog('error', () => {}),
    onFatal(error) {
      throw error
    },
  })
  onTestFinished(() => store.close())
  return store
}

/** Never lets the index fall behind. */
const openStrict = (dataDir: string) => openWith(0, dataDir)

test('the index advances and search finds new spans while batches keep arriving', async () => {
  const folder = folderOfTest()
  // Ingestion never waits for the index.
  const store = await openWith(Number.POSITIVE_INFINITY, folder)
  const index = new DatabaseSync(join(folder, 'search.sqlite'), { readOnly: true })
  onTestFinished(() => index.close())
  const readPosition = index.prepare('SELECT block_no FROM position')
  const indexedBlock = () => Number(readPosition.get()?.['block_no'])

  let isStopped = false
  const send = async (sender: number) => {
    for (let n = 0; !isStopped; n += 1) await record(store, `sender ${sender} batch ${n}`)
  }
  const senders = Promise.all([0, 1, 2, 3].map(send))
  for (let round = 0; round < 3; round += 1) {
    const before = indexedBlock()
    const name = `marked${round}`
    const marked = store.encode([span('a', { traceId: name, name })])
    await store.record({ projectId, source: 'json', spans: marked })
    const query = { limit: 1, filters: { search: name } }
    await vi.waitFor(async () => {
      const { traces } = await store.listTraces(projectId, query)
      expect(traces.map(({ traceId }) => traceId)).toEqual([name])
    }, 15_000)
    expect(indexedBlock()).toBeGreaterThan(before)
  }
  // The reported lag falls with the commits that are indexed, without waiting for the last one.
  let highestMs = 0
  await vi.waitFor(() => {
    const lagMs = store.searchLagMs()
    highestMs = Math.max(highestMs, lagMs)
    expect(lagMs).toBeLessThan(highestMs)
  }, 15_000)
  isStopped = true
  await senders
}, 60_000)

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
