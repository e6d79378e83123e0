import { ingestTrace } from '@assay/contract/ingest.ts'
import { limits } from '@assay/contract/limits.ts'
import {
  checkSetupToken,
  readSession,
  readSetup,
  setUp,
  signIn,
  signOut,
} from '@assay/contract/sign-in.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { clockAt } from '../../../test/clock-at.ts'
import { addEnforcedDomain, addUser } from '../../../test/people.ts'
import { type Service, setupToken, startService } from '../../../test/started-app.ts'
import { hashPassword } from '../../platform/password-hash.ts'

let service: Service

const form = {
  token: setupToken,
  email: 'Ana@X.org',
  password: 'correct horse',
  name: 'Ana',
  organization_name: 'Acme',
  project_name: 'Checkout',
}

/** The cookie of a response, as a browser returns it, and its attributes. */
function readCookie(headers: Headers): { cookie: string; attributes: string } {
  const [pair = '', ...attributes] = (headers.get('set-cookie') ?? '').split('; ')
  return { cookie: pair, attributes: attributes.join('; ') }
}

describe('POST /setup', () => {
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.stop())

  test('refuses an invalid form with its first problem, and a wrong token, and stays available', async () => {
    const faults: readonly (readonly [Partial<typeof form>, RegExp])[] = [
      [{ password: 'too short' }, /^password .*10/],
      [{ password: 'x'.repeat(129) }, /^password .*128/],
      [{ email: 'nobody' }, /^email /],
      [{ name: ' ' }, /^name /],
    ]
    for (const [fault, message] of faults) {
      const response = await service.call(setUp, { body: { ...form, ...fault } })
      expect(response).toMatchObject({
        status: 400,
        error: { code: 'VALIDATION_ERROR', details: {} },
      })
      expect(response.error.message).toMatch(message)
    }
    const refused = await service.call(setUp, { body: { ...form, token: 'a guess' } })
    expect(refused).toMatchObject({ status: 403, error: { message: 'Wrong set-up token.' } })
    expect(refused.headers.get('set-cookie')).toBeNull()
    expect((await service.call(readSetup, {})).data).toMatchObject({ needed: true })
  })

  test('has its token checked before the form, which changes nothing', async () => {
    const check = (token: string) => service.call(checkSetupToken, { body: { token } })
    expect(await check(setupToken)).toMatchObject({ status: 200, data: { valid: true } })
    expect(await check('a guess')).toMatchObject({
      status: 403,
      error: { code: 'FORBIDDEN', message: 'Wrong set-up token.' },
    })
    expect((await service.call(readSetup, {})).data).toMatchObject({ needed: true })
    expect(await service.query('select id from users')).toEqual([])
  })

  test('signs the first person in, returns a working key, and works once', async () => {
    const response = await service.call(setUp, { body: form })
    expect(response).toMatchObject({
      status: 201,
      data: { user: { email: 'Ana@X.org', is_super_admin: true }, organization: { role: 'Owner' } },
    })
    const { cookie } = readCookie(response.headers)
    const { data } = await service.call(readSession, {}, { cookie })
    expect(data.user).toEqual(response.data.user)

    const body = {
      trace_id: 'first',
      spans: [{ span_id: 'a', name: 'a', started_at: '2026-01-01T00:00:00Z' }],
    }
    const taken = await service.call(
      ingestTrace,
      { body },
      { 'x-tracing-key': response.data.tracing_key },
    )
    expect(taken).toMatchObject({ status: 202, data: { project_id: response.data.project.id } })

    expect((await service.call(readSetup, {})).data).toMatchObject({ needed: false })
    expect(await service.call(setUp, { body: form })).toMatchObject({
      status: 409,
      error: { code: 'CONFLICT' },
    })
    for (const token of [setupToken, 'a guess']) {
      expect(await service.call(checkSetupToken, { body: { token } })).toMatchObject({
        status: 409,
        error: { code: 'CONFLICT' },
      })
    }
  })
})

describe('guessing the set-up token', () => {
  beforeAll(async () => {
    const now = new Date()
    service = await startService({ clock: clockAt(() => now.getTime()) })
  })
  afterAll(() => service.stop())

  test('has to wait after some attempts, which the check and the form count together', async () => {
    const guess = (at: number) =>
      at % 2 === 0
        ? service.call(checkSetupToken, { body: { token: `guess ${at}` } })
        : service.call(setUp, { body: { ...form, token: `guess ${at}` } })
    for (let at = 0; at < limits.networkSignInAttempts.value; at += 1) {
      expect((await guess(at)).status).toBe(403)
    }
    const refused = { status: 429, error: { code: 'RATE_LIMITED' } }
    const check = await service.call(checkSetupToken, { body: { token: setupToken } })
    expect(check).toMatchObject(refused)
    expect(await service.call(setUp, { body: form })).toMatchObject(refused)
    expect(await service.query('select id from users')).toEqual([])
  })
})

describe('signing in and out', () => {
  const password = 'correct horse'
  let now = Date.parse('2026-05-01T08:00:00.000Z')
  let email: string
  beforeEach(() => {
    // Far enough from the previous test that its attempts no longer count.
    now += 3_600_000
  })
  beforeAll(async () => {
    service = await startService({ clock: clockAt(() => now) })
    const passwordHash = await hashPassword(password)
    email = (await addUser(service.accounts, { passwordHash })).email
  })
  afterAll(() => service.stop())

  test('POST /auth/sign-in sets an HttpOnly cookie, and returns its token nowhere else', async () => {
    const response = await service.call(signIn, { body: { email, password } })
    expect(response).toMatchObject({
      status: 200,
      data: { user: { email, is_super_admin: false } },
    })
    const { cookie, attributes } = readCookie(response.headers)
    expect(cookie).toMatch(/^assay_session=[A-Za-z0-9_-]{43}$/)
    expect(attributes).toMatch(/^Path=\/; HttpOnly; SameSite=Lax; Expires=/)
    expect(JSON.stringify(response.data)).not.toContain(cookie.slice('assay_session='.length))
  })

  test('POST /auth/sign-in refuses a wrong password and sets nothing', async () => {
    const response = await service.call(signIn, { body: { email, password: 'wrong horse' } })
    expect(response).toMatchObject({
      status: 401,
      error: { code: 'UNAUTHORIZED', message: 'Invalid e-mail or password.' },
    })
    expect(response.headers.get('set-cookie')).toBeNull()
  })

  // Counters in PostgreSQL have the time of the database.
  test.skipIf(inject('isScaled'))(
    'POST /auth/sign-in limits guessing, whether or not there is an account',
    async () => {
      const guess = (address: string, given: string) =>
        service.call(signIn, { body: { email: address, password: given } })
      for (const address of [email, 'nobody@x.org']) {
        const responses = []
        for (let number = 0; number < 6; number++)
          responses.push(await guess(address, 'wrong horse'))
        expect(responses.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429])
        const slowed = responses.at(-1)
        expect(slowed).toMatchObject({
          error: { code: 'RATE_LIMITED', message: 'Too many attempts. Try again in a second.' },
        })
        expect(slowed?.headers.get('retry-after')).toBe('1')
      }
      // The correct password must wait as well, or the response time would reveal it.
      expect((await guess(email, password)).status).toBe(429)
      now += 1000
      expect((await guess(email, password)).status).toBe(200)
    },
  )

  test('POST /auth/sign-in refuses all addresses of a domain with enforced single sign-on, except super admins', async () => {
    const { organizationId } = await service.addTenant()
    const { domain } = await addEnforcedDomain(service.accounts, organizationId)
    const passwordHash = await hashPassword(password)
    const [member, admin] = [`member@${domain}`, `admin@${domain}`]
    await addUser(service.accounts, { email: member, passwordHash })
    await addUser(service.accounts, { email: admin, passwordHash, superAdmin: true })
    for (const [address, given] of [
      [member, password],
      [member, 'wrong horse'],
      [admin, 'wrong horse'],
      [`nobody@${domain}`, password],
    ] as const) {
      const response = await service.call(signIn, { body: { email: address, password: given } })
      expect(response, address).toMatchObject({
        status: 403,
        error: { code: 'FORBIDDEN', message: 'This address signs in with single sign-on only.' },
      })
      expect(response.headers.get('set-cookie')).toBeNull()
    }
    expect((await service.call(signIn, { body: { email: admin, password } })).status).toBe(200)
  })

  test('successful and failed sign-ins are in the audit log, without the input', async () => {
    const nobody = 'maybe-a-password'
    await service.call(signIn, { body: { email: nobody, password: 'wrong horse' } })
    await service.call(signIn, { body: { email, password: 'wrong horse' } })
    await service.call(signIn, { body: { email, password } })
    const lines = await service.accounts.audit.list(null, { limit: 3 })
    expect(
      lines.map(({ action, actor_kind, target_id, details }) => [
        action,
        actor_kind,
        target_id === null,
        details,
      ]),
    ).toEqual([
      ['session.started', 'user', false, '{"method":"password"}'],
      ['session.refused', 'anonymous', false, '{"reason":"wrong-password"}'],
      ['session.refused', 'anonymous', true, '{"reason":"unknown-address"}'],
    ])
    expect(JSON.stringify(lines)).not.toContain(nobody)
  })

  test('POST /auth/sign-out ends this session and no other', async () => {
    const sessions = await Promise.all(
      [1, 2].map(() => service.call(signIn, { body: { email, password } })),
    )
    const [here = '', elsewhere = ''] = sessions.map(({ headers }) => readCookie(headers).cookie)
    const response = await service.call(signOut, {}, { cookie: here })
    expect(response).toMatchObject({ status: 200, data: { signed_out: true } })
    expect(response.headers.get('set-cookie')).toMatch(/^assay_session=; .*Max-Age=0/)
    expect((await service.call(readSession, {}, { cookie: here })).status).toBe(401)
    expect((await service.call(readSession, {}, { cookie: elsewhere })).status).toBe(200)
  })
})
