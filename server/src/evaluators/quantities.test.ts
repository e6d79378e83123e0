import { expect, test } from 'vitest'
import { formatDuration, formatShare, formatUsd } from './quantities.ts'

test.each([
  [0, '0 ms'],
  [450.4, '450 ms'],
  [4560, '4.56 s'],
  [30_000, '30.0 s'],
  [59_940, '59.9 s'],
  [59_960, '1 min 00 s'],
  [3_000_000, '50 min 00 s'],
  [3_599_600, '1 h 00 min'],
  [90_000_000, '25 h 00 min'],
])('a duration of %f ms is %s', (ms, expected) => {
  expect(formatDuration(ms)).toBe(expected)
})

test.each([
  [0, '$0.00'],
  [0.000_42, '$0.00042'],
  [0.1, '$0.10'],
  [0.3123, '$0.312'],
  [1234.567, '$1,234.57'],
])('a cost of %f is %s', (usd, expected) => {
  expect(formatUsd(usd)).toBe(expected)
})

test('a share is a whole percentage', () => {
  expect([formatShare(0), formatShare(0.335), formatShare(1)]).toEqual(['0%', '34%', '100%'])
})
