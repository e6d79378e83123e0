import { limits } from '@assay/contract/limits.ts'
import { inviteMember } from '@assay/contract/members.ts'
import { listOrganizations } from '@assay/contract/organizations.ts'
import { addPlatformAccess } from '@assay/contract/platform.ts'
import { readSession, signIn, signUp } from '@assay/contract/sign-in.ts'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { silent } from '../../../test/accounts-database.ts'
import { clockAt } from '../../../test/clock-at.ts'
import { addUser } from '../../../test/people.ts'
import { runningService, tenantPerTest } from '../../../test/service-suite.ts'
import { readCookie, startService } from '../../../test/started-app.ts'
import { openRefusedSignIns } from '../../accounts/refused-sign-ins.ts'
import { openSignInRateLimiter } from '../../accounts/sign-in-rate-limiter.ts'
import { systemClock } from '../../platform/clock.ts'
import { memoryCounters } from '../../platform/counters.ts'
import { newId } from '../../platform/ids.ts'
import { openPasswords } from '../../platform/password-hash.ts'
import { signUp as signUpUseCase } from './sign-up.ts'

let now = Date.parse('2026-05-01T08:00:00.000Z')
const service = runningService({ clock: clockAt(() => now) })
const acme = tenantPerTest(service)

beforeAll(async () => {
  await service.accounts.installation.claim(new Date(now).toISOString())
  const admin = await service.signedIn(await addUser(service.accounts, { superAdmin: true }))
  for (const pattern of ['@x.org', '@approved.org']) {
    await service.call(addPlatformAccess, { body: { pattern } }, admin)
  }
})
beforeEach(async () => {
  // Far enough from the other tests that their attempts do not count.
  now += 3_600_000
})

const form = (email: string, more: object = {}) => ({
  ...{ email, password: 'correct horse', name: 'Ana' },
  ...more,
})
const call = (body: object) => service.call(signUp, { body })
const newAddress = (domain = 'approved.org') => `${newId()}@${domain}`
async function invited(email: string): Promise<string> {
  const as = await service.signedIn(acme.members.Owner)
  const params = { orgId: acme.organizationId }
  const { data } = await service.call(inviteMember, { params, body: { email, role: 'Editor' } }, as)
  return data.invite_token ?? ''
}
const exists = async (email: string) =>
  (await service.accounts.users.findByEmailKey(email.toLowerCase())) !== undefined

describe('POST /auth/sign-up', () => {
  test('creates an account and a session for an approved address, without an organization', async () => {
    const email = newAddress()
    const response = await call(form(email))
    expect(response).toMatchObject({
      status: 201,
      data: { user: { email, name: 'Ana', is_super_admin: false } },
    })
    const as = { cookie: readCookie(response.headers) }
    expect((await service.call(readSession, {}, as)).status).toBe(200)
    expect((await service.call(listOrganizations, {}, as)).data).toEqual([])
    const user = await service.accounts.users.findByEmailKey(email)
    expect(user).toMatchObject({ email_verified_at: null, is_super_admin: 0 })
  })

  test('accepts an invite in place of an approval', async () => {
    const email = newAddress('x.org')
    const invite_token = await invited(email)
    await service.query(`delete from platform_access where pattern = '@x.org'`)
    const response = await call(form(email, { invite_token }))
    expect(response.status).toBe(201)
    const as = { cookie: readCookie(response.headers) }
    expect((await service.call(listOrganizations, {}, as)).data).toMatchObject([
      { id: acme.organizationId, role: 'Editor' },
    ])
    const admin = await service.signedIn(await addUser(service.accounts, { superAdmin: true }))
    await service.call(addPlatformAccess, { body: { pattern: '@x.org' } }, admin)
  })

  test('refuses an address that is not approved, also with an invite for another address', async () => {
    const invite_token = await invited(newAddress('x.org'))
    for (const more of [{}, { invite_token }, { invite_token: 'made up' }]) {
      const email = newAddress('elsewhere.org')
      expect(await call(form(email, more))).toMatchObject({
        status: 409,
        error: { code: 'PLATFORM_ACCESS_REQUIRED' },
      })
      expect(await exists(email)).toBe(false)
    }
  })

  test('refuses an expired invite for an approved address, and creates no account', async () => {
    const email = newAddress('x.org')
    expect(await call(form(email, { invite_token: 'made up' }))).toMatchObject({
      status: 404,
      error: { code: 'NOT_FOUND' },
    })
    expect(await exists(email)).toBe(false)
  })

  test('refuses an address that has an account, also one of two concurrent requests', async () => {
    const email = newAddress()
    const responses = await Promise.all([email, email.toUpperCase()].map((one) => call(form(one))))
    expect(responses.map(({ status }) => status).sort(byNumber)).toEqual([201, 409])
    expect(await call(form(email, { password: 'another horse' }))).toMatchObject({
      status: 409,
      error: { code: 'CONFLICT' },
    })
    const body = { email, password: 'correct horse' }
    expect((await service.call(signIn, { body })).status).toBe(200)
  })

  test('refuses an invalid form', async () => {
    for (const [fault, message] of [
      [{ email: 'nobody' }, /^email /],
      [{ password: 'short' }, /^password /],
      [{ name: ' ' }, /^name /],
    ] as const) {
      const response = await call(form(newAddress(), fault))
      expect(response).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } })
      expect(response.error.message).toMatch(message)
    }
  })

  test('is not limited for an office that signs up from one network', async () => {
    const office = await startService({ trustProxy: 1 })
    await office.query(
      `insert into platform_access (id, pattern, created_at) values ('1', '@approved.org', '2026')`,
    )
    await office.accounts.installation.claim('2026-05-01T08:00:00.000Z')
    const send = { 'x-forwarded-for': '192.0.2.7' }
    for (let number = 0; number < 35; number++) {
      expect((await office.call(signUp, { body: form(newAddress()), send })).status).toBe(201)
    }
    const wrong = { email: 'nobody@approved.org', password: 'wrong horse' }
    expect((await office.call(signIn, { body: wrong, send })).status).toBe(401)
    await office.stop()
  })

  test('is limited for a network without invites, and creates no account beyond that', async () => {
    const counters = memoryCounters(systemClock)
    const rateLimiter = openSignInRateLimiter(counters)
    const client = {
      ...{ address: '192.0.2.8', userAgent: null, requestId: 'a request' },
      signal: new AbortController().signal,
    }
    for (let n = 0; n < limits.signUps.value; n += 1) await rateLimiter.countAccount(client.address)
    const passwords = openPasswords(1)
    const { accounts } = service
    const ports = {
      ...{ accounts, passwords, signInPasswords: passwords, rateLimiter, clock: systemClock },
      refusedSignIns: openRefusedSignIns({ accounts, counters, clock: systemClock, log: silent }),
    }
    const email = newAddress()
    await expect(signUpUseCase(form(email), client, ports)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    })
    expect(await exists(email)).toBe(false)
    const other = newAddress('x.org')
    const invite_token = await invited(other)
    await signUpUseCase(form(other, { invite_token }), client, ports)
    expect(await exists(other)).toBe(true)
  })

  test('is limited after repeated refusals', async () => {
    const responses = []
    for (let number = 0; number < 35; number++) {
      responses.push(await call(form(newAddress('elsewhere.org'), { password: 'x'.repeat(10) })))
    }
    expect(responses.at(-1)).toMatchObject({ status: 429, error: { code: 'RATE_LIMITED' } })
  })
})

test('nobody signs up before the service is set up', async () => {
  const fresh = await startService()
  await fresh.query(
    `insert into platform_access (id, pattern, created_at) values ('1', '@approved.org', '2026')`,
  )
  expect(await fresh.call(signUp, { body: form(newAddress()) })).toMatchObject({ status: 409 })
  expect(await fresh.query('select id from users')).toEqual([])
  await fresh.stop()
})

const byNumber = (one: number, other: number) => one - other
