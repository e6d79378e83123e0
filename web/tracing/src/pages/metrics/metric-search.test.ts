import { describe, expect, test } from 'vitest'
import { parseMetricSearch, parseWhere, timeOf, toQueryParams, withWhere } from './metric-search.ts'

const now = Date.parse('2026-11-20T12:00:07.500Z')

test('an address keeps what it understands', () => {
  const search = {
    ...{ metric: 'latency', kind: 'histogram', unit: '', show: 'p90', group: 'route', range: '1h' },
    ...{ where: '{"route":"/pay","n":3}', color: 'red' },
  }
  expect(parseMetricSearch(search)).toEqual({
    ...{ metric: 'latency', kind: 'histogram', unit: '', show: 'p90', group: 'route', range: '1h' },
    where: '{"route":"/pay"}',
  })
  expect(parseMetricSearch({ kind: 'x', show: 'y', where: '{' })).toEqual({})
})

test.each(['{', '[]', 'null', '3', '{"a":1}'])(
  'attributes that are none are dropped: %s',
  (text) => {
    expect(parseWhere(text)).toEqual({})
  },
)

test('an attribute holds until it is taken away', () => {
  const both = withWhere(withWhere({}, 'a', '1'), 'b', '2')
  expect(both.where).toBe('{"a":"1","b":"2"}')
  expect(withWhere(both, 'a', undefined).where).toBe('{"b":"2"}')
  expect(withWhere(withWhere({}, 'a', '1'), 'a', undefined)).toEqual({})
})

describe('the question', () => {
  test('is of round steps from a round instant, the last one included', () => {
    expect(toQueryParams({}, now)).toEqual({
      from: '2026-11-20T11:00:00.000Z',
      to: '2026-11-20T12:01:00.000Z',
      step: 60,
    })
  })

  test.each([
    ['15m', 10],
    ['24h', 1800],
    ['30d', 43_200],
  ] as const)('of the last %s has steps of %d seconds', (range, step) => {
    expect(toQueryParams({ range }, now).step).toBe(step)
  })

  test('of years has steps of whole days', () => {
    const { step } = toQueryParams({ from: '2020-01-01T00:00:00.000Z' }, now)
    expect(step % 86_400).toBe(0)
  })

  test('names the service and each attribute', () => {
    const search = withWhere({ service: 'shop' }, 'route', 'a=b')
    expect(toQueryParams(search, now)).toMatchObject({ service: 'shop', attribute: ['route=a=b'] })
  })
})

test('without a time in the address the last hour shows', () => {
  expect(timeOf({})).toEqual({ range: '1h' })
})
