import { randomUUID } from 'node:crypto'
import { renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Requester } from '../../../platform/requester.ts'
import { ReadTimeout } from '../port/read-options.ts'
import { span } from '../port/samples.ts'
import { addEndlessMetrics } from './endless-metrics.ts'
import { openReaderPool } from './reader-pool.ts'
import { folderOfTest, storeOfTest } from './test-store.ts'

/*
 * Stopping a running read frees its thread for the next one.
 */

const projectId = randomUUID()

/** With a single thread for scans by default. */
async function openPool(threads = 2) {
  const folder = folderOfTest()
  const store = await storeOfTest(folder)
  const spans = store.encode([span('a')])
  await store.record({ projectId, source: 'json', spans })
  const file = join(folder, 'telemetry.sqlite')
  // A path of its own, which the store does not watch.
  const searchFile = join(folder, 'attached.sqlite')
  symlinkSync('search.sqlite', searchFile)
  const fail = (error: Error) => {
    throw error
  }
  const onOpenFailed = vi.fn<() => void>()
  const pool = await openReaderPool(
    { file, searchFile, deadlineMs: 60_000, stopWithinMs: 100 },
    { onCorruption: () => fail(new Error('The file is damaged.')), onOpenFailed, onFatal: fail },
    threads,
  )
  onTestFinished(() => pool.close())
  const metrics = addEndlessMetrics(folder, projectId)
  return { pool, metrics, searchFile, onOpenFailed }
}

test('a running read whose signal aborts frees the only thread for scans', async () => {
  const { pool, metrics } = await openPool()
  const controller = new AbortController()
  const reason = new Error('gone')
  const endless = pool.scan('metricPage', [projectId, { limit: 5 }], { signal: controller.signal })
  const next = pool.scan('tracePage', [projectId, { limit: 5, filters: {} }])
  await vi.waitFor(() => expect(metrics.isRead()).toBe(true), 10_000)
  controller.abort(reason)
  await expect(endless).rejects.toBe(reason)
  expect((await next).traces).toHaveLength(1)
})

test('a running read whose deadline passes frees the only thread for scans', async () => {
  const { pool } = await openPool()
  const endless = pool.scan('metricPage', [projectId, { limit: 5 }], { deadlineMs: 1000 })
  const next = pool.scan('tracePage', [projectId, { limit: 5, filters: {} }])
  await expect(endless).rejects.toThrow(ReadTimeout)
  expect((await next).traces).toHaveLength(1)
})

test('a read that does not stop loses its thread, and the next one gets another', async () => {
  const { pool, metrics } = await openPool()
  // A search for a metric without stop checks, in an endless list.
  const range = { from: 0n, to: 1n, stepNanos: 1n }
  const query = { range, attributes: [], maxSeries: 1, maxPoints: 1, maxExemplars: 1 }
  const controller = new AbortController()
  const endless = pool.scan('series', [projectId, 'none', query], { signal: controller.signal })
  const next = pool.scan('tracePage', [projectId, { limit: 5, filters: {} }])
  await vi.waitFor(() => expect(metrics.isRead()).toBe(true), 10_000)
  controller.abort(new Error('gone'))
  await expect(endless).rejects.toThrow('gone')
  expect((await next).traces).toHaveLength(1)
  expect(metrics.isRead()).toBe(false)
})

test('quick reads of one project without a pause do not keep a scan of another from starting', async () => {
  const { pool } = await openPool()
  let isScanned = false
  const flood = Array.from({ length: 20 }, async () => {
    while (!isScanned) await pool.lookup('trace', [projectId, 'trace'])
  })
  const page = await pool.scan('tracePage', [randomUUID(), { limit: 5, filters: {} }])
  isScanned = true
  await Promise.all(flood)
  expect(page.traces).toEqual([])
})

test('long scans of a person leave a thread to their organization, whose scans leave one to others', async () => {
  const { pool, metrics } = await openPool(4)
  const end = new AbortController()
  const scanForever = (requester: Requester) =>
    Array.from({ length: 3 }, () =>
      pool.scan('metricPage', [projectId, { limit: 5 }], { requester, signal: end.signal }),
    )
  const scan = (requester: Requester) =>
    pool.scan('tracePage', [projectId, { limit: 5, filters: {} }], { requester })
  const endless = [...scanForever(['attacker', 'ana']), ...scanForever(['attacker', 'ben'])]
  await vi.waitFor(() => expect(metrics.isRead()).toBe(true), 10_000)
  expect((await scan(['victim', 'cy'])).traces).toHaveLength(1)
  end.abort()
  await Promise.allSettled(endless)
  const own = new AbortController()
  const ofAna = Array.from({ length: 3 }, () =>
    pool.scan('metricPage', [projectId, { limit: 5 }], {
      ...{ requester: ['attacker', 'ana'], signal: own.signal },
    }),
  )
  await vi.waitFor(() => expect(metrics.isRead()).toBe(true), 10_000)
  expect((await scan(['attacker', 'ben'])).traces).toHaveLength(1)
  own.abort()
  await Promise.allSettled(ofAna)
})

test('after a thread could not be started for a read that was aborted, the next read starts it again', async () => {
  const { pool, searchFile, onOpenFailed } = await openPool()
  const scan = (signal?: AbortSignal) =>
    pool.scan('tracePage', [projectId, { limit: 5, filters: {} }], { ...(signal && { signal }) })
  renameSync(searchFile, `${searchFile}.good`)
  writeFileSync(searchFile, 'not a database, but long enough to be read as one')
  const controller = new AbortController()
  const aborted = scan(controller.signal)
  controller.abort(new Error('gone'))
  await expect(aborted).rejects.toThrow('gone')
  await vi.waitFor(() => expect(onOpenFailed).toHaveBeenCalled(), 10_000)
  renameSync(`${searchFile}.good`, searchFile)
  expect((await scan()).traces).toHaveLength(1)
})
