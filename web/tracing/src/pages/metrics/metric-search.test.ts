import { describe, expect, test } from 'vitest'
import { labelFilters, metricSearch, toQueryParams, withLabel } from './metric-search.ts'

const now = Date.parse('2026-11-20T12:00:07.500Z')

test('an attribute filter stays until removed', () => {
  const one = withLabel({}, 'attribute.a', '1')
  const both = withLabel(one, 'attribute.b', '2')
  expect(both).toEqual({ where: { a: '1', b: '2' } })
  expect(withLabel(both, 'attribute.a', undefined)).toEqual({ where: { b: '2' } })
  expect(withLabel(one, 'attribute.a', undefined)).toEqual({})
})

test('a filter by an attribute called `service` is apart from the one by service', () => {
  const both = withLabel(withLabel({}, 'service', 'shop'), 'attribute.service', 'till')
  expect(both).toEqual({ service: 'shop', where: { service: 'till' } })
  expect([...labelFilters(both)]).toEqual([
    ['service', 'shop'],
    ['attribute.service', 'till'],
  ])
  expect(withLabel(both, 'attribute.service', undefined)).toEqual({ service: 'shop' })
})

test.each([
  ['service', { group: 'service' }],
  ['attribute.a b', { group: 'attribute.a b' }],
  ['route', {}],
])('a group is a label: %s', (group, search) => {
  expect(metricSearch.parse({ group })).toEqual(search)
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
