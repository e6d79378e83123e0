import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonText } from '../../../domain/json-text.ts'
import type { LogRecord } from '../../../domain/log-record.ts'
import { type OpenStore, span, storeHelpers, watchIds } from './samples.ts'
import { log } from './signal-samples.ts'
import type { TelemetryStore } from './store.ts'

/*
 * What change-feed.ts promises, as tests.
 */

export function describeChangeFeed(open: OpenStore): void {
  describe('the change feed', () => {
    let store: TelemetryStore
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())

    const { record } = storeHelpers(() => store)

    const recordLogs = (projectId: string, records: readonly LogRecord[]) =>
      store.recordLogs(projectId, store.encodeLogs(records))

    test('reports recorded traces of the project once they can be read, and nothing else', async () => {
      const projectId = randomUUID()
      const reported = new Set<string>()
      const reading: Promise<unknown>[] = []
      const end = store.watchChanges(projectId, ({ traceIds }) => {
        const ids = traceIds ?? ['unknown']
        for (const id of ids) reported.add(id)
        reading.push(...ids.map((id) => store.findTrace(projectId, id)))
      })
      const idempotency = { key: 'key', note: '' }
      await record(projectId, [span('a'), span('a', { traceId: 'other' })], { idempotency })
      await record(projectId, [span('b')], { idempotency })
      await record(randomUUID(), [span('d', { traceId: 'elsewhere' })])
      await record(projectId, [span('e', { traceId: 'last' })])
      await expect.poll(() => [...reported].toSorted()).toEqual(['last', 'other', 'trace'])
      end()
      await record(projectId, [span('f', { traceId: 'unsubscribed' })])
      expect(reported.size).toBe(3)
      expect(await Promise.all(reading)).not.toContain(undefined)
    })

    test('reports stored traces whose spans get contents from log records, and no others', async () => {
      const projectId = randomUUID()
      await store.record({ projectId, source: 'otlp', spans: store.encode([span('a')]) })
      await record(projectId, [span('b', { traceId: 'second' })])
      const { reported, end } = watchIds(store, projectId)
      const content = { input: '["late"]' as JsonText, output: null }
      const { traceId } = span('a')
      await recordLogs(projectId, [log('about nothing', { traceId, spanId: 'a', content: null })])
      await recordLogs(projectId, [log('early', { traceId: 'unknown', spanId: 'a', content })])
      await recordLogs(projectId, [
        log('late', { traceId, spanId: 'a', content }),
        log('later', { traceId, spanId: 'a', content }),
      ])
      await expect.poll(() => reported).toContain(traceId)
      await recordLogs(projectId, [log('last', { traceId: 'second', spanId: 'b', content })])
      await expect.poll(() => reported).toContain('second')
      end()
      expect(new Set(reported)).toEqual(new Set([traceId, 'second']))
    })

    test('reports every trace that gets contents from one large batch of log records', async () => {
      const projectId = randomUUID()
      const traceIds = Array.from({ length: 1200 }, (_, i) => `t${i}`)
      await record(
        projectId,
        traceIds.map((traceId) => span('a', { traceId })),
      )
      const { reported, end } = watchIds(store, projectId)
      const content = { input: '["late"]' as JsonText, output: null }
      await recordLogs(
        projectId,
        traceIds.map((traceId) => log('late', { traceId, spanId: 'a', content })),
      )
      await expect.poll(() => new Set(reported).size).toBe(traceIds.length)
      end()
    })

    test('reports to the other listeners when one fails', async () => {
      const projectId = randomUUID()
      const found: string[] = []
      const ends = [
        store.watchChanges(projectId, () => {
          throw new Error('a faulty listener')
        }),
        store.watchChanges(projectId, ({ traceIds }) => found.push(...(traceIds ?? ['unknown']))),
      ]
      await record(projectId, [span('a')])
      await expect.poll(() => found).toContain('trace')
      for (const end of ends) end()
    })
  })
}

/** For an engine that several processes use: `open` opens the same data again. */
export function describeSharedChangeFeed(open: OpenStore): void {
  describe('the change feed of two processes', () => {
    let [here, elsewhere]: TelemetryStore[] = []
    beforeAll(async () => {
      here = await open()
      elsewhere = await open()
    })
    afterAll(() => Promise.all([here?.close(), elsewhere?.close()]))

    const { record } = storeHelpers(() => elsewhere!)

    test('reports what the other process changes, once it can be read here, and no other project', async () => {
      const projectId = randomUUID()
      const reading: Promise<unknown>[] = []
      const reported = new Set<string>()
      const end = here!.watchChanges(projectId, ({ traceIds }) => {
        for (const id of traceIds ?? ['unknown']) {
          reported.add(id)
          reading.push(here!.findTrace(projectId, id))
        }
      })
      await record(randomUUID(), [span('a', { traceId: 'elsewhere' })])
      await record(projectId, [span('a', { traceId: 'first' })])
      await record(projectId, [span('b', { traceId: 'second' })])
      await expect.poll(() => [...reported].toSorted()).toEqual(['first', 'second'])
      reported.clear()
      const content = { input: '["late"]' as JsonText, output: null }
      const late = [log('late', { traceId: 'second', spanId: 'b', content })]
      await elsewhere!.recordLogs(projectId, elsewhere!.encodeLogs(late))
      await expect.poll(() => [...reported]).toEqual(['second'])
      end()
      expect(await Promise.all(reading)).not.toContain(undefined)
    })

    test('reports thousands of traces of the other process at once as unknown, or all of them', async () => {
      const projectId = randomUUID()
      const { reported, end } = watchIds(here!, projectId)
      const traceIds = Array.from({ length: 2_000 }, (_, i) => `t${i}`)
      await record(
        projectId,
        traceIds.map((traceId) => span('a', { traceId })),
      )
      const isReported = () =>
        reported.includes('unknown') || new Set(reported).size === traceIds.length
      await expect.poll(isReported).toBe(true)
      end()
    })
  })
}
