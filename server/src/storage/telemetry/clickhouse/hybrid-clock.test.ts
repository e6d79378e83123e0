import { expect, test } from 'vitest'
import { isSameRecording, openHybridClock } from './hybrid-clock.ts'

const now = 1_780_000_000_000_000_000n

test('versions grow, also when the clock stands still or is set back', () => {
  const next = openHybridClock(7)
  const times = [now, now, now + 1n, now - 3_600_000_000_000n, now + 5_000_000n]
  const versions = times.map((time) => next(time))
  expect(versions).toEqual(versions.toSorted((a, b) => (a < b ? -1 : 1)))
  expect(new Set(versions).size).toBe(times.length)
})

test('those of two processes differ at the same time, and follow time between them', () => {
  const [one, other] = [openHybridClock(1), openHybridClock(4095)]
  expect(one(now)).not.toBe(other(now))
  expect(one(now + 2_000_000n)).toBeGreaterThan(other(now + 1_000_000n))
})

test('a version has room for re-pricing: those of 256 prices are recognized as of the same recording', () => {
  for (let n = 0; n < 500; n += 1) {
    const next = openHybridClock()
    const version = next(now)
    expect(isSameRecording(version, version + 256n)).toBe(true)
    expect(isSameRecording(version, next(now))).toBe(false)
  }
})
