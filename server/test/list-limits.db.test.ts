import { limits } from '@assay/contract/limits.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { commandLineActor } from '../src/accounts/audit.ts'
import { createProject } from '../src/accounts/create-project.ts'
import { newInvite } from '../src/accounts/invite.ts'
import { newOrganization } from '../src/accounts/organization.ts'
import { newProject } from '../src/accounts/project.ts'
import { startSession } from '../src/accounts/session.ts'
import { newTracingKey } from '../src/accounts/tracing-key.ts'
import { inviteMember } from '../src/features/members/invite-member.ts'
import { createOrganization } from '../src/features/organizations/create-organization.ts'
import { addAccess } from '../src/features/platform/access.ts'
import { addPerson } from '../src/features/platform/add-person.ts'
import { setSuperAdmin } from '../src/features/platform/people.ts'
import { addTracingKey } from '../src/features/tracing-keys/add-tracing-key.ts'
import { systemClock } from '../src/platform/clock.ts'
import { newId } from '../src/platform/ids.ts'
import type { AccountStores } from '../src/storage/accounts/stores.ts'
import { engines, openTestAccounts, silent, type TestAccounts } from './accounts-database.ts'
import { clockAt } from './clock-at.ts'
import { addTenant, addUser, type Tenant } from './people.ts'

/*
 * Lists without pages: how many items they can have, also when concurrent requests add to them.
 */

const at = '2026-05-01T08:00:00.000Z'

let opened: TestAccounts
let acme: Tenant

interface List {
  readonly limit: { readonly value: number }
  readonly message: string
  count(stores: AccountStores): Promise<number>
  /** Inserts an item without the check. */
  insert(stores: AccountStores): Promise<unknown>
  /** Adds an item as a request does. */
  add(): Promise<unknown>
}

const lists: Readonly<Record<string, List>> = {
  'projects of an organization': {
    limit: limits.projectsPerOrganization,
    message: 'An organization can have at most 1,000 projects. Delete one first.',
    count: (stores) => stores.projects.count(acme.organizationId),
    insert: (stores) =>
      stores.projects.insert(newProject(acme.organizationId, 'x', newId(), at).row),
    add: () =>
      createProject(
        acme.organizationId,
        { name: 'x', slug: undefined },
        commandLineActor,
        at,
        opened.accounts,
      ),
  },
  organizations: {
    limit: limits.organizations,
    message:
      'The service can have at most 1,000 organizations. Create a project in an existing organization instead.',
    count: (stores) => stores.organizations.count(),
    insert: (stores) => stores.organizations.insert(newOrganization('x', newId(), at)),
    add: () =>
      createOrganization(
        { name: 'x', data_residency_region: 'local' },
        acme.members.Owner.id,
        commandLineActor,
        at,
        opened.accounts,
      ),
  },
  'pending invites': {
    limit: limits.pendingInvites,
    message: 'An organization can have at most 1,000 pending invites. Revoke one first.',
    count: async (stores) =>
      stores.invites.countPending(acme.organizationId, await stores.clock.now()),
    insert: async (stores) => {
      const now = await stores.clock.now()
      const { organizationId, members } = acme
      const invite = newInvite(organizationId, `${newId()}@x.org`, 'Viewer', members.Owner.id, now)
      await stores.invites.insert(invite.row)
    },
    add: () => invite(`${newId()}@x.org`),
  },
  'platform access': {
    limit: limits.platformAccess,
    message:
      'The service can have at most 1,000 approved addresses and domains. Remove one first, or approve a domain instead of its addresses.',
    count: (stores) => stores.platformAccess.count(),
    insert: (stores) =>
      stores.platformAccess.insert({
        ...{ id: newId(), pattern: `${newId()}@y.org`, added_by: null, created_at: at },
      }),
    add: () => addAccess(`${newId()}@y.org`, commandLineActor, at, opened.accounts),
  },
  'super admins': {
    limit: limits.superAdmins,
    message: 'The service can have at most 100 super admins. Revoke one first.',
    count: async (stores) => (await stores.users.listSuperAdmins()).length,
    insert: (stores) => addUser(stores, { superAdmin: true }),
    async add() {
      const { id } = await addUser(opened.accounts)
      await setSuperAdmin(id, true, commandLineActor, at, opened.accounts)
    },
  },
  'super admins from the command line': {
    limit: limits.superAdmins,
    message: 'The service can have at most 100 super admins. Revoke one first.',
    count: async (stores) => (await stores.users.listSuperAdmins()).length,
    insert: (stores) => addUser(stores, { superAdmin: true }),
    add() {
      const person = { email: `${newId()}@x.org`, name: 'x', isSuperAdmin: true }
      return addPerson(person, commandLineActor, at, opened.accounts)
    },
  },
  'active tracing keys of a project': {
    limit: limits.tracingKeysPerProject,
    message: 'A project can have at most 1,000 tracing keys. Revoke one first.',
    count: (stores) => stores.tracingKeys.count(acme.projectId),
    insert: (stores) => stores.tracingKeys.insert(newKey()),
    add: () => addKey(newKey()),
  },
}

const newKey = () => newTracingKey(acme.projectId, 'live', acme.members.Owner.id, at).row
const addKey = (row: ReturnType<typeof newKey>) =>
  opened.accounts.transaction((stores) => addTracingKey(row, stores))

function invite(email: string) {
  const { id, email: own, name } = acme.members.Owner
  const caller = {
    user: { id, email: own, name, isSuperAdmin: false },
    sessionId: 'a session',
    expiresAt: new Date(),
    organizationId: acme.organizationId,
    role: 'Owner',
  } as const
  return inviteMember(caller, { email, role: 'Viewer' }, commandLineActor, {
    ...{ accounts: opened.accounts, clock: systemClock, mailer: undefined, log: silent },
    baseUrl: 'https://assay.example.org',
  })
}

/** Inserts items until only `left` more are accepted. */
function fill({ limit, count, insert }: List, left: number): Promise<void> {
  return opened.accounts.transaction(async (stores) => {
    for (let n = await count(stores); n < limit.value - left; n += 1) await insert(stores)
  })
}

describe.each(engines)('on %s', (engine) => {
  beforeEach(async () => {
    opened = await openTestAccounts(engine)
    await opened.accounts.installation.claim(at)
    await addAccess('@x.org', commandLineActor, at, opened.accounts)
    acme = await addTenant(opened.accounts)
  })
  afterEach(() => opened.remove())

  test.each(Object.entries(lists))('%s are refused beyond the limit', async (_name, list) => {
    await fill(list, 1)
    const outcomes = await Promise.allSettled([list.add(), list.add(), list.add()])
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    const refusal = { code: 'CONFLICT', status: 409, message: list.message }
    expect(refused).toMatchObject([{ reason: refusal }, { reason: refusal }])
    expect(await list.count(opened.accounts)).toBe(list.limit.value)
  })

  test('a repeated invite replaces the pending one of a full list', async () => {
    const list = lists['pending invites']!
    await invite('ana@x.org')
    await fill(list, 0)
    expect(await invite('ana@x.org')).toMatchObject({ status: 'invited' })
    expect(await list.count(opened.accounts)).toBe(list.limit.value)
  })

  test('a tracing key replaces the one that was revoked first in a full list', async () => {
    const list = lists['active tracing keys of a project']!
    const { tracingKeys } = opened.accounts
    const [second, first, added] = [newKey(), newKey(), newKey()]
    await tracingKeys.insert({ ...second, revoked_at: '2026-05-03T08:00:00.000Z' })
    await tracingKeys.insert({ ...first, revoked_at: '2026-05-02T08:00:00.000Z' })
    await fill(list, 0)
    await addKey(added)
    const ids = (await tracingKeys.list(acme.projectId)).map(({ id }) => id)
    expect(ids).toHaveLength(list.limit.value)
    expect(ids).toContain(added.id)
    expect(ids).toContain(second.id)
    expect(ids).not.toContain(first.id)
  })

  test('a sign-in ends the least recently used session of a user who has as many as they can have', async () => {
    const { accounts } = opened
    const user = acme.members.Viewer
    const most = limits.sessionsPerUser.value
    let minute = 0
    const clock = clockAt(() => Date.parse(at) + minute * 60_000)
    const signIn = async () => {
      minute += 1
      const client = { address: '127.0.0.1', userAgent: null }
      await accounts.transaction((stores) =>
        startSession(user, { method: 'password' }, client, stores, clock),
      )
    }
    const sessionIds = async () => (await accounts.sessions.list(user.id)).map(({ id }) => id)
    for (let n = 0; n < most; n += 1) await signIn()
    const before = await sessionIds()
    expect(before).toHaveLength(most)
    const [oldest, next] = before.toReversed()
    minute += 1
    await accounts.sessions.touch(oldest!, clock.now().toISOString())
    await signIn()
    const after = await sessionIds()
    expect(after).toHaveLength(most)
    expect(after).toContain(oldest)
    expect(after).not.toContain(next)
  })
})
