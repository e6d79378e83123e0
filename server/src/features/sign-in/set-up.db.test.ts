import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  engines,
  openTestAccounts,
  silent,
  type TestAccounts,
} from '../../../test/accounts-database.ts'
import { accessControl } from '../../accounts/access-control.ts'
import { openRefusedSignIns } from '../../accounts/refused-sign-ins.ts'
import { openSignInRateLimiter } from '../../accounts/sign-in-rate-limiter.ts'
import { systemClock } from '../../platform/clock.ts'
import { openPasswords } from '../../platform/password-hash.ts'
import { type SetUpPorts, setUp } from './set-up.ts'
import { type SignInPorts, signIn } from './sign-in.ts'

const form = {
  token: 'the set-up token',
  email: 'Ana@X.org',
  password: 'correct horse',
  name: 'Ana',
  organization_name: 'Åcme & Sons',
  project_name: 'Checkout',
}
const client = {
  ...{ address: '192.0.2.1', userAgent: null, requestId: 'a request' },
  signal: new AbortController().signal,
}

let opened: TestAccounts
let ports: SetUpPorts & SignInPorts
afterEach(() => opened.remove())

describe.each(engines)('setting up the service on %s', (engine) => {
  beforeEach(async () => {
    opened = await openTestAccounts(engine)
    const counters = opened.accounts.openCounters(systemClock)
    const rateLimiter = openSignInRateLimiter(counters)
    ports = {
      accounts: opened.accounts,
      passwords: openPasswords(1),
      signInPasswords: openPasswords(2),
      refusedSignIns: openRefusedSignIns({
        ...{ accounts: opened.accounts, counters, clock: systemClock, log: silent },
      }),
      rateLimiter,
      clock: systemClock,
      setupToken: form.token,
    }
  })

  test('creates a signed-in super admin and Owner, with a project and a working key', async () => {
    const { answer, session } = await setUp(form, client, ports)
    const { user, organization, project } = answer
    expect(user).toMatchObject({ email: 'Ana@X.org', name: 'Ana', is_super_admin: true })
    expect(organization).toMatchObject({ name: 'Åcme & Sons', slug: 'acme-sons', role: 'Owner' })
    expect(project).toMatchObject({
      organization_id: organization.id,
      name: 'Checkout',
      slug: 'checkout',
    })

    const access = accessControl(opened.accounts, systemClock)
    const caller = await access.findSession(session.token)
    expect(caller?.user).toMatchObject({ id: user.id, isSuperAdmin: true })
    expect(await opened.query('select organization_id, user_id, role from memberships')).toEqual([
      { organization_id: organization.id, user_id: user.id, role: 'Owner' },
    ])
    expect(await access.keyCaller({ 'x-tracing-key': answer.tracing_key })).toEqual({
      organizationId: organization.id,
      projectId: project.id,
    })
    const again = await signIn({ email: 'ana@x.org', password: form.password }, client, ports)
    expect(again.user.id).toBe(user.id)
  })

  test('stores neither the password, the token nor the key', async () => {
    const { answer, session } = await setUp(form, client, ports)
    const tables = [
      'users',
      'organizations',
      'memberships',
      'projects',
      'tracing_keys',
      'sessions',
      'session_tokens',
      'installation',
    ]
    const rows = await Promise.all(tables.map((table) => opened.query(`select * from ${table}`)))
    expect(rows.map((found) => found.length)).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
    const log = await opened.query('select * from audit_log order by id')
    expect(log.map(({ action }) => action)).toEqual([
      'service.set_up',
      'organization.created',
      'project.created',
      'tracing_key.created',
      'session.started',
    ])
    expect(new Set(log.map(({ actor_email }) => actor_email))).toEqual(new Set(['Ana@X.org']))
    const everything = JSON.stringify([rows, log])
    for (const secret of [form.password, form.token, session.token, answer.tracing_key]) {
      expect(everything).not.toContain(secret)
    }
  })

  test('requires the token, and changes nothing without it', async () => {
    for (const token of ['', 'the set-up toke', 'the set-up token ', 'THE SET-UP TOKEN']) {
      await expect(setUp({ ...form, token }, client, ports)).rejects.toMatchObject({
        code: 'FORBIDDEN',
        message: 'Wrong set-up token.',
      })
    }
    expect(await opened.query('select id from users')).toEqual([])
    expect(await opened.accounts.installation.isSetUp()).toBe(false)
  })

  test('works once: of ten concurrent requests one succeeds', async () => {
    const attempts = Array.from({ length: 10 }, (_, number) =>
      setUp({ ...form, email: `person-${number}@x.org` }, client, ports),
    )
    const outcomes = await Promise.allSettled(attempts)
    const refusals = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refusals).toHaveLength(9)
    for (const { reason } of refusals)
      expect(reason).toMatchObject({ code: 'CONFLICT', status: 409 })
    for (const table of ['users', 'organizations', 'projects', 'sessions']) {
      expect(await opened.query(`select * from ${table}`), table).toHaveLength(1)
    }
  })

  test('is refused as done afterwards, also with a wrong token', async () => {
    await setUp(form, client, ports)
    for (const token of [form.token, 'a guess']) {
      await expect(setUp({ ...form, token }, client, ports)).rejects.toMatchObject({
        code: 'CONFLICT',
      })
    }
  })
})
