import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatInstant, parseInstant } from './instant.ts'
import { bucketStart, bucketsWithin } from './time-buckets.ts'

test.each([
  ['a minute', '2026-01-07T10:00:07Z', '2026-01-07T10:01:07Z', 60, 1, '2026-01-07T10:00:07.000Z'],
  ['an hour', '2026-01-07T10:00:07Z', '2026-01-07T11:00:07Z', 60, 60, '2026-01-07T10:00:00.000Z'],
  ['a day', '2026-01-07T10:20:00Z', '2026-01-08T10:20:00Z', 60, 1800, '2026-01-07T10:00:00.000Z'],
  [
    'a month',
    '2026-01-07T10:20:00Z',
    '2026-02-06T10:20:00Z',
    60,
    43_200,
    '2026-01-07T00:00:00.000Z',
  ],
  [
    'a year',
    '2025-01-08T10:20:00Z',
    '2026-01-08T10:20:00Z',
    60,
    604_800,
    '2025-01-06T00:00:00.000Z',
  ],
  ['before 1970', '1969-12-30T23:59:59Z', '1969-12-31T00:00:01Z', 2, 1, '1969-12-30T23:59:59.000Z'],
])('%s starts at round times', (_what, from, to, max, seconds, start) => {
  const buckets = bucketsWithin(parseInstant(from), parseInstant(to), max)
  expect(buckets.widthNanos).toBe(BigInt(seconds) * 1_000_000_000n)
  expect(formatInstant(buckets.from)).toBe(start)
})

test('whole buckets cover the range, at most one more than requested', () => {
  const instant = fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n })
  fc.assert(
    fc.property(instant, instant, fc.integer({ min: 1, max: 200 }), (a, b, max) => {
      const [from, to] = a < b ? [a, b] : [b, a]
      const buckets = bucketsWithin(from, to, max)
      expect(buckets.from <= from && buckets.to >= to).toBe(true)
      expect(bucketStart(buckets.from, buckets.widthNanos)).toBe(buckets.from)
      expect(bucketStart(buckets.to, buckets.widthNanos)).toBe(buckets.to)
      expect((buckets.to - buckets.from) / buckets.widthNanos).toBeLessThanOrEqual(max + 1)
    }),
  )
})
