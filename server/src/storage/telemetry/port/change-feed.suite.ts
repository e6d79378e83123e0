import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonText } from '../../../domain/json-text.ts'
import type { LogRecord } from '../../../domain/log-record.ts'
import { type OpenStore, span, storeHelpers } from './samples.ts'
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
      const reported: string[] = []
      const reading: Promise<unknown>[] = []
      const end = store.watchChanges(projectId, (change) => {
        reported.push(...change.traceIds)
        reading.push(...change.traceIds.map((id) => store.findTrace(projectId, id)))
      })
      const idempotency = { key: 'key', note: '' }
      await record(projectId, [span('a'), span('a', { traceId: 'other' })], { idempotency })
      await record(projectId, [span('b')], { idempotency })
      await record(projectId, [span('c', { startedAt: 2n ** 80n })]).catch(() => undefined)
      await record(randomUUID(), [span('d')])
      end()
      await record(projectId, [span('e', { traceId: 'unsubscribed' })])
      expect(reported.toSorted()).toEqual(['other', 'trace'])
      expect(await Promise.all(reading)).not.toContain(undefined)
    })

    test('reports stored traces whose spans get contents from log records, and no others', async () => {
      const projectId = randomUUID()
      await store.record({ projectId, source: 'otlp', spans: store.encode([span('a')]) })
      const reported: string[] = []
      const end = store.watchChanges(projectId, (change) => {
        reported.push(...change.traceIds)
      })
      const content = { input: '["late"]' as JsonText, output: null }
      const { traceId } = span('a')
      await recordLogs(projectId, [log('about nothing', { traceId, spanId: 'a', content: null })])
      await recordLogs(projectId, [log('early', { traceId: 'unknown', spanId: 'a', content })])
      expect(reported).toEqual([])
      await recordLogs(projectId, [
        log('late', { traceId, spanId: 'a', content }),
        log('later', { traceId, spanId: 'a', content }),
      ])
      end()
      expect(reported).toEqual([traceId])
    })

    test('reports to the other listeners when one fails', async () => {
      const projectId = randomUUID()
      const found: string[] = []
      const ends = [
        store.watchChanges(projectId, () => {
          throw new Error('a faulty listener')
        }),
        store.watchChanges(projectId, ({ traceIds }) => found.push(...traceIds)),
      ]
      await record(projectId, [span('a')])
      for (const end of ends) end()
      expect(found).toEqual(['trace'])
    })
  })
}
