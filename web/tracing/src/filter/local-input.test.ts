import fc from 'fast-check'
import { expect, test } from 'vitest'
import { localInput, utcInstant } from './local-input.ts'

test('a whole-second instant survives the date field', () => {
  const seconds = fc.integer({ min: 0, max: Date.parse('2100-01-01') / 1000 })
  fc.assert(
    fc.property(seconds, (at) => {
      const instant = new Date(at * 1000).toISOString()
      const field = localInput(instant)
      // Compared as text, because the hour repeated at a clock change has two instants.
      expect(localInput(utcInstant(field))).toBe(field)
    }),
  )
  expect(utcInstant('')).toBeUndefined()
  expect(localInput(undefined)).toBe('')
})
