import { expect, test } from 'vitest'
import { parseCharts, periodBefore, toQueryParams } from './dashboard-search.ts'

const noon = Date.parse('2026-11-20T12:00:00Z')

test('the query resolves the range against now and includes the filters', () => {
  expect(toQueryParams({ range: '1h', bucket: 'hour', tag: 'eu', by: 'cost' }, noon)).toEqual({
    mode: 'live',
    from: '2026-11-20T11:00:00.000Z',
    bucket: 'hour',
    tag: 'eu',
  })
})

test.each([
  ['an hour uses minutes', { range: '1h' }, 'minute'],
  ['the chosen one if it fits', { range: '1h', bucket: '5m' }, '5m'],
  ['a day uses the default of the server', { range: '24h' }, undefined],
  ['minutes are too many for a day', { range: '24h', bucket: 'minute' }, undefined],
  ['hours fit a month', { range: '30d', bucket: 'hour' }, 'hour'],
  ['hours are too many for a year', { from: '2025-11-20T00:00:00Z', bucket: 'hour' }, undefined],
] as const)('buckets: %s', (_what, search, expected) => {
  expect(toQueryParams(search, noon).bucket).toBe(expected)
})

test('the previous period is as long and ends where this one starts', () => {
  const now = { from: '2026-11-20T10:00:00Z', to: '2026-11-20T13:00:00Z', bucket: 'hour' } as const
  expect(periodBefore(now)).toEqual({
    from: '2026-11-20T07:00:00.000Z',
    to: '2026-11-20T10:00:00Z',
    bucket: 'hour',
  })
})

test('charts in the URL take precedence over saved ones, even if empty', () => {
  expect(parseCharts({}, 'cost.time.bar')).toHaveLength(1)
  expect(parseCharts({ charts: '' }, 'cost.time.bar')).toHaveLength(0)
})
