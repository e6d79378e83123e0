import { limits } from '@assay/contract/limits.ts'
import { inviteMember, readInvite } from '@assay/contract/members.ts'
import { addPlatformAccess } from '@assay/contract/platform.ts'
import {
  createSessionTransfer,
  redeemSessionTransfer,
  startSessionTransfer,
} from '@assay/contract/session-transfer.ts'
import { checkSetupToken, readSetup, setUp } from '@assay/contract/sign-in.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newId } from '../src/platform/ids.ts'
import { addUser, type Tenant } from './people.ts'
import { readTables } from './read-tables.ts'
import { readCookie, type Service, setupToken, startService } from './started-app.ts'

/*
 * Limits of requests without sign-in that look something up, by network and by token.
 */

let service: Service
let acme: Tenant
let monotonicMs = 0
const now = new Date()

beforeEach(async () => {
  service = await startService({
    trustProxy: 1,
    clock: { now: () => now, monotonicMs: () => monotonicMs },
  })
  acme = await service.addTenant()
  const superAdmin = await service.signedIn(await addUser(service.accounts, { superAdmin: true }))
  await service.call(addPlatformAccess, { body: { pattern: '@x.org' } }, superAdmin)
})
afterEach(() => service.stop())

const from = (address: string) => ({ 'x-forwarded-for': address })
const guess = 'A'.repeat(43)
const invalidCookie = { cookie: `assay_sign_in=${guess}` }

async function newInvite(): Promise<string> {
  const { email } = await addUser(service.accounts)
  const args = { params: { orgId: acme.organizationId }, body: { email, role: 'Viewer' } }
  const { data } = await service.call(
    inviteMember,
    args,
    await service.signedIn(acme.members.Owner),
  )
  if (data.invite_token === null) throw new Error('no invite was needed')
  return data.invite_token
}

const lookUps = [
  ['GET /setup', (as) => service.call(readSetup, {}, as)],
  ['POST /setup/check', (as) => service.call(checkSetupToken, { body: { token: guess } }, as)],
  ['POST /setup', (as) => service.call(setUp, { body: setUpForm(guess) }, as)],
  ['POST /invites/read', (as) => service.call(readInvite, { body: { invite_token: newId() } }, as)],
  [
    'POST /auth/session-transfer/redeem',
    (as) =>
      service.call(redeemSessionTransfer, { body: { code: newId() } }, { ...as, ...invalidCookie }),
  ],
] satisfies [string, (as: Record<string, string>) => Promise<{ status: number }>][]

const setUpForm = (token: string) => ({
  ...{ token, email: `${newId()}@x.org`, password: 'a long enough password', name: 'A' },
  ...{ organization_name: 'A', project_name: 'A' },
})

test.each(lookUps)(
  '%s refuses a network over the limit until it has waited, and stores nothing',
  async (_, send) => {
    await service.accounts.installation.claim(now.toISOString())
    for (let sent = 0; sent < limits.lookups.value; sent += 1) {
      expect((await send(from('192.0.2.1'))).status).not.toBe(429)
    }
    const before = await readTables(service)
    const refused = await send(from('192.0.2.1'))
    expect(refused).toMatchObject({
      status: 429,
      error: { code: 'RATE_LIMITED', message: 'Too many requests. Try again in a second.' },
    })
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await readTables(service)).toEqual(before)
    expect((await send(from('198.51.100.1'))).status).not.toBe(429)

    monotonicMs += 1000 / limits.lookupsPerSecond.value
    expect((await send(from('192.0.2.1'))).status).not.toBe(429)
    expect((await send(from('192.0.2.1'))).status).toBe(429)
  },
)

test('the right tokens work from another network while a network is refused', async () => {
  const token = await newInvite()
  const { data, headers } = await service.call(startSessionTransfer, {})
  const owner = await service.signedIn(acme.members.Owner)
  const { code } = (
    await service.call(createSessionTransfer, { body: { state: data.state } }, owner)
  ).data
  for (let sent = 0; sent <= limits.lookups.value; sent += 1) {
    for (const [, send] of lookUps.slice(-2)) await send(from('192.0.2.1'))
  }
  const elsewhere = from('198.51.100.1')
  const read = (as: Record<string, string>) =>
    service.call(readInvite, { body: { invite_token: token } }, as)
  const redeem = (as: Record<string, string>) =>
    service.call(redeemSessionTransfer, { body: { code } }, { ...as, cookie: readCookie(headers) })
  expect([(await read(from('192.0.2.1'))).status, (await read(elsewhere)).status]).toEqual([
    429, 200,
  ])
  expect([(await redeem(from('192.0.2.1'))).status, (await redeem(elsewhere)).status]).toEqual([
    429, 200,
  ])
  expect((await service.call(setUp, { body: setUpForm(setupToken) }, elsewhere)).status).toBe(201)
})

test('the people of an office open their invites at the same moment without a refusal', async () => {
  const office = from('192.0.2.1')
  const statuses = new Set<number>()
  for (let person = 0; person < 50; person += 1) {
    const invite_token = await newInvite()
    statuses.add((await service.call(readSetup, {}, office)).status)
    statuses.add((await service.call(readInvite, { body: { invite_token } }, office)).status)
  }
  expect([...statuses]).toEqual([200])
})

test('one invite is readable only so often, from any number of networks; others stay readable', async () => {
  const [token, other] = [await newInvite(), await newInvite()]
  const read = async (invite_token: string, n: number) =>
    (await service.call(readInvite, { body: { invite_token } }, from(`198.51.100.${n}`))).status
  for (let sent = 0; sent < limits.tokenLookups.value; sent += 1) {
    expect(await read(token, sent)).toBe(200)
  }
  expect([await read(token, 200), await read(other, 200)]).toEqual([429, 200])
  monotonicMs += limits.tokenLookupSeconds.value * 1000
  expect(await read(token, 201)).toBe(200)
})
