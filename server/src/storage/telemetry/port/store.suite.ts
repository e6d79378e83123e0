import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonText } from '../../../domain/json-text.ts'
import { InvalidCursor, Unavailable } from '../../../platform/failure.ts'
import { describeChangeFeed } from './change-feed.suite.ts'
import { describeHistograms } from './histogram.suite.ts'
import { describeIngest } from './ingest.suite.ts'
import { describeLogs } from './logs.suite.ts'
import { describeMetrics } from './metrics.suite.ts'
import { describePricing } from './pricing.suite.ts'
import { describeReadOptions } from './read-options.suite.ts'
import { describeRemoval } from './removal.suite.ts'
import { describeRepeatedCalls } from './repeated-calls.suite.ts'
import { body, idsOf, type OpenStore, span, start, storeHelpers } from './samples.ts'
import { describeScoreAgreement } from './score-agreement.suite.ts'
import { describeScores } from './scores.suite.ts'
import { describeSearch } from './search.suite.ts'
import { describeSettling } from './settling.suite.ts'
import { describeStats } from './stats.suite.ts'
import { describeStorage } from './storage-used.suite.ts'
import type { TelemetryStore } from './store.ts'
import { describeTraceTags } from './trace-tags.suite.ts'
import { describeTraces } from './traces.suite.ts'

/*
 * Everything that the telemetry port promises, as tests that every engine passes. Each test creates its own
 * projects, so that the tests of a part share one store, as in production.
 */

/** `open` returns a new, empty store. */
export function describeTelemetryStore(engine: string, open: OpenStore): void {
  describe(`telemetry in ${engine}`, () => {
    describeGeneralPromises(open)
    describeReadOptions(open)
    describeIngest(open)
    describeTraces(open)
    describeRepeatedCalls(open)
    describeSearch(open)
    describeStats(open)
    describeHistograms(open)
    describeMetrics(open)
    describeLogs(open)
    describePricing(open)
    describeRemoval(open)
    describeStorage(open)
    describeScores(open)
    describeScoreAgreement(open)
    describeSettling(open)
    describeTraceTags(open)
    describeChangeFeed(open)
  })
}

function describeGeneralPromises(open: OpenStore): void {
  describe('every operation', () => {
    let store: TelemetryStore
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())

    const { record, everySpan, everyTrace, wholeList } = storeHelpers(() => store)

    describe('tenancy', () => {
      test('equal ids in two projects are two independent traces', async () => {
        const [mine, theirs] = [randomUUID(), randomUUID()]
        await record(mine, [span('a', { name: 'mine' }), span('b')])
        const before = await store.findTrace(mine, 'trace')
        await record(theirs, [span('a', { name: 'theirs', status: 'ERROR' }), span('c')])

        expect(await store.findTrace(mine, 'trace')).toEqual(before)
        expect((await store.findSpan(mine, 'trace', 'a'))?.name).toBe('mine')
        expect(await store.findSpan(mine, 'trace', 'c')).toBeUndefined()
        expect((await everySpan(mine, 'trace')).map(({ spanId }) => spanId)).toEqual(['a', 'b'])
        expect((await store.findSpan(theirs, 'trace', 'a'))?.name).toBe('theirs')
        expect(await store.findTraces(mine, ['trace'])).toEqual([before])
        expect(await wholeList(mine)).toEqual({ traces: [before], next: undefined })
        expect(await everyTrace(mine, { status: 'ERROR' })).toEqual([])
      })

      test('an idempotency key applies to its own project only', async () => {
        const [mine, theirs] = [randomUUID(), randomUUID()]
        const idempotency = { key: 'key', note: 'mine' }
        await record(mine, [span('a')], { idempotency })
        const recorded = await record(theirs, [span('b')], {
          idempotency: { key: 'key', note: 'theirs' },
        })
        expect(recorded).toMatchObject({ repeated: false, note: 'theirs' })
        expect(await store.findSpan(theirs, 'trace', 'b')).toBeDefined()
      })

      test('missing data is undefined or empty', async () => {
        const [mine, empty] = [randomUUID(), randomUUID()]
        await record(mine, [span('a')])
        for (const projectId of [empty, 'no such project', '']) {
          expect(await store.findTrace(projectId, 'trace')).toBeUndefined()
          expect(await store.findTraces(projectId, ['trace'])).toEqual([])
          expect(await store.findSpan(projectId, 'trace', 'a')).toBeUndefined()
          const query = { limit: 1, bodies: true }
          expect(await store.readSpansJson(projectId, 'trace', query)).toBeUndefined()
          expect(await store.readSpanJson(projectId, 'trace', 'a')).toBeUndefined()
          expect(await store.readToolCalls(projectId, 'trace', { limit: 1 })).toMatchObject({
            count: 0,
            firstSpanId: undefined,
            next: undefined,
          })
          expect(await wholeList(projectId)).toEqual({ traces: [], next: undefined })
        }
        expect(await store.findSpan(mine, 'trace', 'none')).toBeUndefined()
        expect(await store.findTraces(mine, [])).toEqual([])
      })
    })

    test.each(['', 'x', '1', '{}', '[]', '99999999999999999999 a'])(
      'a position that cannot be decoded is rejected: %j',
      async (after) => {
        const projectId = randomUUID()
        const range = { from: 0n, to: start }
        const order = 'lowest-first'
        const reads = [
          store.listTraces(projectId, { limit: 1, filters: {}, after }),
          store.readSpansJson(projectId, 'trace', { limit: 1, bodies: false, after }),
          store.readToolCalls(projectId, 'trace', { limit: 1, after }),
          store.listGroups(projectId, { kind: 'session', limit: 1, scanLimit: 1, after }),
          store.listLogs(projectId, { limit: 1, scanLimit: 1, filters: {}, after }),
          store.listMetrics(projectId, { limit: 1, after }),
          store.listPriceable(projectId, { range, limit: 1, after }),
          store.listScores(projectId, 'trace', { limit: 1, after }),
          store.listDisagreements(projectId, {
            ...{ ...range, evaluatorId: 'e', kind: 'tie', limit: 1, scanLimit: 1, after },
          }),
          store.listScoredTraces(projectId, {
            ...{ name: 'n', order, filters: {}, limit: 1, scanLimit: 1, after },
          }),
          store.listSettledTraces(projectId, {
            ...{ filters: {}, receivedSince: 0n, until: start, scanLimit: 1, countLimit: 1, after },
          }),
        ]
        for (const read of reads) await expect(read).rejects.toBeInstanceOf(InvalidCursor)
      },
    )

    describe('load and closing', () => {
      test('beyond the budget of waiting bytes it rejects at once, stores nothing of it, and recovers', async () => {
        const projectId = randomUUID()
        const large = (traceId: string) => ({
          ...store.encode([span('a', { traceId })]),
          sizeBytes: 200 * 1024 * 1024,
        })
        const traceIds = ['x', 'y', 'z']
        const outcomes = await Promise.allSettled(
          traceIds.map((traceId) =>
            store.record({ projectId, source: 'json', spans: large(traceId) }),
          ),
        )
        const refused = outcomes.flatMap((each) =>
          each.status === 'rejected' ? [each.reason] : [],
        )
        expect(refused.length).toBeGreaterThan(0)
        for (const reason of refused) expect(reason).toBeInstanceOf(Unavailable)
        const accepted = outcomes.flatMap((each, i) =>
          each.status === 'fulfilled' ? [traceIds[i]!] : [],
        )
        const recorded = async () => idsOf(await everyTrace(projectId)).toSorted()
        expect(await recorded()).toEqual(accepted)
        await record(projectId, [span('a', { traceId: 'later' })])
        expect(await recorded()).toEqual(['later', ...accepted])
      })

      test('closing waits for running operations and rejects later ones', async () => {
        const closing = await open()
        const long = JSON.stringify(randomBytes(50_000).toString('base64')) as JsonText
        const one = (spanId: string) => ({
          projectId: 'p',
          source: 'json' as const,
          spans: closing.encode([span(spanId, { body: { ...body, input: long } })]),
        })
        // Enough work that closing starts while some of it is still running.
        const running = Array.from({ length: 100 }, (_, i) => closing.record(one(String(i))))
        const read = closing.findTrace('p', 'trace')
        await closing.close()
        expect((await Promise.all(running)).length).toBe(100)
        await read
        await expect(closing.record(one('c'))).rejects.toThrow()
        await expect(closing.findTrace('p', 'trace')).rejects.toThrow()
        await expect(closing.listTraces('p', { limit: 1, filters: {} })).rejects.toThrow()
        await closing.close()
      })
    })
  })
}
