import { limits } from '@assay/contract/limits.ts'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { clockAt, steppedClock } from '../../test/clock-at.ts'
import { countersMax } from '../platform/rate-limit.ts'
import { openSignInRateLimiter, type SignInRateLimiter } from './sign-in-rate-limiter.ts'

let now = 0
let rateLimiter: SignInRateLimiter

beforeEach(() => {
  now = Date.parse('2026-05-01T08:00:00.000Z')
  rateLimiter = openSignInRateLimiter(clockAt(() => now))
})

/** Seconds that the attempt has to wait; 0 when it was allowed. */
function secondsToWait(attempt: () => unknown): number {
  try {
    attempt()
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

describe('attempts at one address', () => {
  test('after the first five wait twice as long each time, up to a minute, from any network', () => {
    for (let number = 0; number < 5; number++) expect(attempt('ana@x.org', fromAnywhere())).toBe(0)
    const waits = []
    for (let number = 0; number < 8; number++) {
      const seconds = attempt('ana@x.org', fromAnywhere())
      waits.push(seconds)
      now += seconds * 1000 - 1
      expect(attempt('ana@x.org', fromAnywhere()), 'a moment too early').toBe(1)
      now += 1
      expect(attempt('ana@x.org', fromAnywhere())).toBe(0)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
  })

  test('do not slow down another address, and refused ones do not count', () => {
    for (let number = 0; number < 100; number++) attempt('ana@x.org', fromAnywhere())
    expect(attempt('ben@x.org', fromAnywhere())).toBe(0)
    now += 1000
    expect(attempt('ana@x.org', fromAnywhere())).toBe(0)
  })

  test('are reset when one of them succeeds', () => {
    for (let number = 0; number < 4; number++) attempt('ana@x.org', fromAnywhere())
    rateLimiter.enter('ana@x.org', fromAnywhere()).succeeded()
    for (let number = 0; number < 5; number++) expect(attempt('ana@x.org', fromAnywhere())).toBe(0)
    expect(attempt('ana@x.org', fromAnywhere())).toBe(1)
  })

  test('elsewhere do not make a person wait who has signed in from their network before', () => {
    rateLimiter.enter('ana@x.org', '192.0.2.1').succeeded()
    for (let number = 0; number < 50; number++) attempt('ana@x.org', fromAnywhere())
    expect(attempt('ana@x.org', fromAnywhere())).toBe(1)
    for (let number = 0; number < 5; number++) expect(attempt('ana@x.org', '192.0.2.1')).toBe(0)
    expect(attempt('ana@x.org', '192.0.2.1')).toBe(1)
  })

  test('expire', () => {
    for (let number = 0; number < 6; number++) attempt('ana@x.org', fromAnywhere())
    now += 3_600_000
    for (let number = 0; number < 5; number++) expect(attempt('ana@x.org', fromAnywhere())).toBe(0)
  })

  test('count when they start: concurrent attempts do not get around the limit', () => {
    const waits = Array.from({ length: 50 }, () => attempt('ana@x.org', fromAnywhere()))
    expect(waits.filter((seconds) => seconds === 0)).toHaveLength(5)
  })
})

describe('attempts from one network', () => {
  test('wait after the first thirty, for any e-mail address and any spelling of the /64', () => {
    const spellings = ['2001:db8:1:2::1', '2001:0db8:1:2:ffff::', '2001:DB8:1:2:0:0:0:9']
    for (let number = 0; number < 30; number++) {
      expect(attempt(`person-${number}@x.org`, spellings[number % 3] ?? '')).toBe(0)
    }
    expect(attempt('another@x.org', '2001:db8:1:2:3:4:5:6')).toBe(1)
    expect(secondsToWait(() => rateLimiter.enterNetwork('2001:db8:1:2::7'))).toBe(1)
    expect(attempt('another@x.org', '2001:db8:1:3::1')).toBe(0)
  })

  test('do not count when they succeed', () => {
    for (let number = 0; number < 100; number++) {
      rateLimiter.enter(`person-${number}@x.org`, '192.0.2.1').succeeded()
      rateLimiter.enterNetwork('192.0.2.1').succeeded(`new-${number}@x.org`)
    }
    expect(attempt('ana@x.org', '192.0.2.1')).toBe(0)
  })

  test('do not make a person wait who has signed in or up from that network before', () => {
    rateLimiter.enter('ana@x.org', '192.0.2.1').succeeded()
    rateLimiter.enterNetwork('192.0.2.1').succeeded('ben@x.org')
    for (let number = 0; number < 100; number++) attempt(`person-${number}@x.org`, '192.0.2.1')
    expect(attempt('carl@x.org', '192.0.2.1')).toBe(1)
    expect(attempt('ana@x.org', '192.0.2.1')).toBe(0)
    expect(attempt('ben@x.org', '192.0.2.1')).toBe(0)
  })
})

test('accounts of a network and changes of a user are limited', () => {
  const { countAccount, countChange } = rateLimiter
  for (let number = 0; number < limits.signUps.value; number++) countAccount('2001:db8:1:2::1')
  expect(secondsToWait(() => countAccount('2001:db8:1:2::2'))).toBe(limits.signUpSeconds.value)
  expect(secondsToWait(() => countAccount('2001:db8:1:3::1'))).toBe(0)
  for (let number = 0; number < limits.accountChanges.value; number++) countChange('ana')
  expect(secondsToWait(() => countChange('ana'))).toBe(limits.accountChangeSeconds.value)
  expect(secondsToWait(() => countChange('ben'))).toBe(0)
})

test.each([
  ['back', -3_600_000],
  ['forward', 3_600_000],
])('a clock that is set %s changes no wait', (_direction, stepMs) => {
  const clock = steppedClock(now)
  rateLimiter = openSignInRateLimiter(clock)
  for (let number = 0; number < 6; number++) attempt('ana@x.org', fromAnywhere())
  clock.step(stepMs)
  expect(attempt('ana@x.org', fromAnywhere())).toBe(1)
  clock.pass(1000)
  expect(attempt('ana@x.org', fromAnywhere())).toBe(0)
})

test('the least recently used counter is dropped beyond the maximum', () => {
  for (let number = 0; number < 5; number++) attempt('first@x.org', fromAnywhere())
  for (let number = 0; number < countersMax - 1; number++) {
    attempt(`person-${number}@x.org`, fromAnywhere())
  }
  expect(attempt('first@x.org', fromAnywhere())).toBe(1)
  attempt('one-more@x.org', fromAnywhere())
  expect(attempt('first@x.org', fromAnywhere())).toBe(0)
})

test('no sequence of attempts and waits exceeds the rate', () => {
  const waits = fc.array(fc.nat(5_000), { maxLength: 60 })
  fc.assert(
    fc.property(waits, (waitsMs) => {
      const own = openSignInRateLimiter(clockAt(() => now))
      const start = now
      let allowed = 0
      for (const waitMs of waitsMs) {
        now += waitMs
        if (secondsToWait(() => own.enter('ana@x.org', '192.0.2.1')) === 0) allowed += 1
      }
      // 5 at once, then after 1, 2, 4, 8 … seconds; one more is allowed for every three minutes.
      const seconds = (now - start) / 1000
      expect(allowed).toBeLessThanOrEqual(
        5 + Math.log2(seconds + 1) + 1 + 2 * Math.ceil(seconds / 180),
      )
    }),
  )
})
