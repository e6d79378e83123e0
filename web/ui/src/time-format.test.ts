import { describe, expect, test } from 'vitest'
import { formatAge, formatDuration, formatUtc, instantMs } from './time-format.ts'

describe('a duration', () => {
  test.each([
    [null, '—'],
    [0, '0 ms'],
    [0.0004, '1 µs'],
    [0.42, '420 µs'],
    [1, '1 ms'],
    [1.26, '1.3 ms'],
    [999.4, '999 ms'],
    [999.6, '1.00 s'],
    [9_990, '9.99 s'],
    [59_940, '59.9 s'],
    [59_960, '1 min 00 s'],
    [185_000, '3 min 05 s'],
    [3_599_600, '1 h 00 min'],
    [7_620_000, '2 h 07 min'],
    [86_400_000, '1 d 00 h'],
    [99_000_000, '1 d 04 h'],
    [8_639_000_000, '100 d'],
    [8_600_000_000, '99 d 13 h'],
    [1e12, '11,574 d'],
    [1e300, '1.2e292 d'],
  ])('of %d ms reads %s', (durationMs, expected) => {
    expect(formatDuration(durationMs)).toBe(expected)
  })
})

describe('an instant', () => {
  test('keeps the fraction of a millisecond, which Date would drop', () => {
    const startMs = instantMs('2026-11-20T10:00:00.123400Z')
    const endMs = instantMs('2026-11-20T10:00:00.123900Z')
    expect(endMs - startMs).toBeCloseTo(0.5, 3)
  })

  test.each(['2026-11-20T10:00:00Z', '2026-11-20T10:00:00.5Z', '2026-11-20T10:00:00.123Z'])(
    'with at most millisecond precision equals Date: %s',
    (instant) => {
      expect(instantMs(instant)).toBe(Date.parse(instant))
    },
  )

  test('in UTC keeps the precision it was sent with', () => {
    expect(formatUtc('2026-11-20T10:00:00.123456Z')).toBe('2026-11-20 10:00:00.123456 UTC')
  })
})

describe('an age', () => {
  test.each([
    [-60_000, 'in 1 min'],
    [-10_000, 'in 10 s'],
    [-1_999, 'just now'],
    [-500, 'just now'],
    [1_900, 'just now'],
    [59_999, '59 s ago'],
    [3_599_999, '59 min ago'],
    [172_799_999, '47 h ago'],
    [172_800_000, '2 d ago'],
  ])('of %d ms reads %s', (ageMs, expected) => {
    expect(formatAge(1_000_000_000_000 - ageMs, 1_000_000_000_000)).toBe(expected)
  })
})
