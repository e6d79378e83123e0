import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines } from '../../test/accounts-database.ts'
import { steppedClock } from '../../test/clock-at.ts'
import { openTestCounters, type TestCounters } from '../../test/test-counters.ts'
import { newId } from './ids.ts'
import { openProcessRateLimit, openRateLimit } from './rate-limit.ts'

const start = Date.parse('2026-05-01T08:00:00.000Z')

describe.each(engines)('a rate limit with accounts on %s', (engine) => {
  let opened: TestCounters
  beforeAll(async () => {
    opened = await openTestCounters(engine)
  })
  afterAll(() => opened.remove())

  test('allows a burst, then one event per interval, by key', async () => {
    const clock = steppedClock(start)
    const limit = openRateLimit(opened.open(clock)(newId()), { burst: 3, intervalMs: 100 })
    const takeFive = []
    for (let n = 0; n < 5; n += 1) takeFive.push(await limit.take('a'))
    expect(takeFive).toEqual([0, 0, 0, 100, 100])
    expect(await limit.take('b')).toBe(0)
    clock.pass(60)
    expect(await limit.take('a')).toBe(40)
    clock.pass(40)
    expect([await limit.take('a'), await limit.take('a')]).toEqual([0, 100])
    clock.pass(1_000_000)
    const concurrent = await Promise.all(Array.from({ length: 4 }, () => limit.take('a')))
    expect(concurrent).toEqual([0, 0, 0, 100])
  })

  test('allows no more than the burst and the time passed, in any sequence', async () => {
    const name = newId()
    const waits = fc.array(fc.nat(150), { maxLength: 100 })
    await fc.assert(
      fc.asyncProperty(waits, async (waitsMs) => {
        const clock = steppedClock(start)
        const key = newId()
        const limits = [1, 2].map(() =>
          openRateLimit(opened.open(clock)(name), { burst: 5, intervalMs: 100 }),
        )
        let allowed = 0
        for (const [at, waitMs] of waitsMs.entries()) {
          clock.pass(waitMs)
          // In memory, a second process would have its own counters.
          const limit = limits[engine === 'SQLite' ? 0 : at % 2]
          if ((await limit?.take(key)) === 0) allowed += 1
        }
        expect(allowed).toBeLessThanOrEqual(5 + Math.floor(clock.monotonicMs() / 100))
      }),
      { numRuns: engine === 'SQLite' ? 100 : 15 },
    )
  })

  test('makes nobody wait longer than usual when the clock of the counters is set back', async () => {
    const clock = steppedClock(start)
    const limit = openRateLimit(opened.open(clock)(newId()), { burst: 2, intervalMs: 1000 })
    await Promise.all([limit.take('a'), limit.take('a')])
    clock.step(-3_600_000)
    expect(await limit.take('a')).toBe(1000)
    clock.pass(1000)
    expect(await limit.take('a')).toBe(0)
  })
})

test('a rate limit of one process counts at once', () => {
  const clock = steppedClock(0)
  const take = openProcessRateLimit(clock, { burst: 2, intervalMs: 100 })
  expect([take('a'), take('a'), take('a'), take('b')]).toEqual([0, 0, 100, 0])
  clock.pass(100)
  expect(take('a')).toBe(0)
})
