import { type Role, roles } from '@assay/contract/access.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { engines, openTestAccounts, type TestAccounts } from '../../test/accounts-database.ts'
import { clockAt } from '../../test/clock-at.ts'
import { addMember, addTenant, addUser, type Tenant } from '../../test/people.ts'
import type { UserRow } from '../storage/accounts/people-tables.ts'
import type { AccountStores } from '../storage/accounts/stores.ts'
import { type AccessControl, accessControl } from './access-control.ts'
import type { SignedIn } from './caller.ts'
import { idleMs, lastSeenIntervalMs, longestMs, startSession } from './session.ts'
import { lastUsedIntervalMs } from './tracing-key.ts'

const client = { address: '192.0.2.1', userAgent: 'a browser' }
const start = Date.parse('2026-05-01T08:00:00.000Z')

let now = start
const clock = clockAt(() => now)

let opened: TestAccounts
let stores: AccountStores
let access: AccessControl
let acme: Tenant
let globex: Tenant

describe.each(engines)('on %s', (engine) => {
  beforeAll(async () => {
    opened = await openTestAccounts(engine)
    stores = opened.accounts
    access = accessControl(stores, clock)
  })
  afterAll(() => opened.remove())
  beforeEach(async () => {
    now = start
    acme = await addTenant(stores, 'Acme')
    globex = await addTenant(stores, 'Globex')
  })

  describe('a tracing key', () => {
    test.each(['bearer', 'header'])('identifies its own project only, as %s', async (way) => {
      const toHeaders = (key: string) =>
        way === 'bearer' ? { authorization: `Bearer ${key}` } : { 'x-tracing-key': key }
      for (const tenant of [acme, globex]) {
        const { organizationId, projectId } = tenant
        const expected = { organizationId, projectId }
        expect(await access.keyCaller(toHeaders(tenant.tracingKey))).toEqual(expected)
        expect(await access.keyCaller(toHeaders(tenant.legacyKey))).toEqual(expected)
      }
    })

    test('has the time of its last use, written at most once a minute', async () => {
      const lastUsed = async () => (await stores.tracingKeys.list(acme.projectId))[0]?.last_used_at
      const firstUse = new Date(now).toISOString()
      await access.keyCaller(acme.keyHeader)
      expect(await lastUsed()).toBe(firstUse)
      now += lastUsedIntervalMs - 1
      await access.keyCaller(acme.keyHeader)
      expect(await lastUsed()).toBe(firstUse)
      now += 1
      await access.keyCaller(acme.keyHeader)
      expect(await lastUsed()).toBe(new Date(now).toISOString())
    })

    test('is refused from the next request after revocation, unlike the legacy key', async () => {
      const headers = acme.keyHeader
      await access.keyCaller(headers)
      const { organizationId, projectId, tracingKeyId } = acme
      expect(await stores.tracingKeys.revoke(globex.projectId, tracingKeyId, 'now')).toBe(false)
      await access.keyCaller(headers)
      expect(
        await stores.tracingKeys.revoke(projectId, tracingKeyId, '2026-05-01T08:00:00.000Z'),
      ).toBe(true)
      await expect(access.keyCaller(headers)).rejects.toMatchObject(
        unauthorized('Invalid or revoked tracing key.'),
      )
      expect(await stores.tracingKeys.revoke(projectId, tracingKeyId, 'later')).toBe(false)
      expect(await access.keyCaller({ 'x-tracing-key': acme.legacyKey })).toEqual({
        organizationId,
        projectId,
      })
    })

    test.each([
      ['none', {}, 'Tracing key required.'],
      ['one out of form', { 'x-tracing-key': 'tk_live_12' }, 'Invalid tracing key format.'],
      [
        'an unknown one',
        { 'x-tracing-key': `tk_live_${'0'.repeat(48)}` },
        'Invalid or revoked tracing key.',
      ],
    ])('%s is refused with its own message', async (_situation, headers, message) => {
      await expect(access.keyCaller(headers)).rejects.toMatchObject(unauthorized(message))
    })
  })

  describe('a session', () => {
    test('is found by its token, and the database has nothing that can sign in', async () => {
      const { token, expiresAt } = await newSession(acme.members.Editor)
      expect(expiresAt).toEqual(new Date(start + longestMs))
      const { id, email, name } = acme.members.Editor
      expect(await access.findSession(token)).toEqual({
        user: { id, email, name, isSuperAdmin: false },
        sessionId: expect.any(String),
        expiresAt,
      })
      const rows = [
        ...(await opened.query('select * from sessions')),
        ...(await opened.query('select * from session_tokens')),
      ]
      const stored = rows
        .flatMap((row) => Object.values(row))
        .filter((value) => typeof value === 'string')
      expect(stored).not.toContain(token)
      for (const value of stored) expect(await access.findSession(value)).toBeUndefined()
    })

    test.each(['', 'x', 'ü'.repeat(43), 'A'.repeat(43), 'A'.repeat(100_000)])(
      'is not found by a token like %.20s',
      async (token) => {
        expect(await access.findSession(token)).toBeUndefined()
      },
    )

    test('expires after the idle time, and not earlier', async () => {
      const { token } = await newSession(acme.members.Viewer)
      now = start + idleMs - 1
      expect(await access.findSession(token)).toBeDefined()
      now += idleMs - 1
      expect(await access.findSession(token)).toBeDefined()
      now += idleMs
      expect(await access.findSession(token)).toBeUndefined()
    })

    test('expires at its maximum age, however often it is used', async () => {
      const { token } = await newSession(acme.members.Viewer)
      const dayMs = 86_400_000
      for (now = start; now < start + longestMs; now += dayMs) {
        expect(await access.findSession(token), new Date(now).toISOString()).toBeDefined()
      }
      now = start + longestMs - 1
      expect(await access.findSession(token)).toBeDefined()
      now = start + longestMs
      expect(await access.findSession(token)).toBeUndefined()
    })

    test('records its use at intervals, not on each request', async () => {
      const user = await addUser(stores)
      const { token } = await newSession(user)
      const lastSeenAt = async () => {
        const rows = await opened.query(
          `select last_seen_at from sessions where user_id = '${user.id}'`,
        )
        return rows.map((row) => row['last_seen_at'])
      }
      now = start + lastSeenIntervalMs
      await access.findSession(token)
      expect(await lastSeenAt()).toEqual([new Date(start).toISOString()])
      now = start + lastSeenIntervalMs + 1
      await access.findSession(token)
      expect(await lastSeenAt()).toEqual([new Date(now).toISOString()])
    })

    test('has a new token each time, and its start removes expired ones', async () => {
      const user = await addUser(stores)
      const first = await newSession(user)
      now += 1000
      const second = await newSession(user)
      expect(second.token).not.toBe(first.token)
      now = start + idleMs
      await newSession(user)
      const rows = await opened.query(
        `select created_at from sessions where user_id = '${user.id}' order by created_at`,
      )
      expect(rows.map((row) => row['created_at'])).toEqual([
        new Date(start + 1000).toISOString(),
        new Date(now).toISOString(),
      ])
    })

    test('ends at once when the person is disabled, and cannot be started', async () => {
      const { id } = acme.members.Admin
      const { token } = await newSession(acme.members.Admin)
      await opened.query(
        `update users set disabled_at = '${clock.now().toISOString()}' where id = '${id}'`,
      )
      expect(await access.findSession(token)).toBeUndefined()
      const disabled = await addUser(stores, { disabled: true })
      expect(await startSession(disabled, { method: 'password' }, client, stores, clock)).toBe(
        'disabled',
      )
    })
  })

  describe('a person', () => {
    test.each(roles)(
      'is %s in their organization, and has no access to others',
      async (role: Role) => {
        const caller = await signedIn(acme.members[role])
        const { organizationId, projectId } = acme
        expect(await access.getMemberCaller(caller, organizationId)).toEqual({
          ...caller,
          organizationId,
          role,
        })
        expect(await access.getProjectCaller(caller, projectId)).toEqual({
          ...caller,
          organizationId,
          projectId,
          role,
        })
        await expect(access.getMemberCaller(caller, globex.organizationId)).rejects.toMatchObject(
          noAccess,
        )
        await expect(access.getProjectCaller(caller, globex.projectId)).rejects.toMatchObject(
          noProject,
        )
      },
    )

    test('gets the same response for hidden and for missing resources', async () => {
      const caller = await signedIn(acme.members.Owner)
      for (const nowhere of [
        '8f0b4f0a-5a52-4d3b-9f5f-0a6e2f8a6f00',
        '',
        '\0',
        "' or 1=1",
        acme.projectId,
      ]) {
        await expect(access.getMemberCaller(caller, nowhere)).rejects.toMatchObject(noAccess)
      }
      for (const nowhere of [
        '8f0b4f0a-5a52-4d3b-9f5f-0a6e2f8a6f00',
        '',
        '\0',
        '%',
        acme.organizationId,
      ]) {
        await expect(access.getProjectCaller(caller, nowhere)).rejects.toMatchObject(noProject)
      }
    })

    test('is found in a project by its slugs, and others by no slug', async () => {
      const slugOf = async ({ organizationId }: Tenant) =>
        (await stores.organizations.find(organizationId))?.slug ?? ''
      const [own, other] = [await slugOf(acme), await slugOf(globex)]
      const caller = await signedIn(acme.members.Editor)
      const { organizationId, projectId } = acme
      expect(await access.getNamedProjectCaller(caller, own, 'project')).toEqual({
        ...caller,
        organizationId,
        projectId,
        role: 'Editor',
      })
      for (const [slug, project] of [
        [other, 'project'],
        [other, 'missing'],
        ['missing', 'project'],
        ['', ''],
        ['\0', '\0'],
        [organizationId, 'project'],
      ] as const) {
        await expect(access.getNamedProjectCaller(caller, slug, project)).rejects.toMatchObject(
          noOrganization,
        )
      }
      for (const project of ['missing', '', '\0', projectId]) {
        await expect(access.getNamedProjectCaller(caller, own, project)).rejects.toMatchObject(
          noProject,
        )
      }
      const superAdmin = await signedIn(await addUser(stores, { superAdmin: true }))
      expect(await access.getNamedProjectCaller(superAdmin, other, 'project')).toMatchObject({
        organizationId: globex.organizationId,
        projectId: globex.projectId,
        role: 'Owner',
      })
      await expect(
        access.getNamedProjectCaller(superAdmin, 'missing', 'project'),
      ).rejects.toMatchObject(noOrganization)
    })

    test('has a changed role from the next request on', async () => {
      const { id } = acme.members.Admin
      const caller = await signedIn(acme.members.Admin)
      await opened.query(`update memberships set role = 'Viewer' where user_id = '${id}'`)
      expect(await access.getProjectCaller(caller, acme.projectId)).toMatchObject({
        role: 'Viewer',
      })
      await opened.query(`delete from memberships where user_id = '${id}'`)
      await expect(access.getProjectCaller(caller, acme.projectId)).rejects.toMatchObject(noProject)
      await expect(access.getMemberCaller(caller, acme.organizationId)).rejects.toMatchObject(
        noAccess,
      )
    })

    test('who is super admin is an Owner everywhere, whatever their role', async () => {
      const user = await addUser(stores, { superAdmin: true })
      await addMember(stores, acme.organizationId, user.id, 'Viewer')
      const caller = await signedIn(user)
      for (const { organizationId, projectId } of [acme, globex]) {
        expect(await access.getMemberCaller(caller, organizationId)).toMatchObject({
          role: 'Owner',
        })
        expect(await access.getProjectCaller(caller, projectId)).toMatchObject({
          organizationId,
          role: 'Owner',
        })
      }
      await expect(access.getMemberCaller(caller, 'nowhere')).rejects.toMatchObject(noAccess)
      await expect(access.getProjectCaller(caller, 'nowhere')).rejects.toMatchObject(noProject)
    })
  })
})

test('a malformed key is refused without a lookup', async () => {
  const closed = await openTestAccounts('SQLite')
  await closed.remove()
  const unable = accessControl(closed.accounts, clock)
  const wellFormed = { authorization: `Bearer tk_live_${'0'.repeat(48)}` }
  await expect(unable.keyCaller(wellFormed)).rejects.toThrow(/destroyed/)
  const malformed = { authorization: 'Bearer tk_live_nothing' }
  await expect(unable.keyCaller(malformed)).rejects.toMatchObject(
    unauthorized('Invalid tracing key format.'),
  )
})

const noAccess = {
  code: 'FORBIDDEN',
  status: 403,
  message: 'You do not have access to this organization.',
}
const noOrganization = { code: 'ORG_NOT_FOUND', status: 404, message: 'Organization not found.' }
const noProject = { code: 'PROJECT_NOT_FOUND', status: 404, message: 'Project not found.' }

function unauthorized(message: string) {
  return { code: 'UNAUTHORIZED', status: 401, message }
}

async function newSession(user: UserRow) {
  const session = await startSession(user, { method: 'password' }, client, stores, clock)
  if (typeof session === 'string') throw new Error(`no session was started: ${session}`)
  return session
}

async function signedIn(user: UserRow): Promise<SignedIn> {
  const { token } = await newSession(user)
  const caller = await access.findSession(token)
  if (caller === undefined) throw new Error('the session was not found')
  return caller
}
