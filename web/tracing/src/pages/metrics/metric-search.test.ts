import { describe, expect, test } from 'vitest'
import { toQueryParams, withLabel } from './metric-search.ts'

const now = Date.parse('2026-11-20T12:00:07.500Z')

test('an attribute filter stays until removed', () => {
  const both = withLabel(withLabel({}, 'a', '1'), 'b', '2')
  expect(both).toEqual({ where: { a: '1', b: '2' } })
  expect(withLabel(both, 'a', undefined)).toEqual({ where: { b: '2' } })
  expect(withLabel(withLabel({}, 'a', '1'), 'a', undefined)).toEqual({})
})

describe('the query', () => {
  test('uses round steps from a round instant, including the current one', () => {
    expect(toQueryParams({}, now)).toEqual({
      from: '2026-11-20T11:00:00.000Z',
      to: '2026-11-20T12:01:00.000Z',
      step: 60,
      attribute: [],
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
    const search = { service: 'shop', where: { route: 'a=b' } }
    expect(toQueryParams(search, now)).toMatchObject({ service: 'shop', attribute: ['route=a=b'] })
  })
})
