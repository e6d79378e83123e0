import { describe, expect, test } from 'vitest'
import { parseWhere, toQueryParams, withWhere } from './metric-search.ts'

const now = Date.parse('2026-11-20T12:00:07.500Z')

test.each(['{', '[]', 'null', '3', '{"a":1}'])('invalid attributes are dropped: %s', (text) => {
  expect(parseWhere(text)).toEqual({})
})

test('an attribute filter stays until removed', () => {
  const both = withWhere(withWhere({}, 'a', '1'), 'b', '2')
  expect(both.where).toBe('{"a":"1","b":"2"}')
  expect(withWhere(both, 'a', undefined).where).toBe('{"b":"2"}')
  expect(withWhere(withWhere({}, 'a', '1'), 'a', undefined)).toEqual({})
})

describe('the query', () => {
  test('uses round steps from a round instant, including the current one', () => {
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
  ] as const)('for the last %s has steps of %d seconds', (range, step) => {
    expect(toQueryParams({ range }, now).step).toBe(step)
  })

  test('for years has steps of whole days', () => {
    const { step } = toQueryParams({ from: '2020-01-01T00:00:00.000Z' }, now)
    expect(step % 86_400).toBe(0)
  })

  test('includes the service and each attribute', () => {
    const search = withWhere({ service: 'shop' }, 'route', 'a=b')
    expect(toQueryParams(search, now)).toMatchObject({ service: 'shop', attribute: ['route=a=b'] })
  })
})
