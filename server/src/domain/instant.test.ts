import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatInstant, lastInstant, millisBetween, parseInstant } from './instant.ts'

describe('an instant', () => {
  test.each([
    ['1970-01-01T00:00:00Z', 0n, '1970-01-01T00:00:00.000Z'],
    ['2026-01-31T12:00Z', 1769860800000000000n, '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00.5Z', 1769860800500000000n, '2026-01-31T12:00:00.500Z'],
    ['2026-01-31T12:00:00.000001Z', 1769860800000001000n, '2026-01-31T12:00:00.000001Z'],
    ['2026-01-31T12:00:00.123456789Z', 1769860800123456789n, '2026-01-31T12:00:00.123456789Z'],
    ['2026-01-31T12:00:00.1234567899Z', 1769860800123456789n, '2026-01-31T12:00:00.123456789Z'],
    ['2261-12-31T23:59:59.999999999Z', lastInstant, '2261-12-31T23:59:59.999999999Z'],
  ])(
    '%s is parsed to the nanosecond and formatted with as few digits as possible',
    (iso, instant, written) => {
      expect(parseInstant(iso)).toBe(instant)
      expect(formatInstant(instant)).toBe(written)
    },
  )

  test('round-trips through its text, and the text keeps the order', () => {
    const instants = fc.bigInt({ min: 0n, max: lastInstant })
    fc.assert(
      fc.property(instants, instants, (a, b) => {
        expect(parseInstant(formatInstant(a))).toBe(a)
        const [early, late] = a < b ? [a, b] : [b, a]
        // Without the `Z`, which texts of unequal length would compare with a digit.
        expect(formatInstant(early).slice(0, -1) <= formatInstant(late).slice(0, -1)).toBe(true)
      }),
    )
  })

  test('differences are exact to the nanosecond before rounding', () => {
    expect(millisBetween(1769860800123456789n, 1769860800123456790n)).toBe(0.000001)
  })
})
