import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { JsonText } from '../../../domain/json-text.ts'
import { body, span } from '../port/samples.ts'
import { addEndlessMetrics } from './endless-metrics.ts'
import { readOperations } from './read-operations.ts'
import { openReaderPool } from './reader-pool.ts'
import { folderOfTest, storeOfTest } from './test-store.ts'

/*
 * Large spans are read by the threads for scans.
 */

const projectId = randomUUID()

/** One thread for quick reads and one for scans. */
async function openReads() {
  const folder = folderOfTest()
  const store = await storeOfTest(folder)
  const input = JSON.stringify('x'.repeat(5_000_000)) as JsonText
  const spans = [span('large', { body: { ...body, input } }), span('small', { traceId: 'other' })]
  await store.record({ projectId, source: 'json', spans: store.encode(spans) })
  const fail = (error?: Error) => {
    throw error ?? new Error('The file is damaged.')
  }
  const file = join(folder, 'telemetry.sqlite')
  const pool = await openReaderPool(
    { file, searchFile: join(folder, 'search.sqlite'), deadlineMs: 60_000 },
    { onCorruption: fail, onOpenFailed: fail, onFatal: fail },
    2,
  )
  onTestFinished(() => pool.close())
  const reads = readOperations({ pool, checkOpen: () => undefined })
  return { pool, reads, metrics: addEndlessMetrics(folder, projectId) }
}

const page = { limit: 10, bodies: true }

test('large spans wait for a thread for scans; quick reads do not wait for them', async () => {
  const { pool, reads, metrics } = await openReads()
  const end = new AbortController()
  const endless = pool.scan('metricPage', [projectId, { limit: 5 }], { signal: end.signal })
  await vi.waitFor(() => expect(metrics.isRead()).toBe(true), 10_000)
  const ended: string[] = []
  const large = [
    reads.readSpanJson(projectId, 'trace', 'large').finally(() => ended.push('large span')),
    reads.readSpansJson(projectId, 'trace', page).finally(() => ended.push('large page')),
  ]
  expect(await reads.readSpanJson(projectId, 'other', 'small')).toBeDefined()
  const withoutBodies = { ...page, bodies: false }
  expect(await reads.readSpansJson(projectId, 'trace', withoutBodies)).toMatchObject({ count: 1 })
  expect(await reads.readSpansJson(projectId, 'other', page)).toMatchObject({ count: 1 })
  expect(ended).toEqual([])
  end.abort(new Error('gone'))
  await expect(endless).rejects.toThrow('gone')
  await Promise.all(large)
  expect(ended).toHaveLength(2)
})
