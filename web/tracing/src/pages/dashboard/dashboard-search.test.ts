import { expect, test } from 'vitest'
import {
  chartsOf,
  parseDashboardSearch,
  periodBefore,
  timeOf,
  toQueryParams,
} from './dashboard-search.ts'

const noon = Date.parse('2026-11-20T12:00:00Z')

test.each([
  ['nothing is the last day', {}, { range: '24h' }],
  ['a range is kept', { range: '7d' }, { range: '7d' }],
  [
    'a beginning alone is kept',
    { from: '2026-11-20T10:00:00.000Z' },
    { from: '2026-11-20T10:00:00.000Z' },
  ],
] as const)('of an address with %s, the time that is shown', (_what, search, expected) => {
  expect(timeOf(search)).toEqual(expected)
})

test('the question counts back from now, and names the filters', () => {
  expect(toQueryParams({ range: '1h', bucket: 'hour', tag: 'eu', by: 'cost' }, noon)).toEqual({
    from: '2026-11-20T11:00:00.000Z',
    bucket: 'hour',
    tag: 'eu',
  })
})

test.each([
  ['an hour is told in minutes', { range: '1h' }, 'minute'],
  ['as wanted where that fits', { range: '1h', bucket: '5m' }, '5m'],
  ['a day is told as the service does', { range: '24h' }, undefined],
  ['minutes of a day would be too many', { range: '24h', bucket: 'minute' }, undefined],
  ['hours of a month fit', { range: '30d', bucket: 'hour' }, 'hour'],
  [
    'hours of a year would be too many',
    { from: '2025-11-20T00:00:00Z', bucket: 'hour' },
    undefined,
  ],
] as const)('buckets: %s', (_what, search, expected) => {
  expect(toQueryParams(search, noon).bucket).toBe(expected)
})

test('an address keeps what it understands', () => {
  const search = {
    bucket: 'year',
    ...{ by: 'cost', model: 'gpt-5' },
    charts: 'cost.time.bar,moon',
    from: 'yesterday',
    x: '1',
  }
  expect(parseDashboardSearch(search)).toEqual({
    ...{ by: 'cost', charts: 'cost.time.bar', model: 'gpt-5' },
  })
})

test('the period before is as long and ends where this one begins', () => {
  const now = { from: '2026-11-20T10:00:00Z', to: '2026-11-20T13:00:00Z', bucket: 'hour' } as const
  expect(periodBefore(now)).toEqual({
    from: '2026-11-20T07:00:00.000Z',
    to: '2026-11-20T10:00:00Z',
    bucket: 'hour',
  })
})

test('the charts of an address go before those that are kept, even when it names none', () => {
  expect(chartsOf({}, 'cost.time.bar')).toHaveLength(1)
  expect(chartsOf({ charts: '' }, 'cost.time.bar')).toHaveLength(0)
})
