import { describe, expect, test } from 'vitest'
import { formatBodyLine, formatCoverage, severityOf } from './log-format.ts'

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
  expect(severityOf(severity)).toBe(name)
})

describe('a body in one line', () => {
  test.each([
    ['loses its breaks', 'a\n  b\tc ', 'a b c'],
    ['is JSON where it is no text', { order: 1042 }, '{"order":1042}'],
    ['is empty where there is none', null, ''],
    ['is cut where it is long', 'x'.repeat(5000), `${'x'.repeat(400)}…`],
  ])('%s', (_what, body, expected) => {
    expect(formatBodyLine(body)).toBe(expected)
  })
})

describe('how far it was looked', () => {
  const coverage = { found: 1, pages: 3, hasMore: true, hasFilters: true, scannedPerPage: 50_000 }
  test.each([
    ['with filters', {}, '1 record in the newest 150,000 looked through at most, more below'],
    ['to the end', { hasMore: false }, '1 record, looked through all'],
    ['without filters', { hasFilters: false, found: 600 }, '600 records loaded, more below'],
    ['without filters to the end', { hasFilters: false, hasMore: false }, '1 record'],
  ])('%s', (_what, part, expected) => {
    expect(formatCoverage({ ...coverage, ...part })).toBe(expected)
  })
})
