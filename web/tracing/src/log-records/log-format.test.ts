import { describe, expect, test } from 'vitest'
import { formatBodyLine, formatCoverage, toSeverityName } from './log-format.ts'

test.each([
  [0, undefined],
  [1, 'trace'],
  [4, 'trace'],
  [5, 'debug'],
  [9, 'info'],
  [16, 'warn'],
  [17, 'error'],
  [24, 'fatal'],
  [99, 'fatal'],
])('severity %d is %s', (severity, name) => {
  expect(toSeverityName(severity)).toBe(name)
})

describe('a body on one line', () => {
  test.each([
    ['collapses whitespace', 'a\n  b\tc ', 'a b c'],
    ['is JSON if it is not a string', { order: 1042 }, '{"order":1042}'],
    ['is empty if missing', null, ''],
    ['is truncated', 'x'.repeat(5000), `${'x'.repeat(400)}…`],
  ])('%s', (_what, body, expected) => {
    expect(formatBodyLine(body)).toBe(expected)
  })
})

describe('the count line', () => {
  const coverage = { found: 1, pages: 3, hasMore: true, hasFilters: true, scannedPerPage: 50_000 }
  test.each([
    ['with filters', {}, '1 record in the newest 150,000 (scroll to search further)'],
    ['to the end', { hasMore: false }, '1 record'],
    ['without filters', { hasFilters: false, found: 600 }, '600 records loaded, more available'],
    ['without filters to the end', { hasFilters: false, hasMore: false }, '1 record'],
  ])('%s', (_what, part, expected) => {
    expect(formatCoverage({ ...coverage, ...part })).toBe(expected)
  })
})
