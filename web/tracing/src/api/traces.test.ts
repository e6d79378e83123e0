import { expect, test } from 'vitest'
import { exactTotal } from './traces.ts'

test('an estimate is not shown as the number of traces', () => {
  expect(exactTotal({ total: 12, is_total_estimate: false })).toBe(12)
  expect(exactTotal({ total: 12, is_total_estimate: true })).toBeNull()
  expect(exactTotal({ total: null, is_total_estimate: false })).toBeNull()
})
