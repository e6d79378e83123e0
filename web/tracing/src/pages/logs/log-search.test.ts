import { expect, test } from 'vitest'
import { hasFilters, toLogFilters } from './log-search.ts'

test('the open record is not a filter', () => {
  expect(hasFilters({ open: '7' })).toBe(false)
  expect(toLogFilters({ open: '7', service: 'shop' }, 0)).toEqual({ service: 'shop' })
})
