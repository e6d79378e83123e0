import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ReadOptions, ReadTimeout } from './read-options.ts'
import { type OpenStore, span, start } from './samples.ts'
import type { TelemetryStore } from './store.ts'

/*
 * What read-options.ts promises of every read, as tests.
 */

const range = { from: start, to: start + 1000n }
const stats = { ...range, bucketNanos: 60_000_000_000n, scanLimit: 10 }
const page = { limit: 10 }

type Read = (store: TelemetryStore, projectId: string, options?: ReadOptions) => Promise<unknown>

const reads: Readonly<Record<string, Read>> = {
  findTrace: (store, projectId, options) => store.findTrace(projectId, 'trace', options),
  findTraces: (store, projectId, options) => store.findTraces(projectId, ['trace'], options),
  listTraces: (store, projectId, options) =>
    store.listTraces(projectId, { ...page, filters: {} }, options),
  'listTraces with filters': (store, projectId, options) =>
    store.listTraces(projectId, { ...page, filters: { environment: 'x' } }, options),
  'listTraces with search': (store, projectId, options) =>
    store.listTraces(projectId, { ...page, filters: { search: 'run' } }, options),
  findSpan: (store, projectId, options) => store.findSpan(projectId, 'trace', 'a', options),
  readSpansJson: (store, projectId, options) =>
    store.readSpansJson(projectId, 'trace', { ...page, bodies: true }, options),
  readSpanJson: (store, projectId, options) => store.readSpanJson(projectId, 'trace', 'a', options),
  readToolCalls: (store, projectId, options) =>
    store.readToolCalls(projectId, 'trace', page, options),
  readStats: (store, projectId, options) =>
    store.readStats(projectId, { ...stats, filters: {} }, options),
  readHistogram: (store, projectId, options) => {
    const query = { filters: { environment: 'x' }, maxBuckets: 9, scanLimit: 9, now: start }
    return store.readHistogram(projectId, query, options)
  },
  listGroups: (store, projectId, options) =>
    store.listGroups(projectId, { ...page, kind: 'session', scanLimit: 9 }, options),
  listMetrics: (store, projectId, options) => store.listMetrics(projectId, page, options),
  readSeries: (store, projectId, options) => {
    const bounds = { attributes: [], maxSeries: 9, maxPoints: 9, maxExemplars: 9 }
    const query = { range: { ...range, stepNanos: 10n }, ...bounds }
    return store.readSeries(projectId, 'requests', query, options)
  },
  listLogs: (store, projectId, options) =>
    store.listLogs(projectId, { ...page, scanLimit: 9, filters: {} }, options),
  readStorage: (store, projectId, options) => store.readStorage(projectId, options),
  listPriceable: (store, projectId, options) =>
    store.listPriceable(projectId, { ...page, range }, options),
  countTraces: (store, projectId, options) =>
    store.countTraces(projectId, { range, scanLimit: 9 }, options),
  listModels: (store, projectId, options) =>
    store.listModels(projectId, { ...page, range, traceLimit: 9 }, options),
  listScores: (store, projectId, options) => store.listScores(projectId, 'trace', page, options),
  listScoreRuns: (store, projectId, options) => store.listScoreRuns(projectId, 'trace', 9, options),
  listScoredTraces: (store, projectId, options) => {
    const query = { ...page, name: 'x', order: 'lowest-first', filters: {}, scanLimit: 9 } as const
    return store.listScoredTraces(projectId, query, options)
  },
  readAgreement: (store, projectId, options) =>
    store.readAgreement(projectId, { from: 0n, to: start, scanLimit: 9 }, options),
  listDisagreements: (store, projectId, options) => {
    const kind = 'tie' as const
    const query = { from: 0n, to: start, scanLimit: 9, evaluatorId: 'e', kind, limit: 9 }
    return store.listDisagreements(projectId, query, options)
  },
  findScoreRun: (store, projectId, options) =>
    store.findScoreRun(projectId, 'trace', 'run', options),
  countScores: (store, projectId, options) => store.countScores(projectId, ['trace'], options),
  listSettledTraces: (store, projectId, options) => {
    const query = { filters: {}, receivedSince: 0n, until: start, scanLimit: 9, countLimit: 9 }
    return store.listSettledTraces(projectId, query, options)
  },
  readScoreStats: (store, projectId, options) => store.readScoreStats(projectId, stats, options),
}

export function describeReadOptions(open: OpenStore): void {
  describe('read options', () => {
    let store: TelemetryStore
    const projectId = randomUUID()
    beforeAll(async () => {
      store = await open()
      await store.record({ projectId, source: 'json', spans: store.encode([span('a')]) })
    })
    afterAll(() => store.close())

    test.each(Object.entries(reads))('%s rejects when its signal aborts', async (_name, read) => {
      const reason = new Error('no longer needed')
      const aborted = AbortSignal.abort(reason)
      await expect(read(store, projectId, { signal: aborted })).rejects.toBe(reason)
      const controller = new AbortController()
      const reading = read(store, projectId, { signal: controller.signal })
      controller.abort(reason)
      await expect(reading).rejects.toBe(reason)
      await read(store, projectId, { signal: new AbortController().signal })
    })

    test.each(Object.entries(reads))('%s rejects after its deadline', async (_name, read) => {
      const reading = read(store, projectId, { deadlineMs: 0 })
      await expect(reading).rejects.toBeInstanceOf(ReadTimeout)
      await read(store, projectId, { deadlineMs: 60_000 })
    })

    test('many waiting reads of one project do not delay another project', async () => {
      const other = randomUUID()
      const ended: string[] = []
      const read = async (of: string) => {
        await store.readStorage(of, { deadlineMs: 60_000 })
        ended.push(of)
      }
      const waiting = Array.from({ length: 50 }, () => read(projectId))
      await Promise.all([...waiting, read(other)])
      expect(ended.indexOf(other)).toBeLessThan(25)
    })
  })
}
