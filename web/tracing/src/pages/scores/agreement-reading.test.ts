import { expect, test } from 'vitest'
import { describeAgreement, formatKappa, isComplete, ratedTracesMin } from './agreement-reading.ts'

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

test.each([
  [-0.001, '0.00'],
  [-0.25, '−0.25'],
  [0.999, '0.99'],
  [1, '1.00'],
])('a kappa of %d is shown as %s', (kappa, expected) => {
  expect(formatKappa(kappa)).toBe(expected)
})

test.each([
  ['2026-10-21T12:00:00.000Z', true],
  ['2026-10-21T00:00:00.000Z', true],
  ['2026-11-19T12:00:00.000Z', false],
])('counts that start at %s cover the 30 days before November 20: %s', (from, expected) => {
  expect(isComplete(from, Date.parse('2026-11-20T12:00:00.000Z'))).toBe(expected)
})
