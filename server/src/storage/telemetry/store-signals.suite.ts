import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonText } from '../../domain/json-text.ts'
import type { LogRecord } from '../../domain/log-record.ts'
import type { Measurement } from '../../domain/metric.ts'
import { body, span, start } from './store.samples.ts'
import type { LogFilters, LogPosition, SeriesQuery, TelemetryStore } from './store.ts'
import { contentLog, distribution, log, measurement, second } from './store-signals.samples.ts'

/*
 * What every telemetry store promises of metrics and log records, as tests, in the way of store.suite.ts.
 */

/** Runs the promises against stores that `open` makes: each empty, each on its own. */
export function describeSignalStore(name: string, open: () => Promise<TelemetryStore>): void {
  describe(name, () => {
    let store: TelemetryStore
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())

    const recordMetrics = (projectId: string, measurements: readonly Measurement[]) =>
      store.recordMetrics(projectId, store.encodeMetrics(measurements))
    const recordLogs = (projectId: string, records: readonly LogRecord[]) =>
      store.recordLogs(projectId, store.encodeLogs(records))

    const query = (rest: Partial<SeriesQuery> = {}): SeriesQuery => ({
      range: { from: start, to: start + 60n * second, stepNanos: 60n * second },
      attributes: [],
      maxSeries: 100,
      maxPoints: 1000,
      maxExemplars: 10,
      ...rest,
    })
    const seriesOf = async (projectId: string, metric: string, rest: Partial<SeriesQuery> = {}) => {
      const answer = await store.readSeries(projectId, metric, query(rest))
      if (answer === undefined || answer === 'too-many-points') throw new Error(String(answer))
      return answer.series
    }
    const everyLog = async (projectId: string, filters: LogFilters = {}) =>
      (await store.listLogs(projectId, { limit: 1000, scanLimit: 10_000, filters })).logs
    const bodiesOf = async (projectId: string, filters: LogFilters = {}) =>
      (await everyLog(projectId, filters)).map((each): unknown => JSON.parse(each.body))

    describe('a point', () => {
      test('is seen by the next read, in its series, among the metrics', async () => {
        const projectId = randomUUID()
        await recordMetrics(projectId, [
          measurement({ value: 3 }, { kind: 'gauge', name: 'load' }),
          measurement({ at: start + second, value: 5 }, { kind: 'gauge', name: 'load' }),
          measurement({}, { attributes: '{"a":1}' as JsonText }),
          measurement({}, { attributes: '{"a":2}' as JsonText }),
        ])
        const { metrics, next } = await store.listMetrics(projectId, { limit: 5 })
        const heads = metrics.map((each) => [each.name, each.seriesCount, each.lastSeenAt])
        expect(heads).toEqual([
          ['load', 1, start + second],
          ['requests', 2, start],
        ])
        expect(next).toBeUndefined()
        const [load] = await seriesOf(projectId, 'load')
        expect(load?.steps).toMatchObject([{ at: start, avg: 4, min: 3, max: 5, last: 5 }])
      })

      test('recorded again replaces itself, in one batch and in the next', async () => {
        const projectId = randomUUID()
        const gauge = { kind: 'gauge', temporality: 'unspecified' } as const
        await recordMetrics(projectId, [
          measurement({ value: 1 }, gauge),
          measurement({ value: 2 }, gauge),
        ])
        await recordMetrics(projectId, [measurement({ value: 7 }, gauge)])
        const [series, ...others] = await seriesOf(projectId, 'requests')
        expect(others).toEqual([])
        expect(series?.steps).toMatchObject([{ avg: 7, last: 7 }])
      })

      test('belongs to another series by anything but the description', async () => {
        const projectId = randomUUID()
        const odd = [
          {},
          { description: 'other words' },
          { unit: 's' },
          { kind: 'gauge' },
          { temporality: 'delta' },
          { isMonotonic: false },
          { attributes: '{"a":1}' as JsonText },
          { resource: '{}' as JsonText },
          { scope: '{"name":"x"}' as JsonText },
        ] as const
        await recordMetrics(
          projectId,
          odd.map((each) => measurement({}, each)),
        )
        expect(await seriesOf(projectId, 'requests')).toHaveLength(odd.length - 1)
      })

      test.each([
        [
          'histogram',
          distribution({ count: 3, sum: 6, min: 1, max: 3, bounds: [2], counts: [2, 1] }),
        ],
        [
          'exponential_histogram',
          distribution({
            count: 3,
            sum: 6,
            scale: 1,
            zeroCount: 1,
            positive: { offset: -2, counts: [1, 1] },
          }),
        ],
        ['summary', distribution({ count: 3, sum: 6, quantiles: [[0.5, 2]] })],
      ] as const)('of a %s keeps what it tells', async (kind, told) => {
        const projectId = randomUUID()
        const startedAt = start
        await recordMetrics(projectId, [
          measurement({ at: start + 1n, startedAt, value: null, distribution: told }, { kind }),
        ])
        const [series] = await seriesOf(projectId, 'requests')
        expect(series).toMatchObject({ kind, steps: [{ count: 3, sum: 6, avg: 2 }] })
      })

      test('keeps its exemplars, the newest first', async () => {
        const projectId = randomUUID()
        const exemplar = (value: number) => ({
          at: start + BigInt(value),
          value,
          traceId: 'ab',
          spanId: null,
          attributes: '{"k":9007199254740993}' as JsonText,
        })
        await recordMetrics(projectId, [
          measurement({ exemplars: [exemplar(1), exemplar(2)] }),
          measurement({ at: start + second, exemplars: [exemplar(3)] }),
        ])
        const [series] = await seriesOf(projectId, 'requests', { maxExemplars: 2 })
        expect(series?.exemplars).toEqual([exemplar(3), exemplar(2)])
      })
    })

    describe('series', () => {
      test('are told apart by service and attributes, whatever the type of their values', async () => {
        const projectId = randomUUID()
        const attributes = [
          '{"a":"x","b":1}',
          '{"a":"x","b":true}',
          '{"a":"y","b":0.5,"\\"q.%":"ü"}',
        ] as JsonText[]
        await recordMetrics(
          projectId,
          attributes.map((each, index) =>
            measurement(
              {},
              { attributes: each, service: `s${index}`, scope: `{"n":${index}}` as JsonText },
            ),
          ),
        )
        const found = async (rest: Partial<SeriesQuery>) =>
          (await seriesOf(projectId, 'requests', rest)).map((each) => each.service)
        expect(await found({ attributes: [['a', 'x']] })).toEqual(['s0', 's1'])
        expect(
          await found({
            attributes: [
              ['a', 'x'],
              ['b', '1'],
            ],
          }),
        ).toEqual(['s0'])
        expect(await found({ attributes: [['b', 'true']] })).toEqual(['s1'])
        expect(await found({ attributes: [['b', '0.5']] })).toEqual(['s2'])
        expect(await found({ attributes: [['"q.%', 'ü']] })).toEqual(['s2'])
        expect(await found({ attributes: [['c', 'x']] })).toEqual([])
        expect(await found({ service: 's1' })).toEqual(['s1'])
      })

      test('count from the point before the range, and only points in it', async () => {
        const projectId = randomUUID()
        const values = [10, 14, 20, 100]
        await recordMetrics(
          projectId,
          values.map((value, index) =>
            measurement({ value, at: start - 10n * second + BigInt(index) * 30n * second }),
          ),
        )
        const [series] = await seriesOf(projectId, 'requests')
        expect(series?.steps).toMatchObject([{ sum: 10, last: 20 }])
      })

      test('beyond the bounds are counted, or refused', async () => {
        const projectId = randomUUID()
        await recordMetrics(
          projectId,
          [1, 2, 3].map((n) => measurement({}, { attributes: `{"n":${n}}` as JsonText })),
        )
        const answer = await store.readSeries(projectId, 'requests', query({ maxSeries: 2 }))
        expect(answer).toMatchObject({ total: 3, series: [{}, {}] })
        const refused = await store.readSeries(projectId, 'requests', query({ maxPoints: 2 }))
        expect(refused).toBe('too-many-points')
      })

      test('of another project are not there', async () => {
        const [mine, theirs] = [randomUUID(), randomUUID()]
        await recordMetrics(mine, [measurement()])
        await recordMetrics(theirs, [measurement({ value: 8 }), measurement({}, { name: 'other' })])
        expect(await seriesOf(mine, 'requests')).toMatchObject([{ steps: [{ last: 1 }] }])
        expect(await store.readSeries(mine, 'other', query())).toBeUndefined()
        expect((await store.listMetrics(mine, { limit: 5 })).metrics).toHaveLength(1)
        expect((await store.listMetrics('nobody', { limit: 5 })).metrics).toEqual([])
      })

      test('paging through metrics shows each once, in order', async () => {
        const projectId = randomUUID()
        const names = ['b', 'a', 'A', 'ü', 'a.b', '']
        await recordMetrics(
          projectId,
          names.flatMap((each) => [
            measurement({}, { name: `n${each}` }),
            measurement({}, { name: `n${each}`, unit: 's' }),
          ]),
        )
        const whole = (await store.listMetrics(projectId, { limit: 50 })).metrics
        expect(whole.map((each) => `${each.name} ${each.unit}`)).toEqual(
          names.toSorted().flatMap((each) => [`n${each} 1`, `n${each} s`]),
        )
        const seen = []
        for (let page = await store.listMetrics(projectId, { limit: 5 }); ; ) {
          seen.push(...page.metrics)
          if (page.next === undefined) break
          page = await store.listMetrics(projectId, { limit: 5, after: page.next })
        }
        expect(seen).toEqual(whole)
      })
    })

    describe('log records', () => {
      test('come back whole, and once however often they are sent', async () => {
        const projectId = randomUUID()
        const { content: _, ...whole } = log('a "quoted" \\ word', {
          eventName: 'e',
          traceId: 'ab',
          spanId: 'cd',
          attributes: '{"n":9007199254740993,"o":{"x":[]}}' as JsonText,
          scope: '{"name":"scope"}' as JsonText,
        })
        const record = { ...whole, content: null }
        await recordLogs(projectId, [
          record,
          record,
          log('other', { observedAt: null, service: null }),
        ])
        await recordLogs(projectId, [record])
        const [first, second_, ...others] = await everyLog(projectId)
        expect(others).toEqual([])
        const found = [first, second_].find((each) => each?.eventName === 'e')
        expect(found).toEqual({ ...whole, id: found?.id })
        expect(found?.id).toMatch(/^[0-9a-f]{32}$/)
      })

      test('are told apart by every filter', async () => {
        const projectId = randomUUID()
        await recordLogs(projectId, [
          log('Payment refused', { severity: 17, eventName: 'pay', traceId: 'ab', spanId: 'cd' }),
          log('50% of it_', { at: start + 1n, service: 'other', traceId: 'ab' }),
          log('東京の天気', {
            at: start + 2n,
            severity: 0,
            attributes: '{"who":"Ana"}' as JsonText,
          }),
        ])
        const cases: readonly (readonly [LogFilters, unknown[]])[] = [
          [{ severity: 10 }, ['Payment refused']],
          [{ severity: 1, service: 'other' }, ['50% of it_']],
          [{ eventName: 'pay' }, ['Payment refused']],
          [{ traceId: 'ab' }, ['50% of it_', 'Payment refused']],
          [{ traceId: 'ab', spanId: 'cd' }, ['Payment refused']],
          [{ traceId: 'ab', words: ['of'] }, ['50% of it_']],
          [{ words: ['refused', 'PAY'] }, ['Payment refused']],
          [{ words: ['0%'] }, ['50% of it_']],
          [{ words: ['_y'] }, []],
          [{ words: ['天気'] }, ['東京の天気']],
          [{ words: ['ana'] }, ['東京の天気']],
          [{ from: start + 2n }, ['東京の天気']],
          [{ to: start + 1n }, ['Payment refused']],
          [{ from: start + 1n, to: start + 2n }, ['50% of it_']],
        ]
        for (const [filters, expected] of cases) {
          expect([filters, await bodiesOf(projectId, filters)]).toEqual([filters, expected])
        }
      })

      test('of another project are not there', async () => {
        const [mine, theirs] = [randomUUID(), randomUUID()]
        await recordLogs(mine, [log('mine', { traceId: 'ab' })])
        await recordLogs(theirs, [log('theirs', { traceId: 'ab' })])
        expect(await bodiesOf(mine)).toEqual(['mine'])
        expect(await bodiesOf(mine, { traceId: 'ab' })).toEqual(['mine'])
        expect(await bodiesOf('nobody')).toEqual([])
      })

      test('paging shows what was there all along once, newest first, however little it looks through', async () => {
        const projectId = randomUUID()
        const isEarly = (each: { body: string }) => !each.body.includes('late')
        const records = Array.from({ length: 23 }, (_, n) =>
          log(`${n}`, { at: start + BigInt(n % 4), severity: n % 3 === 0 ? 17 : 9 }),
        )
        await recordLogs(projectId, records)
        for (const filters of [{}, { severity: 17 }, { words: ['1'] }, { words: ['none'] }]) {
          const whole = await everyLog(projectId, filters)
          for (const [limit, scanLimit] of [
            [1, 1],
            [3, 5],
            [4, 23],
            [50, 7],
          ] as const) {
            const seen = []
            for (let after: LogPosition | undefined; ; ) {
              const page = await store.listLogs(projectId, {
                ...{ limit, scanLimit, filters },
                ...(after && { after }),
              })
              expect(page.logs.length).toBeLessThanOrEqual(limit)
              seen.push(...page.logs)
              after = page.next
              if (after === undefined) break
              await recordLogs(projectId, [log(`late ${seen.length}`, { at: start + 100n })])
            }
            expect(seen.filter(isEarly)).toEqual(whole.filter(isEarly))
          }
        }
        const all = await everyLog(projectId, { to: start + 50n })
        const key = (each: { at: bigint; id: string }) => `${each.at} ${each.id}`
        expect(all.map(key)).toEqual(all.map(key).toSorted().toReversed())
        expect(all).toHaveLength(23)
      })
    })

    describe('T28 what log records tell of a span', () => {
      const records = [
        contentLog('a', 'first', null, { at: start + 1n }),
        contentLog('a', 'second', null, { at: start + 2n }),
        contentLog('a', null, 'answer', { at: start + 3n }),
        contentLog('b', 'of another span', null),
      ]
      const texts = async (projectId: string, spanId = 'a') => {
        const one = await store.findSpan(projectId, 'trace', spanId)
        const page = await store.listSpans(projectId, 'trace', { limit: 10, bodies: true })
        const listed = page?.spans.find((each) => each.spanId === spanId)
        expect(listed?.body).toEqual(one?.body)
        return [one?.body?.input, one?.body?.output]
      }

      test('fills its input and output, in any order, split and sent in any way', async () => {
        const steps = fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 })
        await fc.assert(
          fc.asyncProperty(steps, fc.boolean(), async (order, twice) => {
            const projectId = randomUUID()
            for (const step of twice ? [...order, ...order.toReversed()] : order) {
              if (step === 4)
                await store.record({ projectId, source: 'otlp', spans: store.encode([span('a')]) })
              else await recordLogs(projectId, [records[step]!])
            }
            expect(await texts(projectId)).toEqual(['["first","second"]', '["answer"]'])
          }),
          { numRuns: 12 },
        )
      })

      test('keeps the order of one request where the times are the same', async () => {
        const projectId = randomUUID()
        const words = ['one', 'two', 'three', 'four', 'five']
        await recordLogs(
          projectId,
          words.map((word) => contentLog('a', word, null)),
        )
        await store.record({ projectId, source: 'otlp', spans: store.encode([span('a')]) })
        expect(await texts(projectId)).toEqual([JSON.stringify(words), 'null'])
      })

      test('changes nothing that the span tells itself, nor any other span', async () => {
        const projectId = randomUUID()
        const own = { ...body, input: '"own"' as JsonText, output: '[]' as JsonText }
        await store.record({
          ...{ projectId, source: 'otlp' },
          spans: store.encode([span('a', { body: own }), span('c')]),
        })
        await recordLogs(projectId, records)
        expect(await texts(projectId)).toEqual(['"own"', '["answer"]'])
        expect(await texts(projectId, 'c')).toEqual(['null', 'null'])
        const theirs = randomUUID()
        await store.record({ projectId: theirs, source: 'otlp', spans: store.encode([span('a')]) })
        expect(await texts(theirs)).toEqual(['null', 'null'])
      })
    })

    test('listeners are told of stored traces whose spans they fill, and of no others', async () => {
      const projectId = randomUUID()
      await store.record({ projectId, source: 'otlp', spans: store.encode([span('a')]) })
      const told: string[] = []
      const end = store.onRecorded((change) => {
        if (change.projectId === projectId) told.push(...change.traceIds)
      })
      const content = { input: '["late"]' as JsonText, output: null }
      const { traceId } = span('a')
      await recordLogs(projectId, [log('about nothing', { traceId, spanId: 'a', content: null })])
      await recordLogs(projectId, [log('early', { traceId: 'unknown', spanId: 'a', content })])
      expect(told).toEqual([])
      await recordLogs(projectId, [
        log('late', { traceId, spanId: 'a', content }),
        log('later', { traceId, spanId: 'a', content }),
      ])
      end()
      expect(told).toEqual([traceId])
    })

    test('a batch that cannot be kept hinders no other, of whatever signal', async () => {
      const projectId = randomUUID()
      const outcomes = await Promise.allSettled([
        recordLogs(projectId, [log('lost'), log('impossible', { at: 2n ** 80n })]),
        recordLogs(projectId, [log('kept')]),
        recordMetrics(projectId, [measurement(), measurement({ at: 2n ** 80n })]),
        recordMetrics(projectId, [measurement({}, { name: 'kept' })]),
        store.record({ projectId, source: 'json', spans: store.encode([span('kept')]) }),
      ])
      expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([
        ...[false, true, false, true, true],
      ])
      expect(await bodiesOf(projectId)).toEqual(['kept'])
      const { metrics } = await store.listMetrics(projectId, { limit: 5 })
      expect(metrics.map((each) => each.name)).toEqual(['kept'])
      expect(await store.findSpan(projectId, 'trace', 'kept')).toBeDefined()
      await recordMetrics(projectId, [measurement()])
      expect(await seriesOf(projectId, 'requests')).toHaveLength(1)
    })
  })
}
