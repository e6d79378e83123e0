import { expect, test } from 'vitest'
import { filtersOf, hasFilters, parseLogSearch, withText } from './log-search.ts'

test('unknown and invalid parameters are dropped', () => {
  const search = {
    severity: 'warn',
    q: 'no funds',
    range: '1h',
    open: '7',
    color: 'red',
    service: '',
  }
  expect(parseLogSearch(search)).toEqual({
    severity: 'warn',
    q: 'no funds',
    range: '1h',
    open: '7',
  })
  expect(parseLogSearch({ severity: 'unknown' })).toEqual({})
})

test('the open record is not a filter', () => {
  expect(hasFilters({ open: '7' })).toBe(false)
  expect(filtersOf({ open: '7', service: 'shop' }, 0)).toEqual({ service: 'shop' })
})

test('an empty text removes its filter', () => {
  expect(withText({ q: 'a', service: 'shop' }, 'q', '')).toEqual({ service: 'shop' })
  expect(withText({ q: 'a' }, 'q', 'b')).toEqual({ q: 'b' })
})
