import { expect, test } from 'vitest'
import { describeAgreement, ratedTracesMin } from './agreement-reading.ts'

const enough = ratedTracesMin

test.each([
  [enough - 1, 1, 'Too few traces'],
  [0, null, 'Too few traces'],
  [enough, null, 'All verdicts are the same'],
  [enough, -0.1, 'Poor'],
  [enough, 0, 'Slight'],
  [enough, 0.2, 'Fair'],
  [enough, 0.59, 'Moderate'],
  [enough, 0.6, 'Substantial'],
  [enough, 0.8, 'Almost perfect'],
  [enough, 1, 'Almost perfect'],
])('%i traces with a kappa of %s: %s', (traces, kappa, expected) => {
  expect(describeAgreement({ traces, kappa })).toBe(expected)
})
