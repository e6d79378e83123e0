import fc from 'fast-check'
import { expect, test } from 'vitest'
import { localInput, utcInstant } from './local-input.ts'

test('an instant of whole seconds survives the date field', () => {
  const seconds = fc.integer({ min: 0, max: Date.parse('2100-01-01') / 1000 })
  fc.assert(
    fc.property(seconds, (at) => {
      const instant = new Date(at * 1000).toISOString()
      const field = localInput(instant)
      // An hour that a change of clocks repeats is one text for two instants.
      expect(localInput(utcInstant(field))).toBe(field)
    }),
  )
  expect(utcInstant('')).toBeUndefined()
  expect(localInput(undefined)).toBe('')
})
