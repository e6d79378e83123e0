import fc from 'fast-check'
import { expect, test } from 'vitest'
import { steppedClock } from '../../test/clock-at.ts'
import { openRateLimit } from './rate-limit.ts'

test('allows a burst, then one event per interval, by key', () => {
  const clock = steppedClock(0)
  const limit = openRateLimit({ burst: 3, intervalMs: 100, clock })
  expect(Array.from({ length: 5 }, () => limit.take('a'))).toEqual([0, 0, 0, 100, 100])
  expect(limit.take('b')).toBe(0)
  clock.pass(60)
  expect(limit.take('a')).toBe(40)
  clock.pass(40)
  expect([limit.take('a'), limit.take('a')]).toEqual([0, 100])
  clock.pass(1_000_000)
  expect(Array.from({ length: 4 }, () => limit.take('a'))).toEqual([0, 0, 0, 100])
})

test('allows no more than the burst and the time passed, in any sequence', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(150), { maxLength: 200 }), (waits) => {
      const clock = steppedClock(0)
      const limit = openRateLimit({ burst: 5, intervalMs: 100, clock })
      let allowed = 0
      for (const waitMs of waits) {
        clock.pass(waitMs)
        if (limit.take('a') === 0) allowed += 1
      }
      expect(allowed).toBeLessThanOrEqual(5 + Math.floor(clock.monotonicMs() / 100))
    }),
  )
})
