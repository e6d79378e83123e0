import { expect, test } from 'vitest'
import { formatTotalCost } from './unpriced-calls.ts'

test.each([
  ['of priced calls is exact', 2, 0, '$2.00'],
  ['of partly unpriced calls is a lower bound', 2, 1, '≥ $2.00'],
  ['of unpriced calls is unknown', null, 2, '—'],
])('a total cost %s', (_what, usd, unpriced_call_count, text) => {
  expect(formatTotalCost(usd, { unpriced_call_count })).toBe(text)
})
