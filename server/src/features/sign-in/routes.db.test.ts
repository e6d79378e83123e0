import { ingestTrace } from '@assay/contract/ingest.ts'
import { readSession, readSetup, setUp, signIn, signOut } from '@assay/contract/sign-in.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addUser } from '../../../test/people.ts'
import { type Service, setupToken, startService } from '../../../test/started-app.ts'
import { openPasswords } from '../../platform/password-hash.ts'

let service: Service

const form = {
  token: setupToken,
  email: 'Ana@X.org',
  password: 'correct horse',
  name: 'Ana',
  organization_name: 'Acme',
  project_name: 'Checkout',
}

/** The cookie of an answer as a browser sends it back, and what the browser was told about it. */
function cookieOf(headers: Headers): { cookie: string; attributes: string } {
  const [pair = '', ...attributes] = (headers.get('set-cookie') ?? '').split('; ')
  return { cookie: pair, attributes: attributes.join('; ') }
}

describe('POST /setup', () => {
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.stop())

  test('refuses a form with a fault by naming the first, and a wrong token, and stays needed', async () => {
    const faults: readonly (readonly [Partial<typeof form>, RegExp])[] = [
      [{ password: 'too short' }, /password: .*10/],
      [{ password: 'x'.repeat(129) }, /password: .*128/],
      [{ email: 'nobody' }, /email: /],
      [{ name: ' ' }, /name: /],
    ]
    for (const [fault, message] of faults) {
      const answer = await service.ask(setUp, { body: { ...form, ...fault } })
      expect(answer).toMatchObject({
        status: 400,
        error: { code: 'VALIDATION_ERROR', details: {} },
      })
      expect(answer.error.message).toMatch(message)
    }
    const refused = await service.ask(setUp, { body: { ...form, token: 'a guess' } })
    expect(refused).toMatchObject({ status: 403, error: { message: 'Wrong set-up token.' } })
    expect(refused.headers.get('set-cookie')).toBeNull()
    expect((await service.ask(readSetup, {})).data).toEqual({ needed: true })
  })

  test('signs the first person in, with a key that takes a trace, and then is over', async () => {
    const answer = await service.ask(setUp, { body: form })
    expect(answer).toMatchObject({
      status: 201,
      data: { user: { email: 'Ana@X.org', is_super_admin: true }, organization: { role: 'Owner' } },
    })
    const { cookie } = cookieOf(answer.headers)
    const { data } = await service.ask(readSession, {}, { cookie })
    expect(data.user).toEqual(answer.data.user)

    const body = {
      trace_id: 'first',
      spans: [{ span_id: 'a', name: 'a', started_at: '2026-01-01T00:00:00Z' }],
    }
    const taken = await service.ask(
      ingestTrace,
      { body },
      { 'x-tracing-key': answer.data.tracing_key },
    )
    expect(taken).toMatchObject({ status: 202, data: { project_id: answer.data.project.id } })

    expect((await service.ask(readSetup, {})).data).toEqual({ needed: false })
    expect(await service.ask(setUp, { body: form })).toMatchObject({
      status: 409,
      error: { code: 'CONFLICT' },
    })
  })
})

describe('signing in and out', () => {
  const password = 'correct horse'
  let email: string
  beforeAll(async () => {
    service = await startService()
    const passwordHash = await openPasswords().hash(password)
    email = (await addUser(service.accounts, { passwordHash })).email
  })
  afterAll(() => service.stop())

  test('POST /auth/sign-in sets a cookie that scripts cannot read, and has its token nowhere else', async () => {
    const answer = await service.ask(signIn, { body: { email, password } })
    expect(answer).toMatchObject({ status: 200, data: { user: { email, is_super_admin: false } } })
    const { cookie, attributes } = cookieOf(answer.headers)
    expect(cookie).toMatch(/^assay_session=[A-Za-z0-9_-]{43}$/)
    expect(attributes).toMatch(/^Path=\/; HttpOnly; SameSite=Lax; Expires=/)
    expect(JSON.stringify(answer.data)).not.toContain(cookie.slice('assay_session='.length))
  })

  test('POST /auth/sign-in refuses a wrong password and sets nothing', async () => {
    const answer = await service.ask(signIn, { body: { email, password: 'wrong horse' } })
    expect(answer).toMatchObject({
      status: 401,
      error: { code: 'UNAUTHORIZED', message: 'Invalid e-mail or password.' },
    })
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  test('POST /auth/sign-out ends this session and no other', async () => {
    const sessions = await Promise.all(
      [1, 2].map(() => service.ask(signIn, { body: { email, password } })),
    )
    const [here = '', elsewhere = ''] = sessions.map(({ headers }) => cookieOf(headers).cookie)
    const answer = await service.ask(signOut, {}, { cookie: here })
    expect(answer).toMatchObject({ status: 200, data: { signed_out: true } })
    expect(answer.headers.get('set-cookie')).toMatch(/^assay_session=; .*Max-Age=0/)
    expect((await service.ask(readSession, {}, { cookie: here })).status).toBe(401)
    expect((await service.ask(readSession, {}, { cookie: elsewhere })).status).toBe(200)
  })
})
