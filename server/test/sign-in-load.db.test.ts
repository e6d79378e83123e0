import { confirmPasswordReset, signIn, signUp } from '@assay/contract/sign-in.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSignInRateLimiter } from '../src/accounts/sign-in-rate-limiter.ts'
import { confirmReset } from '../src/features/password-reset/confirm-reset.ts'
import { systemClock } from '../src/platform/clock.ts'
import { memoryCounters } from '../src/platform/counters.ts'
import { newId } from '../src/platform/ids.ts'
import { hashPassword, openPasswords } from '../src/platform/password-hash.ts'
import type { UserRow } from '../src/storage/accounts/people-tables.ts'
import { addUser } from './people.ts'
import { type Service, startService } from './started-app.ts'

/*
 * Signing in while others send as much as they are allowed to, or more. Asserted by order, not by time.
 */

const password = 'correct horse'
const token = 'A'.repeat(43)

let service: Service
let ana: UserRow
let networks = 0

beforeAll(async () => {
  service = await startService({ trustProxy: 1 })
  ana = await addUser(service.accounts, { passwordHash: await hashPassword(password) })
  await service.accounts.installation.claim(ana.created_at)
  await service.accounts.platformAccess.insert({
    ...{ id: newId(), pattern: '@approved.test', added_by: null, created_at: ana.created_at },
  })
})
afterAll(() => service.stop())

const newNetwork = () => {
  networks += 1
  return { 'x-forwarded-for': `192.0.2.${networks}` }
}

async function finishedBefore(
  requests: readonly Promise<unknown>[],
  first: () => Promise<{ readonly status: number }>,
): Promise<number> {
  let finished = 0
  const all = requests.map(async (request) => {
    await request
    finished += 1
  })
  expect((await first()).status).toBe(200)
  const before = finished
  await Promise.all(all)
  return before
}

const signInFrom = (send: Record<string, string>) =>
  service.call(signIn, { body: { email: ana.email, password }, send })

describe('a person signs in', () => {
  test('early, while another network sends many passwords', async () => {
    const send = newNetwork()
    const guesses = Array.from({ length: 16 }, (_, n) =>
      service.call(signIn, { body: { email: `nobody-${n}@x.org`, password }, send }),
    )
    expect(await finishedBefore(guesses, () => signInFrom(newNetwork()))).toBeLessThan(9)
  })

  test('early, while people sign up in their own network', async () => {
    const send = newNetwork()
    const signUps = Array.from({ length: 16 }, (_, n) => {
      const body = { email: `person-${n}@approved.test`, password, name: 'Person' }
      return service.call(signUp, { body, send })
    })
    expect(await finishedBefore(signUps, () => signInFrom(send))).toBeLessThan(9)
  })
})

describe('a password link that does not exist', () => {
  test('is refused without waiting for a turn to hash the password', async () => {
    const passwords = openPasswords(1)
    const ports = { accounts: service.accounts, passwords, clock: systemClock }
    const rateLimiter = openSignInRateLimiter(memoryCounters(systemClock))
    const others = new AbortController()
    const waiting = Array.from({ length: 65 }, (_, owner) =>
      passwords.hash(password, { owner: String(owner), signal: others.signal }),
    )
    const client = {
      ...{ address: '198.51.100.1', userAgent: null, requestId: 'a request' },
      signal: new AbortController().signal,
    }
    const refused = confirmReset({ token, password }, client, { ...ports, rateLimiter })
    await expect(refused).rejects.toMatchObject({ code: 'NOT_FOUND' })
    others.abort()
    await Promise.allSettled(waiting)
  })

  test('can be guessed a limited number of times from a network', async () => {
    const send = newNetwork()
    const guess = (from: Record<string, string>) =>
      service.call(confirmPasswordReset, { body: { token, password }, send: from })
    const statuses = []
    for (let n = 0; n < 32; n += 1) statuses.push((await guess(send)).status)
    expect(statuses.slice(0, 30)).toEqual(Array(30).fill(404))
    expect(statuses.slice(30)).toEqual([429, 429])
    expect((await guess(newNetwork())).status).toBe(404)
  })
})
