import { limits } from '@assay/contract/limits.ts'
import { listSessions } from '@assay/contract/profile.ts'
import {
  createSessionTransfer,
  redeemSessionTransfer,
  startSessionTransfer,
} from '@assay/contract/session-transfer.ts'
import { readSession, signOut } from '@assay/contract/sign-in.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { addUser } from '../../../test/people.ts'
import { runningService } from '../../../test/service-suite.ts'
import { type Credentials, readCookie } from '../../../test/started-app.ts'
import type { UserRow } from '../../storage/accounts/people-tables.ts'

const service = runningService()
let ana: UserRow
let onTracing: Credentials

beforeEach(async () => {
  ana = await addUser(service.accounts)
  onTracing = await service.signedIn(ana)
})

/** A transfer started by a browser on the chat host: its cookie and its state. */
async function beginning() {
  const { data, headers } = await service.call(startSessionTransfer, { on: 'chat' })
  return { ...data, flow: { cookie: readCookie(headers) } }
}

const codeFor = async (state: string) =>
  (await service.call(createSessionTransfer, { body: { state } }, onTracing)).data.code
const redeem = (code: string, flow: Credentials) =>
  service.call(redeemSessionTransfer, { body: { code }, on: 'chat' }, flow)
const notFound = { status: 404, error: { code: 'NOT_FOUND' } }

describe('a session', () => {
  test('is transferred to the chat host by a code, is one session on both, and ends on both', async () => {
    const { state, url, flow } = await beginning()
    expect(url).toBe(`http://localhost:4600/session-transfer?to=chat&state=${state}`)
    const given = await service.call(createSessionTransfer, { body: { state } }, onTracing)
    expect(given).toMatchObject({
      status: 200,
      data: { url: `http://localhost:4601/session-transfer/redeem#code=${given.data.code}` },
    })
    const taken = await redeem(given.data.code, flow)
    expect(taken).toMatchObject({ status: 200, data: { signed_in: true } })
    const onChat = { cookie: readCookie(taken.headers) }
    expect(onChat.cookie).toMatch(/^assay_session=/)
    expect(onChat.cookie).not.toBe(onTracing['cookie'])
    const there = await service.call(readSession, { on: 'chat' }, onChat)
    expect(there).toMatchObject({ status: 200, data: { user: { id: ana.id } } })
    expect((await service.call(listSessions, {}, onTracing)).data).toHaveLength(1)

    await service.call(signOut, { on: 'chat' }, onChat)
    expect((await service.call(readSession, { on: 'chat' }, onChat)).status).toBe(401)
    expect((await service.call(readSession, {}, onTracing)).status).toBe(401)
  })

  test('is transferred back in the same way', async () => {
    const { data, headers } = await service.call(startSessionTransfer, {})
    expect(data.url).toBe(`http://localhost:4601/session-transfer?to=tracing&state=${data.state}`)
    const body = { state: data.state }
    const given = await service.call(createSessionTransfer, { body, on: 'chat' }, onTracing)
    const flow = { cookie: readCookie(headers) }
    const taken = await service.call(
      redeemSessionTransfer,
      { body: { code: given.data.code } },
      flow,
    )
    expect(taken.status).toBe(200)
  })

  test('has a limited number of codes and of tokens, the newest', async () => {
    const browser = await beginning()
    const count = async (table: string) =>
      (await service.query(`select * from ${table} where session_id = '${sessionId}'`)).length
    const { data } = await service.call(listSessions, {}, onTracing)
    const sessionId = data[0]?.id ?? ''
    const first = await codeFor(browser.state)
    for (let n = 0; n < limits.sessionTransfers.value + 5; n += 1) await codeFor(browser.state)
    expect(await count('session_transfers')).toBe(limits.sessionTransfers.value)
    expect(await redeem(first, browser.flow)).toMatchObject(notFound)

    let last: Credentials = {}
    for (let n = 0; n < limits.sessionTokens.value + 5; n += 1) {
      const { state, flow } = await beginning()
      const creator = n === 0 ? onTracing : last
      const given = await service.call(createSessionTransfer, { body: { state } }, creator)
      const taken = await redeem(given.data.code, flow)
      last = { cookie: readCookie(taken.headers) }
    }
    expect(await count('session_tokens')).toBe(limits.sessionTokens.value)
    expect((await service.call(readSession, {}, last)).status).toBe(200)
  })

  test('gets no codes beyond the changes that a user may make', async () => {
    const body = { state: 'a'.repeat(64) }
    const create = async () =>
      (await service.call(createSessionTransfer, { body }, onTracing)).status
    for (let n = 0; n < limits.accountChanges.value; n += 1) expect(await create()).toBe(200)
    expect(await create()).toBe(429)
  })

  test('is transferred only to the browser that started the transfer', async () => {
    const mine = await beginning()
    const theirs = await beginning()
    const code = await codeFor(mine.state)
    for (const flow of [theirs.flow, {}, { cookie: 'assay_sign_in=' }]) {
      expect(await redeem(code, flow)).toMatchObject(notFound)
    }
    expect((await redeem(code, mine.flow)).status).toBe(200)
  })

  test('is transferred once per code, also for concurrent requests, and not for a guessed code', async () => {
    const { state, flow } = await beginning()
    const code = await codeFor(state)
    for (const guess of ['', 'x', state, 'A'.repeat(43)]) {
      expect(await redeem(guess, flow)).toMatchObject(notFound)
    }
    const responses = await Promise.all([redeem(code, flow), redeem(code, flow)])
    expect(responses.map(({ status }) => status).sort(byNumber)).toEqual([200, 404])
    expect(await redeem(code, flow)).toMatchObject(notFound)
  })

  test('is not transferred after a minute, nor when it has ended or the person is disabled', async () => {
    const late = await beginning()
    const lateCode = await codeFor(late.state)
    const now = Date.parse(await service.accounts.clock.now())
    const [expires] = await service.query('select expires_at from session_transfers')
    const remaining = Date.parse(String(expires?.['expires_at'])) - now
    expect(remaining).toBeGreaterThan(50_000)
    expect(remaining).toBeLessThanOrEqual(60_000)
    await service.query(
      `update session_transfers set expires_at = '${new Date(now - 1).toISOString()}'`,
    )
    expect(await redeem(lateCode, late.flow)).toMatchObject(notFound)

    const refused = await beginning()
    const refusedCode = await codeFor(refused.state)
    await service.accounts.users.update(ana.id, { disabled_at: ana.created_at })
    expect(await redeem(refusedCode, refused.flow)).toMatchObject({ status: 403 })
    await service.accounts.users.update(ana.id, { disabled_at: null })

    const over = await beginning()
    const overCode = await codeFor(over.state)
    await service.call(signOut, {}, onTracing)
    expect(await redeem(overCode, over.flow)).toMatchObject(notFound)
  })

  test('two transfers in one browser do not interfere', async () => {
    const first = await beginning()
    const code = await codeFor(first.state)
    const second = await service.call(startSessionTransfer, { on: 'chat' }, first.flow)
    expect(second.data.state).toBe(first.state)
    expect((await redeem(code, first.flow)).status).toBe(200)
  })

  test('is transferred for a well-formed state only', async () => {
    for (const state of ['', 'x', 'A'.repeat(64)]) {
      expect(
        await service.call(createSessionTransfer, { body: { state } }, onTracing),
      ).toMatchObject({
        status: 400,
        error: { code: 'VALIDATION_ERROR' },
      })
    }
  })
})

const byNumber = (one: number, other: number) => one - other
