import { randomUUID } from 'node:crypto'
import { limits } from '@assay/contract/limits.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonText } from '../../../domain/json-text.ts'
import type { Measurement } from '../../../domain/metric.ts'
import type { SeriesQuery } from './metrics.ts'
import { type OpenStore, start } from './samples.ts'
import { distribution, measurement, second } from './signal-samples.ts'
import type { TelemetryStore } from './store.ts'

/*
 * What ingest.ts and metrics.ts promise of metrics, as tests.
 */

export function describeMetrics(open: OpenStore): void {
  describe('metrics', () => {
    let store: TelemetryStore
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())

    const recordMetrics = (projectId: string, measurements: readonly Measurement[]) =>
      store.recordMetrics(projectId, store.encodeMetrics(measurements))

    const query = (rest: Partial<SeriesQuery> = {}): SeriesQuery => ({
      range: { from: start, to: start + 60n * second, stepNanos: 60n * second },
      attributes: [],
      maxSeries: 100,
      maxPoints: 1000,
      maxExemplars: 10,
      ...rest,
    })
    const seriesOf = async (projectId: string, metric: string, rest: Partial<SeriesQuery> = {}) => {
      const result = await store.readSeries(projectId, metric, query(rest))
      if (result === undefined || result === 'too-many-points') throw new Error(String(result))
      return result.series
    }
    describe('a point', () => {
      test('is returned by the next read, in its series and in the list of metrics', async () => {
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

      test('is stored with as many others as one request may have', async () => {
        const projectId = randomUUID()
        const count = limits.otlpRecords.value
        // The last one is apart from the others.
        const points = Array.from({ length: count }, (_, n) => {
          const at = n === count - 1 ? start + 60n * second : start + BigInt(n)
          return measurement({ at, value: n }, { kind: 'gauge', name: 'many' })
        })
        await recordMetrics(projectId, points)
        const range = { from: start, to: start + 120n * second, stepNanos: 60n * second }
        const [many] = await seriesOf(projectId, 'many', { range, maxPoints: count })
        expect(many?.steps).toMatchObject([
          { min: 0, max: count - 2, avg: (count - 2) / 2 },
          { last: count - 1 },
        ])
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

      test('belongs to another series if anything but the description differs', async () => {
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
      ] as const)('of a %s keeps its distribution', async (kind, value) => {
        const projectId = randomUUID()
        const startedAt = start
        await recordMetrics(projectId, [
          measurement({ at: start + 1n, startedAt, value: null, distribution: value }, { kind }),
        ])
        const [series] = await seriesOf(projectId, 'requests')
        expect(series).toMatchObject({ kind, steps: [{ count: 3, sum: 6, avg: 2 }] })
      })

      test('keeps its exemplars, newest first', async () => {
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
      test('are filtered by service and attributes, whatever the type of the values', async () => {
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

      test('compute increases from the point before the range, and include points of the range only', async () => {
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

      test('are ordered by service and attributes, whatever is recorded first', async () => {
        const projectId = randomUUID()
        const ordered = [
          [null, '{"a":1}'],
          [null, '{"a":2}'],
          ['Z', '{"a":0}'],
          ['a', '{"a":10}'],
          ['a', '{"a":9}'],
        ] as const
        for (const [service, attributes] of ordered.toReversed()) {
          await recordMetrics(projectId, [
            measurement({}, { service, attributes: attributes as JsonText }),
          ])
        }
        const found = await seriesOf(projectId, 'requests')
        expect(found.map((each) => [each.service, each.attributes])).toEqual(ordered)
        const [first, ...others] = await seriesOf(projectId, 'requests', { maxSeries: 1 })
        expect([first, others]).toEqual([found[0], []])
      })

      test('beyond `maxSeries` are counted; beyond `maxPoints` the read is refused', async () => {
        const projectId = randomUUID()
        await recordMetrics(
          projectId,
          [1, 2, 3].map((n) => measurement({}, { attributes: `{"n":${n}}` as JsonText })),
        )
        const result = await store.readSeries(projectId, 'requests', query({ maxSeries: 2 }))
        expect(result).toMatchObject({ total: 3, series: [{}, {}] })
        const refused = await store.readSeries(projectId, 'requests', query({ maxPoints: 2 }))
        expect(refused).toBe('too-many-points')
      })

      test('of another project are not returned', async () => {
        const [mine, theirs] = [randomUUID(), randomUUID()]
        await recordMetrics(mine, [measurement()])
        await recordMetrics(theirs, [measurement({ value: 8 }), measurement({}, { name: 'other' })])
        expect(await seriesOf(mine, 'requests')).toMatchObject([{ steps: [{ last: 1 }] }])
        expect(await store.readSeries(mine, 'other', query())).toBeUndefined()
        expect((await store.listMetrics(mine, { limit: 5 })).metrics).toHaveLength(1)
        expect((await store.listMetrics('nobody', { limit: 5 })).metrics).toEqual([])
      })

      test('paging through metrics returns each once, in order', async () => {
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
  })
}
