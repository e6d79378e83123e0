import { expect, test } from 'vitest'
import { formatScore, outcomeOf, reasonOf } from './score-format.ts'

test('only a full score is shown as 1', () => {
  expect([1, 0.999, 0.5, 0].map(formatScore)).toEqual(['1.00', '0.99', '0.50', '0.00'])
})

test('an error is neither passed nor failed, and its reason does not repeat that', () => {
  expect(outcomeOf({ status: 'error', passed: false })).toBe('error')
  expect(reasonOf({ reasoning: 'Not scored: timeout: late.' })).toBe('Timeout: late.')
})

test.each([
  ['Not scored: provider_error: No route.', 'The model failed: No route.'],
  ['Not scored: lost: It ended.', 'lost: It ended.'],
  ['Not applicable: The trace has no answer.', 'The trace has no answer.'],
  ['The tool `refund` failed: timeout: late.', 'The tool `refund` failed: timeout: late.'],
])('the reason "%s" is shown as "%s"', (reasoning, shown) => {
  expect(reasonOf({ reasoning })).toBe(shown)
})
