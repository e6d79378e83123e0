import { describe, expect, test } from 'vitest'
import { isShorter, parseDays, retentionCutoff } from './retention-days.ts'

test('the retention cutoff is relative to now', () => {
  expect(retentionCutoff(30, Date.parse('2026-03-31T12:00:00.000Z'))).toBe(
    '2026-03-01T12:00:00.000Z',
  )
})

describe('a typed number of days', () => {
  test.each([
    ['30', { days: 30 }],
    [' 1 ', { days: 1 }],
    ['3650', { days: 3650 }],
    ['3651', { problem: 'Must be at most 3,650 days' }],
    ['0', { problem: 'Must be at least one day' }],
    ['', { problem: 'Required' }],
    ['1.5', { problem: 'Must be a whole number of days' }],
    ['a month', { problem: 'Must be a whole number of days' }],
  ])('%j is parsed as %j', (text, expected) => {
    expect(parseDays(text, 3650)).toEqual(expected)
  })
})

describe('a change', () => {
  test.each([
    [null, 30, true],
    [90, 30, true],
    [30, 90, false],
    [30, 30, false],
    // The default of the service may be shorter.
    [30, null, true],
    [null, null, false],
  ])('from %s to %s days must be confirmed: %s', (from, to, expected) => {
    expect(isShorter(from, to)).toBe(expected)
  })
})
