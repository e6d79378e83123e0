import { statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import {
  emptyDatabase,
  engines,
  openTestAccounts,
  silent,
  type TestAccounts,
} from '../../../test/accounts-database.ts'
import { newOrganization } from '../../accounts/organization.ts'
import { newProject } from '../../accounts/project.ts'
import { Unavailable } from '../../platform/failure.ts'
import { openAccounts } from './connect.ts'
import type { UserRow } from './people-tables.ts'

const at = '2026-03-01T12:00:00.000Z'
const organization = newOrganization('Acme', 'acme', at)

const user: UserRow = {
  id: '7f0d7f5e-51a7-4bd9-8be4-d9bb3f3ac001',
  email: 'Ana@x.org',
  email_key: 'ana@x.org',
  email_verified_at: null,
  email_verified_by: null,
  name: 'Ana',
  password_hash: null,
  is_super_admin: 0,
  disabled_at: null,
  created_at: at,
}

let opened: TestAccounts
afterEach(() => opened.remove())

describe.each(engines)('the accounts database on %s', (engine) => {
  beforeEach(async () => {
    opened = await openTestAccounts(engine)
  })

  test('returns what was stored after a restart', async () => {
    await opened.accounts.users.insert(user)
    const again = await openAccounts(opened.location, silent)
    expect({ ...(await again.users.findByEmailKey('ana@x.org')) }).toEqual(user)
    await again.close()
  })

  test('is refused by a version that does not know its schema', async () => {
    await opened.query(`insert into migrations (name, applied_at) values ('9999 later', '${at}')`)
    await expect(openAccounts(opened.location, silent)).rejects.toThrow(
      /newer version of Assay .*\(it has the migration "9999 later"/,
    )
  })

  test('stores nothing of a transaction that fails', async () => {
    const work = opened.accounts.transaction(async (stores) => {
      await stores.users.insert(user)
      await stores.organizations.insert(organization)
      throw new Error('halfway')
    })
    await expect(work).rejects.toThrow('halfway')
    expect(await opened.accounts.users.findByEmailKey(user.email_key)).toBeUndefined()
    expect(await opened.accounts.organizations.list()).toEqual([])
  })

  test('returns false for duplicates, and the transaction continues', async () => {
    const other = newOrganization('Other', 'other', at)
    const slug = 'one'
    const results = await opened.accounts.transaction(async (stores) => [
      await stores.users.insert(user),
      await stores.users.insert({ ...user, id: 'another', email: 'ANA@x.org' }),
      await stores.organizations.insert(organization),
      await stores.organizations.insert({ ...other, slug: organization.slug }),
      await stores.organizations.insert(other),
      await stores.projects.insert(newProject(organization.id, 'One', slug, at).row),
      await stores.projects.insert(newProject(organization.id, 'One too', slug, at).row),
      await stores.projects.insert(newProject(other.id, 'One elsewhere', slug, at).row),
      await stores.installation.claim(at),
      await stores.installation.claim(at),
    ])
    expect(results).toEqual([true, false, true, false, true, true, false, true, true, false])
    expect(await opened.accounts.projects.list(organization.id)).toHaveLength(1)
  })

  test('refuses broken references and values out of range', async () => {
    const { accounts } = opened
    await accounts.users.insert(user)
    const nowhere = {
      organization_id: 'nowhere',
      user_id: user.id,
      role: 'Owner',
      joined_at: at,
    } as const
    await expect(accounts.memberships.insert(nowhere)).rejects.toThrow(/foreign key/i)
    await accounts.organizations.insert(organization)
    const membership = { ...nowhere, organization_id: organization.id, role: 'King' as 'Owner' }
    await expect(accounts.memberships.insert(membership)).rejects.toThrow(/check constraint/i)
  })

  test('stores any text, with U+FFFD for characters that it cannot store', async () => {
    const { accounts } = opened
    await accounts.users.insert({ ...user, name: 'A\0na \ud800 é 🙂' })
    const found = await accounts.users.findByEmailKey(user.email_key)
    expect(found?.name).toBe('A\uFFFDna \uFFFD é 🙂')
    expect(await accounts.users.findByEmailKey('ana\0@x.org')).toBeUndefined()
    expect(await accounts.memberships.findProjectAccess('\0', '\udfff')).toBeUndefined()
  })

  test('finds expired sessions by timestamps that sort as text', async () => {
    const { accounts } = opened
    await accounts.users.insert(user)
    const session = {
      user_id: user.id,
      method: 'password',
      sso_config_id: null,
      created_at: at,
      ip: '::1',
      user_agent: null,
    } as const
    const later = '2026-03-09T12:00:00.000Z'
    for (const [name, lastSeen, expires] of [
      ['idle', '2026-03-02T12:00:00.000Z', '2026-03-31T00:00:00.000Z'],
      ['old', '2026-03-09T11:00:00.000Z', '2026-03-09T11:59:59.999Z'],
      ['alive', '2026-03-02T12:00:00.001Z', '2026-03-09T12:00:00.001Z'],
    ] as const) {
      await accounts.sessions.insert({
        ...session,
        id: name,
        last_seen_at: lastSeen,
        expires_at: expires,
      })
    }
    await accounts.sessions.removeExpired(user.id, later, '2026-03-02T12:00:00.000Z')
    await accounts.sessions.touch('alive', '2026-03-01T00:00:00.000Z')
    expect(await opened.query('select id, last_seen_at from sessions')).toEqual([
      { id: 'alive', last_seen_at: '2026-03-02T12:00:00.001Z' },
    ])
  })
})

describe('on SQLite', () => {
  beforeEach(async () => {
    opened = await openTestAccounts('SQLite')
  })

  test('the file can be read by its owner only', () => {
    const { mode } = statSync(join(opened.location.dataDir, 'accounts.sqlite'))
    expect((mode & 0o777).toString(8)).toBe('600')
  })

  test('a locked file makes writes unavailable while the lock is held, but not reads', async () => {
    const { accounts } = opened
    const intruder = new DatabaseSync(join(opened.location.dataDir, 'accounts.sqlite'))
    intruder.exec('begin immediate')
    await expect(accounts.users.insert(user)).rejects.toBeInstanceOf(Unavailable)
    const work = accounts.transaction((stores) => stores.organizations.insert(organization))
    await expect(work).rejects.toBeInstanceOf(Unavailable)
    expect(await accounts.installation.isSetUp()).toBe(false)
    intruder.exec('rollback')
    intruder.close()
    expect(await accounts.users.insert(user)).toBe(true)
  })
})

describe('on PostgreSQL', () => {
  test('servers that start at the same time on an empty database all succeed', async () => {
    const database = await emptyDatabase('PostgreSQL')
    const starts = Array.from({ length: 6 }, () => openAccounts(database.location, silent))
    const started = await Promise.all(starts)
    const [first] = started
    if (first === undefined) throw new Error('no server started')
    expect(await Promise.all(started.map((one) => one.installation.isSetUp()))).toEqual(
      Array.from({ length: 6 }, () => false),
    )
    await Promise.all(started.slice(1).map((one) => one.close()))
    opened = {
      ...database,
      accounts: first,
      remove: async () => {
        await first.close()
        await database.remove()
      },
    }
  })

  test('a start says that the server refuses the service, or that the user lacks a right', async () => {
    opened = await openTestAccounts('PostgreSQL')
    const { dataDir, databaseUrl } = opened.location
    const openAt = (change: (url: URL) => void) => {
      const url = new URL(String(databaseUrl))
      change(url)
      return openAccounts({ dataDir, databaseUrl: url.href }, silent)
    }
    const noSuchDatabase = openAt((url) => {
      url.pathname = '/nowhere'
    })
    await expect(noSuchDatabase).rejects.toThrow('refuses the service')
    const noSuchUser = openAt((url) => {
      url.username = 'nobody'
    })
    await expect(noSuchUser).rejects.toThrow('refuses the service')
    await opened.query('drop schema public cascade')
    await opened.query('create schema public')
    await opened.query('grant usage on schema public to public')
    await opened.query('drop role if exists guest')
    await opened.query('create role guest login')
    const guest = openAt((url) => {
      url.username = 'guest'
    })
    await expect(guest).rejects.toThrow('has to own its database')
  })

  test('lost connections fail their own requests, not the process', async () => {
    opened = await openTestAccounts('PostgreSQL')
    const { accounts } = opened
    await accounts.probe()
    const work = accounts.transaction(async (stores) => {
      await stores.users.insert(user)
      await opened.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      )
      await stores.organizations.insert(organization)
    })
    await expect(work).rejects.toBeInstanceOf(Unavailable)
    expect(await accounts.users.insert(user)).toBe(true)
  })

  test.each([
    ['a full disk', '53100'],
    ['a damaged table', 'XX001'],
    ['a damaged index', 'XX002'],
  ])('%s makes changes unavailable, and stores nothing of them', async (_fault, state) => {
    opened = await openTestAccounts('PostgreSQL')
    const { accounts, query } = opened
    await query(`create function fail() returns trigger language plpgsql as
      $$ begin raise exception 'fault' using errcode = '${state}'; end $$`)
    await query('create trigger fault before insert on users execute function fail()')
    const work = accounts.transaction(async (stores) => {
      await stores.organizations.insert(organization)
      await stores.users.insert(user)
    })
    await expect(work).rejects.toBeInstanceOf(Unavailable)
    expect(await accounts.organizations.list()).toEqual([])
  })

  test('an unreachable server is unavailable', async () => {
    opened = await openTestAccounts('PostgreSQL')
    const url = new URL(inject('postgresUrl'))
    url.port = String(await unusedPort())
    const start = openAccounts({ dataDir: '/', databaseUrl: url.href }, silent)
    await expect(start).rejects.toBeInstanceOf(Unavailable)
  })
})

async function unusedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  await new Promise((closed) => server.close(closed))
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}
