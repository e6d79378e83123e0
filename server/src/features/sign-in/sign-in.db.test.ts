import { limits } from '@assay/contract/limits.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  engines,
  openTestAccounts,
  silent,
  type TestAccounts,
} from '../../../test/accounts-database.ts'
import { addUser } from '../../../test/people.ts'
import { accessControl } from '../../accounts/access-control.ts'
import { openRefusedSignIns } from '../../accounts/refused-sign-ins.ts'
import { openSignInRateLimiter } from '../../accounts/sign-in-rate-limiter.ts'
import { systemClock } from '../../platform/clock.ts'
import { memoryCounters } from '../../platform/counters.ts'
import { hashPassword, openPasswords } from '../../platform/password-hash.ts'
import { signIn } from './sign-in.ts'

const client = {
  ...{ address: '192.0.2.1', userAgent: 'a browser', requestId: 'a request' },
  signal: new AbortController().signal,
}
const password = 'correct horse'

let opened: TestAccounts
let passwordHash: string

describe.each(engines)('signing in on %s', (engine) => {
  beforeAll(async () => {
    opened = await openTestAccounts(engine)
    passwordHash = await hashPassword(password)
  })
  afterAll(() => opened.remove())

  const attempt = (email: string, given: string, counters = memoryCounters(systemClock)) =>
    signIn({ email, password: given }, client, {
      accounts: opened.accounts,
      signInPasswords: openPasswords(2),
      refusedSignIns: openRefusedSignIns({
        ...{ accounts: opened.accounts, counters, clock: systemClock, log: silent },
      }),
      rateLimiter: openSignInRateLimiter(counters),
      clock: systemClock,
    })

  test('starts a new session each time, for any spelling of the address', async () => {
    const user = await addUser(opened.accounts, { passwordHash })
    const access = accessControl(opened.accounts, systemClock)
    const spellings = [user.email, user.email.toUpperCase(), ` ${user.email}`]
    const sessions = await Promise.all(spellings.map((email) => attempt(email, password)))
    expect(new Set(sessions.map(({ session }) => session.token)).size).toBe(3)
    for (const { session } of sessions) {
      expect((await access.findSession(session.token))?.user.id).toBe(user.id)
    }
  })

  test('is limited for a user, and starts no session beyond that', async () => {
    const user = await addUser(opened.accounts, { passwordHash })
    const counters = memoryCounters(systemClock)
    const rateLimiter = openSignInRateLimiter(counters)
    for (let n = 0; n < limits.userSignIns.value; n += 1) await rateLimiter.countSignIn(user.id)
    await expect(attempt(user.email, password, counters)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    })
    expect(await opened.accounts.sessions.list(user.id)).toEqual([])
  })

  test('refuses everybody else in the same way, and starts no session', async () => {
    const known = await addUser(opened.accounts, { passwordHash })
    const disabled = await addUser(opened.accounts, { passwordHash, disabled: true })
    const passwordless = await addUser(opened.accounts)
    const attempts: readonly (readonly [email: string, password: string])[] = [
      [known.email, 'wrong horse'],
      [known.email, ''],
      [known.email, passwordHash],
      ['nobody@x.org', password],
      ['nobody\0@x.org', password],
      ['', password],
      [disabled.email, password],
      [passwordless.email, ''],
    ]
    for (const [email, given] of attempts) {
      await expect(attempt(email, given), email).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
        status: 401,
        message: 'Invalid e-mail or password.',
        details: {},
      })
    }
    const ids = [known, disabled, passwordless].map(({ id }) => `'${id}'`).join()
    expect(await opened.query(`select user_id from sessions where user_id in (${ids})`)).toEqual([])
  })
})
