import {
  checkPasswordReset,
  confirmPasswordReset,
  readSession,
  readSetup,
  requestPasswordReset,
  signIn,
} from '@assay/contract/sign-in.ts'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openMailbox, tokenIn } from '../../../test/mailbox.ts'
import { addUser } from '../../../test/people.ts'
import { runningService } from '../../../test/service-suite.ts'
import { startService } from '../../../test/started-app.ts'
import { hashPassword } from '../../platform/password-hash.ts'
import type { UserRow } from '../../storage/accounts/people-tables.ts'

const mailbox = openMailbox()
const password = 'another horse'
let passwordHash: string
const service = runningService({ mailer: mailbox })
let ana: UserRow

beforeAll(async () => {
  passwordHash = await hashPassword('correct horse')
})
beforeEach(async () => {
  ana = await addUser(service.accounts, { passwordHash })
})

const request = (email: string) => service.call(requestPasswordReset, { body: { email } })
const confirm = (token: string, chosen = password) =>
  service.call(confirmPasswordReset, { body: { token, password: chosen } })
const check = (token: string) => service.call(checkPasswordReset, { body: { token } })
const signInWith = (given: string) =>
  service.call(signIn, { body: { email: ana.email, password: given } })

/** Requests a link for another person, who gets one: most likely, earlier requests have been handled then as well. */
async function tokenMailed(user: UserRow): Promise<string> {
  const coming = mailbox.nextTo(user.email)
  await request(user.email)
  return tokenIn(await coming)
}

const notFound = { status: 404, error: { code: 'NOT_FOUND' } }

describe('a password link', () => {
  test('sets the password once, ends all sessions, starts none, and verifies the address', async () => {
    const session = await service.signedIn(ana)
    const token = await tokenMailed(ana)
    const response = await confirm(token)
    expect(response).toMatchObject({ status: 200, data: { password_changed: true } })
    expect(response.headers.get('set-cookie')).toBeNull()
    expect((await service.call(readSession, {}, session)).status).toBe(401)
    expect((await signInWith('correct horse')).status).toBe(401)
    expect((await signInWith(password)).status).toBe(200)
    expect((await service.accounts.users.find(ana.id))?.email_verified_at).not.toBeNull()
    expect(await confirm(token, 'a third horse')).toMatchObject(notFound)
    expect((await signInWith(password)).status).toBe(200)
  })

  test.each([
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '/a\nb',
    `/${'x'.repeat(1024)}`,
  ])('does not lead to %j, for which no link is made', async (return_to) => {
    const body = { email: ana.email, return_to }
    expect(await service.call(requestPasswordReset, { body })).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_ERROR', message: expect.stringMatching(/^return_to /) },
    })
    expect(await service.accounts.passwordLinks.findByUser(ana.id)).toBeUndefined()
  })

  test('has the same response for everybody, and is mailed only to people who may sign in with a password', async () => {
    const disabled = await addUser(service.accounts, { passwordHash, disabled: true })
    const before = mailbox.mails.length
    const responses = [
      await request('nobody@x.org'),
      await request(disabled.email),
      await request(ana.email),
    ].map(({ status, data }) => ({ status, data }))
    expect(responses).toEqual(Array(3).fill({ status: 200, data: { requested: true } }))
    const last = await addUser(service.accounts)
    await tokenMailed(last)
    await expect
      .poll(() => new Set(mailbox.mails.slice(before).map(({ to }) => to)))
      .toEqual(new Set([ana.email, last.email]))
  })

  test('is mailed at intervals, however often it is requested', async () => {
    const before = mailbox.mails.length
    const token = await tokenMailed(ana)
    await request(ana.email)
    await request(ana.email.toUpperCase())
    await tokenMailed(await addUser(service.accounts))
    expect(mailbox.mails.slice(before).filter(({ to }) => to === ana.email)).toHaveLength(1)
    expect((await confirm(token)).status).toBe(200)
  })

  test('is mailed again after the clock was set back', async () => {
    await tokenMailed(ana)
    const link = await service.accounts.passwordLinks.findByUser(ana.id)
    if (link === undefined) throw new Error('there is no link')
    const future = new Date(Date.parse(link.created_at) + 3_600_000).toISOString()
    await service.accounts.passwordLinks.put({ ...link, created_at: future })
    expect((await confirm(await tokenMailed(ana))).status).toBe(200)
  })

  test('is stored as a hash, and expires', async () => {
    const token = await tokenMailed(ana)
    const link = await service.accounts.passwordLinks.findByUser(ana.id)
    if (link === undefined) throw new Error('there is no link')
    expect(JSON.stringify(link)).not.toContain(token)
    expect(Date.parse(link.expires_at) - Date.parse(link.created_at)).toBe(3_600_000)
    const past = new Date(Date.parse(link.created_at) - 1000).toISOString()
    await service.accounts.passwordLinks.put({ ...link, expires_at: past })
    expect(await confirm(token)).toMatchObject(notFound)
    expect((await signInWith('correct horse')).status).toBe(200)
  })

  test('has the page to open afterwards in its address, and is checked without being used', async () => {
    const coming = mailbox.nextTo(ana.email)
    const body = { email: ana.email, return_to: '/open-chat?next=%2Facme' }
    await service.call(requestPasswordReset, { body })
    const mail = await coming
    expect(mail.text).toMatch(/\/choose-password\?next=%2Fopen-chat%3Fnext%3D%252Facme#token=\S+$/m)
    const token = tokenIn(mail)
    expect(await check(token)).toMatchObject({ status: 200, data: { valid: true } })
    expect((await confirm(token)).status).toBe(200)
    expect(await check(token)).toMatchObject(notFound)
  })

  test('works for one of two concurrent requests', async () => {
    const token = await tokenMailed(ana)
    const chosen = ['the first horse', 'the second horse']
    const responses = await Promise.all(chosen.map((one) => confirm(token, one)))
    expect(responses.map(({ status }) => status).sort(byNumber)).toEqual([200, 404])
  })

  test('does not work for a person who was disabled in the meantime', async () => {
    const token = await tokenMailed(ana)
    await service.accounts.users.update(ana.id, { disabled_at: ana.created_at })
    expect(await confirm(token)).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } })
    expect((await service.accounts.users.find(ana.id))?.password_hash).toBe(passwordHash)
  })

  test.each(['', 'x', 'A'.repeat(43), 'ü'.repeat(43)])('is not guessed as %j', async (token) => {
    expect(await confirm(token)).toMatchObject(notFound)
    expect(await check(token)).toMatchObject(notFound)
  })

  test('needs a password that is long enough', async () => {
    expect(await confirm(await tokenMailed(ana), 'short')).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_ERROR' },
    })
  })

  test('is rate limited', async () => {
    const responses = []
    for (let number = 0; number < 40; number++) responses.push(await request('nobody@x.org'))
    expect(responses.at(-1)).toMatchObject({ status: 429, error: { code: 'RATE_LIMITED' } })
    expect(await check('a guess')).toMatchObject({ status: 429, error: { code: 'RATE_LIMITED' } })
  })
})

test('without a mail server the request is refused, and GET /setup reports it', async () => {
  const mute = await startService()
  expect(await mute.call(requestPasswordReset, { body: { email: 'ana@x.org' } })).toMatchObject({
    status: 503,
    error: { code: 'INTERNAL_ERROR', message: 'Mail is not configured on this deployment.' },
  })
  expect((await mute.call(readSetup, {})).data.mail_configured).toBe(false)
  await mute.stop()
  expect((await service.call(readSetup, {})).data.mail_configured).toBe(true)
})

const byNumber = (one: number, other: number) => one - other
