import { limits } from '@assay/contract/limits.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestAccounts, silent, type TestAccounts } from '../../test/accounts-database.ts'
import { type SteppedClock, steppedClock } from '../../test/clock-at.ts'
import { memoryCounters } from '../platform/counters.ts'
import { anonymousActor } from './audit.ts'
import { openRefusedSignIns, type RefusedSignIns } from './refused-sign-ins.ts'

const burst = limits.refusedSignInsPerMinute.value
const client = { address: '192.0.2.1', userAgent: null, requestId: 'a request' }

let opened: TestAccounts
let clock: SteppedClock
let refusedSignIns: RefusedSignIns

beforeEach(async () => {
  opened = await openTestAccounts('SQLite')
  clock = steppedClock(Date.parse('2026-05-01T08:00:00.000Z'))
  refusedSignIns = openRefusedSignIns({
    ...{ accounts: opened.accounts, counters: memoryCounters(clock), clock, log: silent },
  })
})
afterEach(() => opened.remove())

async function refuse(
  times: number,
  userId: string | null,
  reason: string,
  organizationId: string | null = null,
): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    await refusedSignIns.record({ organizationId, userId, reason }, anonymousActor(client))
  }
}

/** Newest first: the account, the client, the reason and the count. */
async function readEntries(organizationId: string | null = null) {
  const rows = await opened.accounts.audit.list(organizationId, { limit: 1000 })
  return rows.map(({ target_id, client_address, details, event_count }) => {
    const { reason } = JSON.parse(details) as { reason: string }
    return [target_id, client_address, reason, event_count]
  })
}

test('refused sign-ins beyond the limit are recorded as counts by account and reason', async () => {
  await refuse(burst, 'ana', 'wrong-password')
  const oneByOne = await readEntries()
  expect(oneByOne).toEqual(Array(burst).fill(['ana', '192.0.2.1', 'wrong-password', 1]))
  await refuse(70, 'ana', 'wrong-password')
  await refuse(5, 'ben', 'wrong-password')
  await refuse(1000, null, 'unknown-address')
  expect(await readEntries()).toHaveLength(burst)
  await refusedSignIns.flush()
  expect((await readEntries()).slice(0, -burst)).toEqual([
    [null, null, 'unknown-address', 1000],
    ['ben', null, 'wrong-password', 5],
    ['ana', null, 'wrong-password', 70],
  ])
  await refusedSignIns.flush()
  expect(await readEntries()).toHaveLength(burst + 3)
})

test('every refused sign-in is in the log once, whoever is attacked', async () => {
  for (let person = 0; person < 500; person += 1) {
    await refuse(2, `person ${person}`, 'wrong-password')
  }
  await refusedSignIns.flush()
  const entries = await readEntries()
  expect(entries.length).toBeLessThanOrEqual(burst + 21)
  expect(entries.reduce((total, [, , , count]) => total + Number(count), 0)).toBe(1000)
})

test('those of one organization take no entries from another, or from the service', async () => {
  await refuse(burst + 1, null, 'invalid_response', 'acme')
  await refuse(1, null, 'invalid_response', 'other')
  await refuse(1, 'ana', 'wrong-password')
  expect(await readEntries('acme')).toHaveLength(burst)
  expect(await readEntries('other')).toHaveLength(1)
  expect(await readEntries()).toHaveLength(1)
})

test('a minute later, they are recorded one by one again', async () => {
  await refuse(burst + 1, 'ana', 'wrong-password')
  clock.pass(60_000)
  await refuse(burst, 'ana', 'wrong-password')
  expect(await readEntries()).toHaveLength(2 * burst)
})

test('counts that cannot be recorded are recorded once, when the database works again', async () => {
  await refuse(burst + 3, 'ana', 'wrong-password')
  await refuse(4, 'ben', 'wrong-password')
  await opened.query('alter table audit_log rename to unavailable')
  await refusedSignIns.flush()
  await opened.query('alter table unavailable rename to audit_log')
  await refuse(1, 'ana', 'wrong-password')
  for (let n = 0; n < 2; n += 1) await refusedSignIns.flush()
  const counted = (await readEntries()).slice(0, -burst)
  expect(counted).toHaveLength(2)
  const countOf = Object.fromEntries(counted.map(([userId, , , count]) => [userId, count]))
  expect(countOf).toEqual({ ana: 4, ben: 4 })
})
