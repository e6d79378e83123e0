import { expect, test } from 'vitest'
import { formatPrice } from './price-format.ts'

test.each([
  [2.5, '$2.50'],
  [0.075, '$0.075'],
  [0.0375, '$0.0375'],
  [0, '$0.00'],
  [1200, '$1,200.00'],
  [null, '—'],
])('a price of %s is shown as %s', (usd, expected) => {
  expect(formatPrice(usd)).toBe(expected)
})
