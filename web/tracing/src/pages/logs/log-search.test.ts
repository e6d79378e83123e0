import { expect, test } from 'vitest'
import { filtersOf, hasFilters } from './log-search.ts'

test('the open record is not a filter', () => {
  expect(hasFilters({ open: '7' })).toBe(false)
  expect(filtersOf({ open: '7', service: 'shop' }, 0)).toEqual({ service: 'shop' })
})
