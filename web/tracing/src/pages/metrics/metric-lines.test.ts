import type { MetricSeries } from '@assay/contract/metrics.ts'
import { expect, test } from 'vitest'
import type { MetricResult } from '../../api/metrics.ts'
import {
  allLabels,
  linesMax,
  toExemplars,
  toLabels,
  toLines,
  toSeriesNames,
} from './metric-lines.ts'

const at = '2026-11-20T10:01:00.000Z'
const emptyStep = {
  ...{ at, count: null, sum: null, rate: null, avg: null, min: null, max: null },
  ...{ last: null, p50: null, p90: null, p99: null },
}

function series(
  attributes: Record<string, unknown>,
  part: Partial<MetricSeries> = {},
): MetricSeries {
  return {
    ...{ series_id: JSON.stringify(attributes), kind: 'sum', unit: '1', description: '' },
    ...{ temporality: 'cumulative', is_monotonic: true, service: 'shop', attributes },
    ...{ resource: {}, scope: {}, steps: [{ ...emptyStep, rate: 1 }], exemplars: [] },
    ...part,
  }
}

function toResult(...all: MetricSeries[]): MetricResult {
  const [from, to] = ['2026-11-20T10:00:00.000Z', '2026-11-20T10:03:00.000Z']
  return { series: all, from, to, step: 60, total: all.length }
}

test('series are named after the attributes that differ', () => {
  const two = [series({ route: '/pay', zone: 1 }), series({ route: '/buy', zone: 1 })]
  expect(toSeriesNames(two)).toEqual(['/pay', '/buy'])
  const more = [...two, series({ route: '/buy', zone: 2 }), series({})]
  expect(toSeriesNames(more)).toEqual([
    'route=/pay, zone=1',
    'route=/buy, zone=1',
    'route=/buy, zone=2',
    '(none)',
  ])
  expect(toSeriesNames([series({ route: '/pay' })])).toEqual(['shop'])
  expect(allLabels(more)[0]).toBe('attribute.route')
})

test('a group combines its series into one line', () => {
  const result = toResult(
    series({ route: '/pay', zone: 1 }),
    series({ route: '/pay', zone: 2 }),
    series({ route: '/buy', zone: 1 }),
  )
  const { lines } = toLines(result, 'rate', 'attribute.route')
  expect(lines.map(({ name, points }) => [name, points.map(({ value }) => value)])).toEqual([
    ['/pay', [null, 2, null]],
    ['/buy', [null, 1, null]],
  ])
})

test('an attribute called `service` is apart from the service', () => {
  const two = [series({ service: 'till' }), series({ service: 'web' })]
  expect(two.map((one) => [...toLabels(one).values()])).toEqual([
    ['shop', 'till'],
    ['shop', 'web'],
  ])
  const groupsOf = (label: string) => toLines(toResult(...two), 'rate', label).lines
  expect(groupsOf('service').map(({ name }) => name)).toEqual(['shop'])
  expect(groupsOf('attribute.service').map(({ name }) => name)).toEqual(['till', 'web'])
  const more = [...two, series({ service: 'web' }, { service: 'api' })]
  expect(toSeriesNames(more)).toEqual([
    'service (attribute)=till, service=shop',
    'service (attribute)=web, service=shop',
    'service (attribute)=web, service=api',
  ])
})

test('quantiles are three lines of one series and are never combined', () => {
  const one = series({}, { kind: 'histogram', steps: [{ ...emptyStep, p50: 1, p90: 2, p99: 3 }] })
  expect(toLines(toResult(one), 'quantiles', undefined).lines.map(({ name }) => name)).toEqual([
    'p50',
    'p90',
    'p99',
  ])
  const other = { ...one, series_id: 'b', attributes: { route: '/pay' } }
  expect(toLines(toResult(one, other), 'quantiles', 'service').lines).toHaveLength(2)
})

test('only the largest of many series are drawn, with the number of the others', () => {
  const many = Array.from({ length: linesMax + 5 }, (_, n) =>
    series({ n }, { steps: [{ ...emptyStep, rate: n }] }),
  )
  const { lines, hiddenCount } = toLines(toResult(...many), 'rate', undefined)
  expect([lines.length, hiddenCount, lines[0]?.name]).toEqual([linesMax, 5, String(linesMax + 4)])
})

test('an exemplar is shown if it is in range and has a trace ID', () => {
  const exemplar = { at, value: 7, trace_id: 'ab', span_id: null, attributes: {} }
  const result = toResult(
    series(
      {},
      {
        exemplars: [
          exemplar,
          { ...exemplar, trace_id: null },
          { ...exemplar, at: '2026-11-20T09:00:00.000Z' },
          { ...exemplar, at: null },
        ],
      },
    ),
  )
  expect(toExemplars(result)).toEqual([
    { at: Date.parse(at), value: 7, traceId: 'ab', spanId: null },
  ])
})
