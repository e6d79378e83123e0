import { type Access, holds } from '@assay/contract/access.ts'
import { allEndpoints } from '@assay/contract/all.ts'
import { type AnyEndpoint, type Body, nameOf } from '@assay/contract/endpoint.ts'
import { createHandOff, redeemHandOff, startHandOff } from '@assay/contract/hand-off.ts'
import { acceptInvite, inviteMember, listMembers } from '@assay/contract/members.ts'
import { createOrganization, createProject } from '@assay/contract/organizations.ts'
import { addPlatformAccess } from '@assay/contract/platform.ts'
import { changePassword, updateProfile } from '@assay/contract/profile.ts'
import {
  confirmPasswordReset,
  readSession,
  requestPasswordReset,
  setUp,
  signIn,
  signUp,
} from '@assay/contract/sign-in.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commandLine } from '../src/accounts/audit.ts'
import { makePasswordLink } from '../src/accounts/password-link.ts'
import { openPasswords } from '../src/platform/password-hash.ts'
import { openMailbox } from './mailbox.ts'
import { addEnforcedDomain, addUser, type Tenant } from './people.ts'
import {
  type Credentials,
  cookieOf,
  type Service,
  setupToken,
  startService,
} from './started-app.ts'

/*
 * What was published about comparable services, tried here. Others of these are beside the code they concern,
 * under the same word.
 */

let service: Service
let acme: Tenant
let viewer: Credentials
let owner: Credentials

beforeAll(async () => {
  service = await startService()
  await service.accounts.installation.claim('2026-01-01T00:00:00.000Z')
  acme = await service.addTenant()
  viewer = await service.signedIn(acme.members.Viewer)
  owner = await service.signedIn(acme.members.Owner)
  const admin = await service.signedIn(await addUser(service.accounts, { superAdmin: true }))
  await service.ask(addPlatformAccess, { body: { pattern: '@x.org' } }, admin)
})
afterAll(() => service.stop())

const accessOf = (declared: AnyEndpoint): Access => declared.access
const named = (endpoints: readonly AnyEndpoint[]) =>
  endpoints.map((one) => [nameOf(one), one] as const)
const nobody = '00000000-0000-4000-8000-000000000000'

function pathIn(declared: AnyEndpoint): string {
  const ids: Readonly<Record<string, string>> = {
    orgId: acme.organizationId,
    projectId: acme.projectId,
  }
  return declared.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? nobody)
}

/** How much is in every table that a person could change. */
async function everything(): Promise<string> {
  const tables = await service.query(
    `select name from sqlite_master where type = 'table' and name not in ('sessions', 'sqlite_sequence')`,
  )
  const counts = await Promise.all(
    tables.map(async ({ name }) => [name, await service.query(`select * from ${String(name)}`)]),
  )
  return JSON.stringify(counts)
}

describe('advisory 1: a plain member', () => {
  const forManagers = allEndpoints.filter((declared) => {
    const access = accessOf(declared)
    if (!('of' in access) || declared.method === 'GET') return false
    if (access.of === 'platform') return true
    return access.anyOf !== undefined && !access.anyOf.some((one) => holds('Viewer', one))
  })

  test.each(named(forManagers))('starts nothing with %s', async (_name, declared) => {
    const before = await everything()
    const response = await fetch(service.api + pathIn(declared), {
      method: declared.method,
      headers: { ...viewer, 'content-type': 'application/json' },
      body: JSON.stringify({
        name: 'Mine',
        email: 'ana@x.org',
        role: 'Owner',
        pattern: '@evil.org',
      }),
    })
    expect(response.status).toBe(403)
    expect(await everything()).toBe(before)
  })
})

describe('advisory 4: in a domain that signs in elsewhere', () => {
  test('no other way leads to an account or a session', async () => {
    const mailbox = openMailbox()
    const own = await startService({ mailer: mailbox })
    await own.accounts.installation.claim('2026-01-01T00:00:00.000Z')
    const tenant = await own.addTenant()
    const { domain } = await addEnforcedDomain(own.accounts, tenant.organizationId)
    const admin = await own.signedIn(await addUser(own.accounts, { superAdmin: true }))
    await own.ask(addPlatformAccess, { body: { pattern: `@${domain}` } }, admin)
    const [email, password] = [`ana@${domain}`, 'correct horse']
    const passwordHash = await openPasswords().hash(password)

    const as = await own.signedIn(tenant.members.Owner)
    const params = { orgId: tenant.organizationId }
    const invited = await own.ask(inviteMember, { params, body: { email, role: 'Viewer' } }, as)
    const form = { email, password, name: 'Ana' }
    for (const invite_token of [undefined, invited.data.invite_token]) {
      expect((await own.ask(signUp, { body: { ...form, invite_token } })).status).toBe(403)
    }
    expect(await own.accounts.users.findByEmailKey(email)).toBeUndefined()

    const ana = await addUser(own.accounts, { email, passwordHash })
    expect((await own.ask(signIn, { body: { email, password } })).status).toBe(403)
    const before = mailbox.mails.length
    await own.ask(requestPasswordReset, { body: { email } })
    const token = await own.accounts.transaction((stores) =>
      makePasswordLink(ana, true, commandLine, '2026-01-01T00:00:00.000Z', stores),
    )
    const reset = await own.ask(confirmPasswordReset, {
      body: { token, password: 'another horse' },
    })
    expect(reset.status).toBe(403)
    expect(mailbox.mails).toHaveLength(before)

    // A session from before the domain was enforced goes over to no other host and to no new password.
    await own.query('update sso_configs set enforced = 0')
    const session = await own.signedIn(ana)
    await own.query('update sso_configs set enforced = 1')
    const begun = await own.ask(startHandOff, { on: 'chat' })
    const { data } = await own.ask(createHandOff, { body: { state: begun.data.state } }, session)
    const flow = { cookie: cookieOf(begun.headers) }
    const redeemed = await own.ask(redeemHandOff, { body: { code: data.code }, on: 'chat' }, flow)
    expect(redeemed.status).toBe(403)
    expect(redeemed.headers.get('set-cookie')).toBeNull()
    const changed = { current_password: password, new_password: 'another horse' }
    expect((await own.ask(changePassword, { body: changed }, session)).status).toBe(403)
    expect((await own.accounts.users.find(ana.id))?.password_hash).toBe(passwordHash)
    await own.stop()
  })
})

test('advisory 12: of fifty parallel set-ups one makes a super admin', async () => {
  const fresh = await startService()
  const form = { token: setupToken, password: 'correct horse', name: 'Ana' }
  const names = { organization_name: 'Acme', project_name: 'First' }
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, number) =>
      fresh.ask(setUp, { body: { ...form, ...names, email: `person-${number}@x.org` } }),
    ),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(await fresh.query('select is_super_admin from users')).toEqual([{ is_super_admin: 1 }])
  await fresh.stop()
})

describe('advisory 13: a tracing key', () => {
  const byKey = allEndpoints.filter((declared) => accessOf(declared).by === 'tracing-key')
  const waysOf = (key: string): readonly Credentials[] => [
    { 'x-tracing-key': key },
    { authorization: `Bearer ${key}` },
    // The header that counts is the first; the other must change nothing.
    { authorization: `Bearer ${key}`, 'x-tracing-key': 'tk_live_nothing' },
    { authorization: 'Basic nothing', 'x-tracing-key': key },
  ]

  test.each(named(byKey))('is decided alike by either header at %s', async (_name, declared) => {
    const answers = async (key: string) => {
      const statuses = await Promise.all(
        waysOf(key).map(async (headers) => {
          const { status } = await fetch(service.api + declared.path, { method: 'POST', headers })
          return status
        }),
      )
      return [...new Set(statuses)]
    }
    const [letIn, ...others] = await answers(acme.tracingKey)
    expect(others).toEqual([])
    expect(letIn).not.toBe(401)
    expect(await answers(`tk_live_${'0'.repeat(48)}`)).toEqual([401])
    expect(await answers('tk_live_1')).toEqual([401])
  })
})

describe('advisory 19: an unusable body', () => {
  const unsafe = allEndpoints.filter((declared) => declared.method !== 'GET')
  const bodies = ['', 'null', '[]', '"text"', '7', '{', '{"a":', '[[[]]]', '\u0000']

  test.each(named(unsafe))('is answered in the envelope by %s', async (_name, declared) => {
    const tenant = await service.addTenant()
    const as = await service.signedIn(tenant.members.Owner)
    const body: Body | undefined = declared.body
    for (const raw of body === undefined ? [] : bodies) {
      const response = await fetch(service.api + pathIn(declared), {
        method: declared.method,
        headers: {
          ...as,
          'x-tracing-key': tenant.tracingKey,
          'content-type':
            body?.as === 'form' ? 'application/x-www-form-urlencoded' : 'application/json',
        },
        body: raw,
        redirect: 'manual',
      })
      const text = await response.text()
      if (response.status >= 400) {
        expect(JSON.parse(text), raw).toMatchObject({ error: { code: expect.any(String) } })
      }
    }
    expect((await fetch(`${service.origin}/healthz`)).status).toBe(200)
  })
})

describe('advisory 23: whoever registers another person’s address first', () => {
  test('gets nothing that is meant for that person', async () => {
    const email = 'victim@x.org'
    const form = { email, password: 'correct horse', name: 'Attacker' }
    const attacker = { cookie: cookieOf((await service.ask(signUp, { body: form })).headers) }

    const params = { orgId: acme.organizationId }
    const body = { email, role: 'Admin' }
    const invited = await service.ask(inviteMember, { params, body }, owner)
    // Not added to the account that is there: nothing shows that it is the victim's.
    expect(invited.data.status).toBe('invited')
    expect((await service.ask(listMembers, { params }, attacker)).status).toBe(403)
    for (const guess of ['', nobody, 'A'.repeat(43)]) {
      const answer = await service.ask(acceptInvite, { body: { invite_token: guess } }, attacker)
      expect(answer.status).toBe(404)
    }

    // The victim takes the account over with the link that only they can read.
    const user = await service.accounts.users.findByEmailKey(email)
    await service.accounts.users.update(user?.id ?? '', {
      password_hash: await openPasswords().hash('the victim’s horse'),
    })
    await service.accounts.sessions.removeOfUser(user?.id ?? '')
    expect((await service.ask(readSession, {}, attacker)).status).toBe(401)
    const { email: address, password } = form
    expect((await service.ask(signIn, { body: { email: address, password } })).status).toBe(401)
  })
})

describe('advisory 27: what a body says of the caller', () => {
  const claims = {
    ...{ userId: nobody, user_id: nobody, id: nobody, actor: nobody },
    ...{ orgId: nobody, organization_id: nobody, projectId: nobody },
    ...{ role: 'Owner', is_super_admin: true, isSuperAdmin: 1, email_verified_at: '2026' },
    ...{ email: 'root@x.org', disabled_at: null, created_by: nobody, password_hash: 'x' },
  }

  test('changes neither who acts nor what they are', async () => {
    const { Viewer } = acme.members
    const before = await service.accounts.users.find(Viewer.id)
    const answer = await service.ask(updateProfile, { body: { ...claims, name: 'Vi' } }, viewer)
    expect(answer.data.user).toMatchObject({ id: Viewer.id, is_super_admin: false })
    expect(await service.accounts.users.find(Viewer.id)).toEqual({ ...before, name: 'Vi' })
  })

  test('does not make a new account more than one', async () => {
    const email = 'claims@x.org'
    const form = { ...claims, email, password: 'correct horse', name: 'Claims' }
    await service.ask(signUp, { body: form })
    const user = await service.accounts.users.findByEmailKey(email)
    expect(user).toMatchObject({ is_super_admin: 0, email_verified_at: null })
    expect(user?.id).not.toBe(nobody)
    expect(await service.accounts.organizations.ofMember(user?.id ?? '')).toEqual([])
  })

  test('puts nothing into another organization, and opens nothing', async () => {
    const globex = await service.addTenant()
    const body = { ...claims, name: 'Planted', organization_id: globex.organizationId }
    const params = { orgId: acme.organizationId }
    const { data } = await service.ask(createProject, { params, body }, owner)
    expect(data.organization_id).toBe(acme.organizationId)
    expect(await service.accounts.projects.ofOrganization(globex.organizationId)).toHaveLength(1)
    expect((await service.ask(createOrganization, { body }, owner)).status).toBe(403)
  })
})
