import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { engines, openTestAccounts, type TestAccounts } from '../../../test/accounts-database.ts'
import { addTenant, addUser, type Tenant } from '../../../test/people.ts'
import { newId } from '../../platform/ids.ts'
import type { AuditRow } from './audit-tables.ts'
import type { UserRow } from './people-tables.ts'

const at = '2026-05-01T08:00:00.000Z'
const later = '2026-05-01T09:00:00.000Z'

let opened: TestAccounts
let ana: UserRow
let acme: Tenant

describe.each(engines)('the account stores on %s', (engine) => {
  beforeAll(async () => {
    opened = await openTestAccounts(engine)
  })
  afterAll(() => opened.remove())
  beforeEach(async () => {
    ana = await addUser(opened.accounts)
    acme = await addTenant(opened.accounts)
  })

  test('the time of the database is that of this machine, as comparable text', async () => {
    const now = await opened.accounts.clock.now()
    expect(now).toBe(new Date(now).toISOString())
    expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(60_000)
  })

  test('a saved view cannot be given the name of another, even if both are renamed at once', async () => {
    const { savedViews } = opened.accounts
    const own = { project_id: acme.projectId, user_id: ana.id }
    const views = ['first', 'second'].map((name) => ({
      ...{ id: newId(), ...own, page: 'traces' as const, name, query: '', created_at: at },
    }))
    for (const view of views) await savedViews.insert(view)
    const renamed = await Promise.all(
      views.map(({ id }) =>
        savedViews.replace(acme.projectId, ana.id, id, { name: 'x', query: '' }),
      ),
    )
    expect(renamed.filter((outcome) => outcome === 'name_taken')).toHaveLength(1)
    const names = (await savedViews.list(acme.projectId, ana.id)).map(({ name }) => name)
    expect(names.toSorted()).toEqual([expect.stringMatching(/first|second/), 'x'])
  })

  test('a user has one password link, which can be used once and not after it expires', async () => {
    const { passwordLinks } = opened.accounts
    const link = (token_hash: string) => ({
      ...({ user_id: ana.id, token_hash, by_mail: 1, created_at: at, expires_at: later } as const),
    })
    await passwordLinks.put(link('first'))
    await passwordLinks.put({ ...link('second'), by_mail: 0 })
    expect(await passwordLinks.findByUser(ana.id)).toEqual({ ...link('second'), by_mail: 0 })
    expect(await passwordLinks.take('first', at)).toBeUndefined()
    expect(await passwordLinks.take('second', later)).toBeUndefined()
    const takers = await Promise.all([1, 2, 3].map(() => passwordLinks.take('second', at)))
    expect(takers.filter((taken) => taken !== undefined)).toHaveLength(1)
    await passwordLinks.put(link('third'))
    await passwordLinks.removeByUser(ana.id)
    expect(await passwordLinks.take('third', at)).toBeUndefined()
  })

  const addSession = async (id: string) => {
    await opened.accounts.sessions.insert({
      ...({ id, user_id: ana.id, method: 'password', sso_config_id: null } as const),
      ...{ created_at: at, last_seen_at: at, expires_at: later, ip: '::1', user_agent: null },
    })
    await opened.accounts.sessions.insertToken({
      ...{ token_hash: `of ${id}`, session_id: id, created_at: at },
    })
  }

  test('a session transfer is completed once, with both tokens, and removed with its session', async () => {
    const { sessionTransfers, sessions } = opened.accounts
    const id = newId()
    await addSession(id)
    const put = (code_hash: string) =>
      sessionTransfers.insert({ code_hash, session_id: id, flow_hash: 'flow', expires_at: later })
    await put('code')
    expect(await sessionTransfers.take('code', 'another', at)).toBeUndefined()
    expect(await sessionTransfers.take('code', 'flow', later)).toBeUndefined()
    const takers = await Promise.all([1, 2, 3].map(() => sessionTransfers.take('code', 'flow', at)))
    expect(takers.filter((taken) => taken !== undefined)).toHaveLength(1)
    await put('of a session that ends')
    await sessions.remove(ana.id, id)
    expect(await sessionTransfers.take('of a session that ends', 'flow', at)).toBeUndefined()
    expect(await sessions.findWithUser(`of ${id}`)).toBeUndefined()
  })

  test('sessions are ended by their owner only, one or all except one, and counted', async () => {
    const { sessions } = opened.accounts
    const ids = [newId(), newId(), newId()] as const
    for (const id of ids) await addSession(id)
    const otherUser = await addUser(opened.accounts)
    expect(await sessions.remove(otherUser.id, ids[0])).toBe(false)
    expect(await sessions.removeByUser(otherUser.id)).toBe(0)
    expect(await sessions.removeByUser(ana.id, ids[1])).toBe(2)
    expect((await sessions.list(ana.id)).map(({ id }) => id)).toEqual([ids[1]])
  })

  test('removing a project removes its keys and requires its slug', async () => {
    const { projects, tracingKeys } = opened.accounts
    expect(await projects.remove(acme.projectId, 'another')).toBeUndefined()
    expect(await projects.remove(acme.projectId, 'project')).toMatchObject({ id: acme.projectId })
    expect(await projects.remove(acme.projectId, 'project')).toBeUndefined()
    expect(await tracingKeys.list(acme.projectId)).toEqual([])
  })

  test('members of an organization are listed in pages by address, each once', async () => {
    const { memberships } = opened.accounts
    await addTenant(opened.accounts)
    const listed: string[] = []
    let after: string | undefined
    for (;;) {
      const page = await memberships.list(acme.organizationId, { limit: 3, after })
      listed.push(...page.map(({ user_id }) => user_id))
      if (page.length < 3) break
      after = page.at(-1)?.email_key
    }
    const members = Object.values(acme.members)
    const byAddress = members.toSorted((one, other) => (one.email_key < other.email_key ? -1 : 1))
    expect(listed).toEqual(byAddress.map(({ id }) => id))
  })

  test('users are found by a literal part of their address or name, ignoring case', async () => {
    const { users } = opened.accounts
    const mark = newId().slice(0, 8)
    await users.update(ana.id, { name: `100%_${mark}\\` })
    const found = async (part: string) => (await users.list({ limit: 9, part })).map(({ id }) => id)
    expect(await found(`%_${mark.toUpperCase()}\\`)).toEqual([ana.id])
    expect(await found(`_%${mark}`)).toEqual([])
    expect(await found(ana.email.toUpperCase())).toEqual([ana.id])
    const all = await users.list({ limit: 1000 })
    const [first, second] = all
    expect(await users.list({ limit: 1, after: first?.email_key })).toEqual([second])
  })

  test('the audit log can be filtered by every field, newest first', async () => {
    const { audit } = opened.accounts
    const line = (more: Partial<AuditRow>): AuditRow => ({
      id: newId(),
      at,
      organization_id: acme.organizationId,
      actor_kind: 'user',
      actor_id: ana.id,
      actor_email: ana.email,
      action: 'project.created',
      target_kind: 'project',
      target_id: acme.projectId,
      client_address: null,
      user_agent: null,
      request_id: null,
      details: '{}',
      event_count: 1,
      last_at: null,
      ...more,
    })
    // Ordered by id, whatever their times.
    const ids = ['0', '1', '2', '3'].map((digit) => `${digit}${newId().slice(1)}`)
    const [a = '', b = '', c = '', d = ''] = ids
    await audit.append(line({ id: b, at: later }))
    await audit.append(line({ id: a }))
    await audit.append(line({ id: d, action: 'project.removed', actor_id: null }))
    await audit.append(line({ id: c, organization_id: null }))
    const list = async (organizationId: string | null, query = {}) =>
      (await audit.list(organizationId, { limit: 9, ...query })).map(({ id }) => id)
    expect(await list(acme.organizationId)).toEqual([d, b, a])
    expect(await list(null, { actor: ana.id })).toEqual([c])
    expect(await list(acme.organizationId, { before: d, limit: 1 })).toEqual([b])
    expect(await list(acme.organizationId, { action: 'project.removed' })).toEqual([d])
    expect(await list(acme.organizationId, { actor: ana.id, from: later })).toEqual([b])
    expect(await list(acme.organizationId, { to: later })).toEqual([d, a])
  })
})
