import { limits } from '@assay/contract/limits.ts'
import {
  addPlatformAccess,
  grantSuperAdmin,
  listAccounts,
  listPlatformAccess,
  listPlatformAuditLog,
  listSuperAdmins,
  removePlatformAccess,
  revokeSuperAdmin,
  updateAccount,
} from '@assay/contract/platform.ts'
import { readSession } from '@assay/contract/sign-in.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { addUser } from '../../../test/people.ts'
import { runningService } from '../../../test/service-suite.ts'
import type { Credentials } from '../../../test/started-app.ts'
import type { UserRow } from '../../storage/accounts/people-tables.ts'

const service = runningService()
let boss: UserRow
let as: Credentials

beforeAll(async () => {
  boss = await addUser(service.accounts, { superAdmin: true })
  as = await service.signedIn(boss)
})

const nowhere = '00000000-0000-4000-8000-000000000000'

describe('platform access', () => {
  const add = (pattern: unknown) => service.call(addPlatformAccess, { body: { pattern } }, as)

  test('accepts addresses and domains, each once in any spelling, and lists them', async () => {
    const added = await add(' Ana@X.org ')
    expect(added).toMatchObject({
      status: 201,
      data: { pattern: 'ana@x.org', added_by: boss.email },
    })
    const domain = await add('@Example.COM')
    expect(domain.data.pattern).toBe('@example.com')
    expect(await add('ANA@x.ORG')).toMatchObject({ status: 409, error: { code: 'CONFLICT' } })
    const listed = await service.call(listPlatformAccess, {}, as)
    expect(listed.data).toEqual([domain.data, added.data])
  })

  test.each([
    'x.org',
    'ana',
    '@',
    'ana@',
    '@org',
    'a b@x.org',
    'ana@x@y.org',
    '*@x.org',
    '@*.x.org',
    '',
    null,
    ['@x.org'],
  ])('refuses %j', async (pattern) => {
    expect(await add(pattern)).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_ERROR', message: expect.stringMatching(/^pattern /) },
    })
  })

  test('explains how to approve a domain when the pattern has a wildcard, and approves nothing', async () => {
    const before = await service.query('select * from platform_access')
    for (const [pattern, advised] of [
      ['*@z.org', '@z.org'],
      ['@*.z.org', '@x.org'],
    ]) {
      expect((await add(pattern)).error.message).toBe(
        `pattern must not contain *. To approve all addresses of a domain, write ${advised}`,
      )
    }
    expect(await service.query('select * from platform_access')).toEqual(before)
  })

  test('is removed by its id', async () => {
    const { data } = await add('@gone.org')
    const remove = (accessId: string) =>
      service.call(removePlatformAccess, { params: { accessId } }, as)
    expect(await remove(data.id)).toMatchObject({ status: 200, data: { status: 'removed' } })
    expect(await remove(data.id)).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } })
    const { data: remaining } = await service.call(listPlatformAccess, {}, as)
    expect(remaining.map(({ pattern }) => pattern)).not.toContain('@gone.org')
  })
})

describe('the people', () => {
  test('are listed page by page, each once, and found by part of the address or name', async () => {
    for (let number = 0; number < 5; number++) await addUser(service.accounts)
    const collected: string[] = []
    let cursor: string | null | undefined
    do {
      const query = { limit: 2, ...(cursor ? { cursor } : {}) }
      const page = await service.call(listAccounts, { query }, as)
      collected.push(...page.data.map(({ id }) => id))
      expect(page.meta.pageSize).toBe(page.data.length)
      cursor = page.meta.cursor
    } while (cursor !== null)
    expect(collected).toHaveLength(new Set(collected).size)
    expect(collected.length).toBeGreaterThanOrEqual(6)

    const part = boss.email.slice(3, 20).toUpperCase()
    const found = await service.call(listAccounts, { query: { q: part } }, as)
    expect(found.data).toMatchObject([{ id: boss.id, is_super_admin: true, has_password: false }])
    for (const q of ['%', '_', '\\', "' or 1=1 --"]) {
      expect((await service.call(listAccounts, { query: { q } }, as)).data).toEqual([])
    }
  })

  test.each([{ cursor: 'made up' }, { cursor: 'bm9uZQ' }, { limit: '0' }, { limit: '101' }])(
    'refuses to list with %j',
    async (query) => {
      expect(await service.call(listAccounts, { query }, as)).toMatchObject({
        status: 400,
        error: { code: 'VALIDATION_ERROR' },
      })
    },
  )

  test('who are disabled lose access with the next request, and must sign in again when enabled', async () => {
    const ana = await addUser(service.accounts)
    const session = await service.signedIn(ana)
    const set = (disabled: boolean, userId = ana.id) =>
      service.call(updateAccount, { params: { userId }, body: { disabled } }, as)
    expect(await set(true)).toMatchObject({
      status: 200,
      data: { disabled_at: expect.any(String) },
    })
    expect((await service.call(readSession, {}, session)).status).toBe(401)
    expect(await set(false)).toMatchObject({ status: 200, data: { disabled_at: null } })
    expect((await service.call(readSession, {}, session)).status).toBe(401)
    expect(await set(true, nowhere)).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } })
    expect(await set(true, boss.id)).toMatchObject({
      status: 403,
      error: { message: 'You cannot disable your own account.' },
    })
  })
})

describe('super admins', () => {
  const grant = (userId: string) => service.call(grantSuperAdmin, { params: { userId } }, as)
  const revoke = (userId: string) => service.call(revokeSuperAdmin, { params: { userId } }, as)

  test('are granted and revoked by each other, which ends the person’s sessions, and one remains', async () => {
    const ana = await addUser(service.accounts)
    const before = await service.signedIn(ana)
    expect(await grant(ana.id)).toMatchObject({ status: 200, data: { is_super_admin: true } })
    expect((await service.call(readSession, {}, before)).status).toBe(401)
    const admin = await service.signedIn(ana)
    const { data } = await service.call(listSuperAdmins, {}, admin)
    expect(data.map(({ id }) => id).sort()).toEqual([ana.id, boss.id].sort())
    expect(await revoke(ana.id)).toMatchObject({ status: 200, data: { status: 'revoked' } })
    expect((await service.call(readSession, {}, admin)).status).toBe(401)
    expect(await revoke(boss.id)).toMatchObject({
      status: 403,
      error: { message: 'The service keeps at least one super admin.' },
    })
    for (const change of [grant, revoke]) {
      expect(await change(nowhere)).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } })
    }
  })

  test('are not granted beyond the limit', async () => {
    const { id } = await addUser(service.accounts)
    const list = () => service.accounts.users.listSuperAdmins()
    while ((await list()).length < limits.superAdmins.value) {
      await addUser(service.accounts, { superAdmin: true })
    }
    expect(await grant(id)).toMatchObject({ status: 409, error: { code: 'CONFLICT' } })
    expect(await list()).toHaveLength(limits.superAdmins.value)
  })
})

describe('the audit log of the platform', () => {
  test('lists platform events, newest first', async () => {
    const { data } = await service.call(listPlatformAuditLog, { query: { limit: 100 } }, as)
    expect(data.map(({ action }) => action)).toContain('super_admin.revoked')
    const added = data.find(({ action }) => action === 'platform_access.added')
    expect(added).toMatchObject({
      actor: { kind: 'user', user_id: boss.id, email: boss.email },
      target: { kind: 'platform_access' },
      client_address: '127.0.0.1',
      request_id: expect.any(String),
      details: { pattern: expect.any(String) },
    })
    const times = data.map(({ at }) => at)
    expect(times).toEqual([...times].sort().reverse())
  })

  test('refuses a forged cursor', async () => {
    const query = { cursor: 'bm9uZQ' }
    expect(await service.call(listPlatformAuditLog, { query }, as)).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_ERROR' },
    })
  })
})
