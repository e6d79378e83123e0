import { limits } from '@assay/contract/limits.ts'
import {
  changePassword,
  listSessions,
  revokeOtherSessions,
  revokeSession,
  updateProfile,
} from '@assay/contract/profile.ts'
import { readSession, signIn } from '@assay/contract/sign-in.ts'
import { beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { clockAt } from '../../../test/clock-at.ts'
import { addUser } from '../../../test/people.ts'
import { runningService } from '../../../test/service-suite.ts'
import { type Credentials, readCookie } from '../../../test/started-app.ts'
import { idleMs } from '../../accounts/session.ts'
import { hashPassword } from '../../platform/password-hash.ts'
import type { UserRow } from '../../storage/accounts/people-tables.ts'

const start = Date.parse('2026-05-01T08:00:00.000Z')
let now = start

const password = 'correct horse'
let passwordHash: string
const service = runningService({ clock: clockAt(() => now) })
let ana: UserRow
let as: Credentials

beforeAll(async () => {
  passwordHash = await hashPassword(password)
})
beforeEach(async () => {
  now = start
  ana = await addUser(service.accounts, { passwordHash })
  as = await service.signedIn(ana)
})

const readSessions = async (who: Credentials) => (await service.call(listSessions, {}, who)).data
const isSignedIn = async (who: Credentials) =>
  (await service.call(readSession, {}, who)).status === 200

describe('PATCH /auth/profile', () => {
  test('changes your own name only, whatever the body contains', async () => {
    const body = { name: ' Ana B. ', id: 'another', email: 'root@x.org', is_super_admin: true }
    const response = await service.call(updateProfile, { body }, as)
    const user = { id: ana.id, email: ana.email, name: 'Ana B.', is_super_admin: false }
    expect(response).toMatchObject({ status: 200, data: { user } })
    expect((await service.call(readSession, {}, as)).data.user).toEqual(user)
  })

  // Counters in PostgreSQL have the time of the database.
  test.skipIf(inject('isScaled'))('is limited, together with password changes', async () => {
    const rename = async (name: string) =>
      (await service.call(updateProfile, { body: { name } }, as)).status
    for (let n = 0; n < limits.accountChanges.value; n += 1) expect(await rename('Ana')).toBe(200)
    expect(await rename('Another')).toBe(429)
    const body = { current_password: password, new_password: 'another horse' }
    expect((await service.call(changePassword, { body }, as)).status).toBe(429)
    const { data } = await service.call(readSession, {}, as)
    expect(data.user.name).toBe('Ana')
    expect(await readSessions(as)).toHaveLength(1)
    now += limits.accountChangeSeconds.value * 1000
    expect([await rename('Another'), await rename('Third')]).toEqual([200, 429])
  })

  test('refuses an empty name', async () => {
    expect(await service.call(updateProfile, { body: { name: ' ' } }, as)).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_ERROR', message: 'name must not be empty' },
    })
  })
})

describe('POST /auth/password', () => {
  const change = (current: string, next: string, who = as) =>
    service.call(changePassword, { body: { current_password: current, new_password: next } }, who)

  test('ends every session, also this one, and starts a new one', async () => {
    const elsewhere = await service.signedIn(ana)
    const response = await change(password, 'another horse')
    expect(response).toMatchObject({ status: 200, data: { password_changed: true } })
    expect([await isSignedIn(as), await isSignedIn(elsewhere)]).toEqual([false, false])
    const fresh = { cookie: readCookie(response.headers) }
    expect(await readSessions(fresh)).toMatchObject([{ is_current: true }])
    const signInWith = (given: string) =>
      service.call(signIn, { body: { email: ana.email, password: given } })
    expect((await signInWith(password)).status).toBe(401)
    expect((await signInWith('another horse')).status).toBe(200)
  })

  test('needs the current password, and changes nothing without it', async () => {
    expect(await change('wrong horse', 'another horse')).toMatchObject({
      status: 403,
      error: { code: 'FORBIDDEN', message: 'The current password is wrong.' },
    })
    const passwordless = await service.signedIn(await addUser(service.accounts))
    expect(await change('', 'another horse', passwordless)).toMatchObject({ status: 403 })
    expect(await isSignedIn(as)).toBe(true)
    expect((await service.accounts.users.find(ana.id))?.password_hash).toBe(passwordHash)
  })

  // Counters in PostgreSQL have the time of the database.
  test.skipIf(inject('isScaled'))('limits guessing', async () => {
    for (let number = 0; number < 5; number++) await change('wrong horse', 'another horse')
    const slowed = await change(password, 'another horse')
    expect(slowed).toMatchObject({ status: 429, error: { code: 'RATE_LIMITED' } })
    expect(slowed.headers.get('retry-after')).toBe('1')
    now += 1000
    expect((await change(password, 'another horse')).status).toBe(200)
  })

  test('of two concurrent changes one succeeds', async () => {
    const statuses = await Promise.all(
      ['the first horse', 'the second horse'].map(async (next) => {
        const { status } = await change(password, next)
        return status
      }),
    )
    // The slower request may find its session ended before the password is checked.
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  })
})

describe('the sessions of a person', () => {
  test('are listed with their client, the current one marked, without expired ones', async () => {
    now += 60_000
    const signedIn = await service.call(signIn, {
      body: { email: ana.email, password },
      send: { 'user-agent': 'A Browser/1.0' },
    })
    const here = { cookie: readCookie(signedIn.headers) }
    expect(await readSessions(here)).toMatchObject([
      {
        is_current: true,
        method: 'password',
        ip: '127.0.0.1',
        user_agent: 'A Browser/1.0',
        created_at: new Date(now).toISOString(),
        last_seen_at: new Date(now).toISOString(),
      },
      { is_current: false, user_agent: null },
    ])
    now = start + idleMs
    expect(await readSessions(here)).toHaveLength(1)
  })

  test('can be ended one by one, by their owner only', async () => {
    const elsewhere = await service.signedIn(ana)
    const other = (await readSessions(as)).find(({ is_current }) => !is_current)
    const params = { sessionId: other?.id ?? '' }
    const nonMember = await service.signedIn(await addUser(service.accounts))
    expect(await service.call(revokeSession, { params }, nonMember)).toMatchObject({
      status: 404,
      error: { code: 'NOT_FOUND' },
    })
    expect(await isSignedIn(elsewhere)).toBe(true)
    expect(await service.call(revokeSession, { params }, as)).toMatchObject({
      status: 200,
      data: { status: 'revoked' },
    })
    expect([await isSignedIn(elsewhere), await isSignedIn(as)]).toEqual([false, true])
  })

  test('can all be ended except the current one', async () => {
    const others = [await service.signedIn(ana), await service.signedIn(ana)]
    const nonMember = await service.signedIn(await addUser(service.accounts))
    const response = await service.call(revokeOtherSessions, {}, as)
    expect(response).toMatchObject({ status: 200, data: { status: 'revoked', count: 2 } })
    expect(await Promise.all([as, nonMember, ...others].map(isSignedIn))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  test('reveal no token and no hash of one', async () => {
    const text = JSON.stringify(await readSessions(as))
    const token = as['cookie']?.split('=')[1] ?? 'none'
    expect(text).not.toContain(token)
    expect(text).not.toMatch(/[0-9a-f]{64}/)
  })
})
