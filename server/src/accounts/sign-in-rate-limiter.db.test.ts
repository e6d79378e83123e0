import { limits } from '@assay/contract/limits.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { engines } from '../../test/accounts-database.ts'
import { clockAt, steppedClock } from '../../test/clock-at.ts'
import { openTestCounters, type TestCounters } from '../../test/test-counters.ts'
import { memoryCounters, memoryCountersMax } from '../platform/counters.ts'
import { newId } from '../platform/ids.ts'
import { openSignInRateLimiter, type SignInRateLimiter } from './sign-in-rate-limiter.ts'

let now = 0
let rateLimiter: SignInRateLimiter

beforeEach(() => {
  now = Date.parse('2026-05-01T08:00:00.000Z')
  rateLimiter = openSignInRateLimiter(memoryCounters(clockAt(() => now)))
})

/** Seconds that the attempt has to wait; 0 when it was allowed. */
async function secondsToWait(attempt: () => Promise<unknown>): Promise<number> {
  try {
    await attempt()
    return 0
  } catch (error) {
    expect(error).toMatchObject({ code: 'RATE_LIMITED', status: 429 })
    return (error as { retryAfterSeconds: number }).retryAfterSeconds
  }
}

const attempt = (email: string, address: string) =>
  secondsToWait(() => rateLimiter.enter(email, address))
const fromAnywhere = (() => {
  let number = 0
  return () => `10.${number >> 16}.${(number >> 8) & 255}.${number++ & 255}`
})()

describe.each(engines)('with accounts on %s', (engine) => {
  let opened: TestCounters
  beforeAll(async () => {
    opened = await openTestCounters(engine)
  })
  beforeEach(async () => {
    await opened.query('delete from rate_counters')
    rateLimiter = openSignInRateLimiter(opened.open(clockAt(() => now)))
  })
  afterAll(() => opened.remove())

  describe('attempts at one address', () => {
    test('after the first five wait twice as long each time, up to a minute, from any network', async () => {
      for (let number = 0; number < 5; number++)
        expect(await attempt('ana@x.org', fromAnywhere())).toBe(0)
      const waits = []
      for (let number = 0; number < 8; number++) {
        const seconds = await attempt('ana@x.org', fromAnywhere())
        waits.push(seconds)
        now += seconds * 1000 - 1
        expect(await attempt('ana@x.org', fromAnywhere()), 'a moment too early').toBe(1)
        now += 1
        expect(await attempt('ana@x.org', fromAnywhere())).toBe(0)
      }
      expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
    })

    test('do not slow down another address, and refused ones do not count', async () => {
      for (let number = 0; number < 100; number++) await attempt('ana@x.org', fromAnywhere())
      expect(await attempt('ben@x.org', fromAnywhere())).toBe(0)
      now += 1000
      expect(await attempt('ana@x.org', fromAnywhere())).toBe(0)
    })

    test('are reset when one of them succeeds', async () => {
      for (let number = 0; number < 4; number++) await attempt('ana@x.org', fromAnywhere())
      await (await rateLimiter.enter('ana@x.org', fromAnywhere())).succeeded()
      for (let number = 0; number < 5; number++)
        expect(await attempt('ana@x.org', fromAnywhere())).toBe(0)
      expect(await attempt('ana@x.org', fromAnywhere())).toBe(1)
    })

    test('elsewhere do not make a person wait who has signed in from their network before', async () => {
      await (await rateLimiter.enter('ana@x.org', '192.0.2.1')).succeeded()
      for (let number = 0; number < 50; number++) await attempt('ana@x.org', fromAnywhere())
      expect(await attempt('ana@x.org', fromAnywhere())).toBe(1)
      for (let number = 0; number < 5; number++)
        expect(await attempt('ana@x.org', '192.0.2.1')).toBe(0)
      expect(await attempt('ana@x.org', '192.0.2.1')).toBe(1)
    })

    test('expire', async () => {
      for (let number = 0; number < 6; number++) await attempt('ana@x.org', fromAnywhere())
      now += 3_600_000
      for (let number = 0; number < 5; number++)
        expect(await attempt('ana@x.org', fromAnywhere())).toBe(0)
    })

    test('count when they start: concurrent attempts do not get around the limit', async () => {
      const attempts = Array.from({ length: 50 }, () => attempt('ana@x.org', fromAnywhere()))
      const waits = await Promise.all(attempts)
      expect(waits.filter((seconds) => seconds === 0)).toHaveLength(5)
    })
  })

  describe('attempts from one network', () => {
    test('wait after the first thirty, for any e-mail address and any spelling of the /64', async () => {
      const spellings = ['2001:db8:1:2::1', '2001:0db8:1:2:ffff::', '2001:DB8:1:2:0:0:0:9']
      for (let number = 0; number < 30; number++) {
        expect(await attempt(`person-${number}@x.org`, spellings[number % 3] ?? '')).toBe(0)
      }
      expect(await attempt('another@x.org', '2001:db8:1:2:3:4:5:6')).toBe(1)
      expect(await secondsToWait(() => rateLimiter.enterNetwork('2001:db8:1:2::7'))).toBe(1)
      expect(await attempt('another@x.org', '2001:db8:1:3::1')).toBe(0)
    })

    test('do not count when they succeed', async () => {
      for (let number = 0; number < 100; number++) {
        await (await rateLimiter.enter(`person-${number}@x.org`, '192.0.2.1')).succeeded()
        await (await rateLimiter.enterNetwork('192.0.2.1')).succeeded(`new-${number}@x.org`)
      }
      expect(await attempt('ana@x.org', '192.0.2.1')).toBe(0)
    })

    test('do not count when the address at which they were made refuses them', async () => {
      for (let number = 0; number < 50; number++) await attempt('ana@x.org', '192.0.2.1')
      const left = limits.networkSignInAttempts.value - limits.signInAttempts.value
      for (let number = 0; number < left; number++)
        expect(await attempt(`person-${number}@x.org`, '192.0.2.1')).toBe(0)
      expect(await attempt('another@x.org', '192.0.2.1')).toBe(1)
    })

    test('do not make a person wait who has signed in or up from that network before', async () => {
      await (await rateLimiter.enter('ana@x.org', '192.0.2.1')).succeeded()
      await (await rateLimiter.enterNetwork('192.0.2.1')).succeeded('ben@x.org')
      for (let number = 0; number < 100; number++)
        await attempt(`person-${number}@x.org`, '192.0.2.1')
      expect(await attempt('carl@x.org', '192.0.2.1')).toBe(1)
      expect(await attempt('ana@x.org', '192.0.2.1')).toBe(0)
      expect(await attempt('ben@x.org', '192.0.2.1')).toBe(0)
    })
  })

  test('accounts of a network and changes of a user are limited', async () => {
    const { countAccount, countChange } = rateLimiter
    for (let number = 0; number < limits.signUps.value; number++)
      await countAccount('2001:db8:1:2::1')
    expect(await secondsToWait(() => countAccount('2001:db8:1:2::2'))).toBe(
      limits.signUpSeconds.value,
    )
    expect(await secondsToWait(() => countAccount('2001:db8:1:3::1'))).toBe(0)
    for (let number = 0; number < limits.accountChanges.value; number++) await countChange('ana')
    expect(await secondsToWait(() => countChange('ana'))).toBe(limits.accountChangeSeconds.value)
    expect(await secondsToWait(() => countChange('ben'))).toBe(0)
  })

  test('a clock that is set back makes nobody wait longer than usual', async () => {
    const clock = steppedClock(now)
    rateLimiter = openSignInRateLimiter(opened.open(clock))
    for (let number = 0; number < 5; number++) await attempt('ana@x.org', fromAnywhere())
    clock.step(-3_600_000)
    expect(await attempt('ana@x.org', fromAnywhere())).toBe(1)
    clock.pass(1000)
    expect(await attempt('ana@x.org', fromAnywhere())).toBe(0)
  })

  test('no sequence of attempts and waits exceeds the rate', async () => {
    const waits = fc.array(fc.nat(5_000), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(waits, async (waitsMs) => {
        const own = openSignInRateLimiter(opened.open(clockAt(() => now)))
        const email = newId()
        const start = now
        let allowed = 0
        for (const waitMs of waitsMs) {
          now += waitMs
          if ((await secondsToWait(() => own.enter(email, '192.0.2.1'))) === 0) allowed += 1
        }
        // 5 at once, then after 1, 2, 4, 8 … seconds; one more is allowed for every three minutes.
        const seconds = (now - start) / 1000
        expect(allowed).toBeLessThanOrEqual(
          5 + Math.log2(seconds + 1) + 1 + 2 * Math.ceil(seconds / 180),
        )
      }),
      { numRuns: engine === 'SQLite' ? 100 : 10 },
    )
  })
})

test('with accounts on PostgreSQL, several processes limit attempts together, and know the same people', async () => {
  const opened = await openTestCounters('PostgreSQL')
  const clock = clockAt(() => now)
  const processes = [1, 2, 3].map(() => openSignInRateLimiter(opened.open(clock)))
  const atAll = (email: string, address: () => string, times: number) =>
    Promise.all(
      Array.from({ length: times }, (_, at) =>
        secondsToWait(async () => processes[at % 3]?.enter(email, address())),
      ),
    )
  const toAna = await atAll('ana@x.org', fromAnywhere, 60)
  expect(toAna.filter((seconds) => seconds === 0)).toHaveLength(limits.signInAttempts.value)
  const [one, two, three] = processes
  await (await one?.enter('ben@x.org', '192.0.2.1'))?.succeeded()
  await atAll('ben@x.org', fromAnywhere, 12)
  expect(await secondsToWait(async () => three?.enter('ben@x.org', '192.0.2.9'))).toBe(1)
  expect(await secondsToWait(async () => two?.enter('ben@x.org', '192.0.2.1'))).toBe(0)
  await opened.remove()
})

test.each([
  ['back', -3_600_000],
  ['forward', 3_600_000],
])('in memory, a clock that is set %s changes no wait', async (_direction, stepMs) => {
  const clock = steppedClock(now)
  rateLimiter = openSignInRateLimiter(memoryCounters(clock))
  for (let number = 0; number < 6; number++) await attempt('ana@x.org', fromAnywhere())
  clock.step(stepMs)
  expect(await attempt('ana@x.org', fromAnywhere())).toBe(1)
  clock.pass(1000)
  expect(await attempt('ana@x.org', fromAnywhere())).toBe(0)
})

test('in memory, the least recently used counter is dropped beyond the maximum', async () => {
  for (let number = 0; number < 5; number++) await attempt('first@x.org', fromAnywhere())
  for (let number = 0; number < memoryCountersMax - 1; number++) {
    await attempt(`person-${number}@x.org`, fromAnywhere())
  }
  expect(await attempt('first@x.org', fromAnywhere())).toBe(1)
  await attempt('one-more@x.org', fromAnywhere())
  expect(await attempt('first@x.org', fromAnywhere())).toBe(0)
})
