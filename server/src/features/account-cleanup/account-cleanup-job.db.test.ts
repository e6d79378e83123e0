import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { engines, openTestAccounts, type TestAccounts } from '../../../test/accounts-database.ts'
import { steppedClock } from '../../../test/clock-at.ts'
import {
  attachmentRow,
  chatMessageRow,
  conversationRow,
  insertRows,
} from '../../../test/conversation-rows.ts'
import { doSteps } from '../../../test/job-rows.ts'
import { addEnforcedDomain, addTenant, type Tenant } from '../../../test/people.ts'
import { type AuditEvent, commandLineActor, eventLine } from '../../accounts/audit.ts'
import { newInvite } from '../../accounts/invite.ts'
import { idleMs, longestMs } from '../../accounts/session.ts'
import { newId } from '../../platform/ids.ts'
import { accountCleanupJob } from './account-cleanup-job.ts'

const nowMs = Date.parse('2026-05-01T08:00:00.000Z')
const at = (ms: number) => new Date(nowMs + ms).toISOString()

let opened: TestAccounts
let acme: Tenant
let ssoConfigId: string

const tables = [
  'sessions',
  'session_tokens',
  'session_transfers',
  'password_links',
  'invites',
  'sso_flows',
  'sso_used_assertions',
  'rate_counters',
  'audit_repeats',
  'chat_attachments',
  'conversations',
  'chat_messages',
]

async function addSession(expiresAt: string, lastSeenAt: string): Promise<void> {
  const { sessions, sessionTransfers } = opened.accounts
  const id = newId()
  await sessions.insert({
    ...({ id, user_id: acme.members.Owner.id, method: 'password', sso_config_id: null } as const),
    ...{ created_at: at(-longestMs), last_seen_at: lastSeenAt, expires_at: expiresAt },
    ...{ ip: '::1', user_agent: null },
  })
  await sessions.insertToken({ token_hash: newId(), session_id: id, created_at: at(0) })
  const transfer = { session_id: id, flow_hash: 'a flow', expires_at: expiresAt }
  await sessionTransfers.insert({ code_hash: newId(), ...transfer })
}

async function addInvite(ends: object): Promise<void> {
  const { organizationId, members } = acme
  const { row } = newInvite(organizationId, `${newId()}@x.org`, 'Viewer', members.Owner.id, at(0))
  await opened.accounts.invites.insert({ ...row, ...ends })
}

const counterRow = (expiresAt: string) => ({
  ...{ key_hash: newId(), name: 'a limit', state: '1', expires_at: expiresAt },
})

/** One row of each table that expires then. */
async function addRows(expiresAt: string, userId: string): Promise<void> {
  const { passwordLinks, ssoFlows, audit } = opened.accounts
  await addSession(expiresAt, at(0))
  await addInvite({ expires_at: expiresAt })
  await passwordLinks.put({
    ...({ user_id: userId, token_hash: newId(), by_mail: 0 } as const),
    ...{ created_at: at(0), expires_at: expiresAt },
  })
  await ssoFlows.insert({
    ...({ state_hash: newId(), browser_hash: 'a browser', purpose: 'sign-in' } as const),
    ...{ sso_config_id: ssoConfigId, fingerprint: 'x', tester_id: null, return_to: '/' },
    ...{ asserted_identity: null, expires_at: expiresAt },
  })
  await ssoFlows.useAssertion({
    ...{ sso_config_id: ssoConfigId, assertion_id: newId(), expires_at: expiresAt },
  })
  await insertRows(opened, 'rate_counters', [counterRow(expiresAt)])
  const event: AuditEvent = {
    ...{ action: 'traces.exported', organizationId: newId(), targetId: null, details: {} },
  }
  const line = eventLine(event, commandLineActor, at(0))
  const repeat = { key: newId(), entriesMax: 1, countedKey: newId(), expiresAt }
  await audit.appendRepeated(line, repeat)
  const attachment = attachmentRow(userId, { expires_at: expiresAt })
  await insertRows(opened, 'chat_attachments', [attachment])
  const owner = { project_id: acme.projectId, user_id: userId }
  const conversation = conversationRow(owner, { expires_at: expiresAt })
  await insertRows(opened, 'conversations', [conversation])
  await insertRows(opened, 'chat_messages', [chatMessageRow(conversation.id)])
}

async function countRows(): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {}
  for (const table of tables) {
    counts[table] = (await opened.query(`select * from ${table}`)).length
  }
  return counts
}

const clean = () => doSteps(accountCleanupJob(opened.accounts, steppedClock(nowMs)))

describe.each(engines)('the cleanup on %s', (engine) => {
  beforeEach(async () => {
    opened = await openTestAccounts(engine)
    acme = await addTenant(opened.accounts)
    ssoConfigId = (await addEnforcedDomain(opened.accounts, acme.organizationId)).ssoConfigId
  })
  afterEach(() => opened.remove())

  test('removes expired rows of every table, and nothing else', async () => {
    const { Owner, Admin } = acme.members
    await addRows(at(1000), Owner.id)
    const valid = await countRows()
    expect(Object.values(valid)).toEqual(tables.map(() => 1))
    await addRows(at(0), Admin.id)
    await addSession(at(1000), at(-idleMs))
    await addInvite({ accepted_at: at(-1) })
    await addInvite({ revoked_at: at(-1) })
    await clean()
    expect(await countRows()).toEqual(valid)
  })

  test('removes nothing while the clock is ahead, and goes on once it is corrected', async () => {
    const clock = steppedClock(nowMs)
    const job = accountCleanupJob(opened.accounts, clock)
    const earlier = await doSteps(job)
    await addRows(at(1000), acme.members.Owner.id)
    const before = await countRows()
    clock.step(30 * 86_400_000)
    const during = await doSteps(job, earlier)
    expect(await countRows()).toEqual(before)
    clock.step(-30 * 86_400_000)
    clock.pass(1000)
    await doSteps(job, during)
    expect(Object.values(await countRows())).toEqual(tables.map(() => 0))
  })

  test('goes on until no expired row is left', async () => {
    const expired = Array.from({ length: 1100 }, () => counterRow(at(-1)))
    await insertRows(opened, 'rate_counters', expired)
    const owner = { project_id: acme.projectId, user_id: acme.members.Owner.id }
    const removed = Array.from({ length: 7 }, () => conversationRow(owner, { expires_at: at(-1) }))
    await insertRows(opened, 'conversations', [...removed, conversationRow(owner)])
    await clean()
    expect(await countRows()).toMatchObject({ rate_counters: 0, conversations: 1 })
  })
})
