import { Kysely } from 'kysely'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { type Engine, emptyDatabase, engines, silent } from '../../../test/accounts-database.ts'
import { openLog } from '../../platform/log.ts'
import { openDamage } from '../damage.ts'
import { openAccounts } from './connect.ts'
import { migrate } from './migrate.ts'
import { migratePostgres } from './migrate-postgres.ts'
import { type Migration, migrations } from './migrations.ts'
import type { UserRow } from './people-tables.ts'
import { postgresDialect } from './postgres-dialect.ts'
import type { SessionRow } from './session-tables.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { accountStores } from './stores.ts'

const first: Migration = { name: '0001 first', statements: ['create table one (id integer)'] }
const broken: Migration = {
  name: '0002 second',
  statements: ['create table two (id integer)', 'insert into three (id) values (1)'],
}
const fixed: Migration = {
  name: '0002 second',
  statements: ['create table two (id integer)', 'insert into one (id) values (1)'],
}

const at = '2026-03-01T12:00:00.000Z'

const user: UserRow = {
  ...{ id: 'ana', email: 'ana@x.org', email_key: 'ana@x.org', name: 'Ana', created_at: at },
  ...{ email_verified_at: null, email_verified_by: null, password_hash: null },
  ...{ is_super_admin: 0, disabled_at: null },
}

const session: SessionRow = {
  ...{ id: 'a session', user_id: user.id, method: 'password', sso_config_id: null },
  ...{ created_at: at, last_seen_at: at, expires_at: at, ip: '192.0.2.1', user_agent: null },
}

async function openEmpty(engine: Engine) {
  const database = await emptyDatabase(engine)
  const { dataDir, databaseUrl } = database.location
  const file = `${dataDir}/accounts.sqlite`
  const dialect =
    databaseUrl === undefined
      ? sqliteDialect(file, openDamage('accounts', file, silent))
      : postgresDialect(databaseUrl, { maxConnections: 1, statementTimeoutMs: 0, log: silent })
  return { database, db: new Kysely<unknown>({ dialect }) }
}

describe.each(engines)('migrations on %s', (engine) => {
  test('a migration that fails leaves nothing behind, and can be applied once it is fixed', async () => {
    const { db, database } = await openEmpty(engine)
    const alone = () => Promise.resolve()

    await expect(migrate(db, [first, broken], alone)).rejects.toThrow(/three/)
    expect(await database.query('select name from migrations')).toEqual([{ name: first.name }])

    await migrate(db, [first, fixed], alone)
    await migrate(db, [first, fixed], alone)
    expect(await database.query('select id from one')).toEqual([{ id: 1 }])
    expect(await database.query('select name from migrations order by name')).toEqual([
      { name: first.name },
      { name: fixed.name },
    ])
    await db.destroy()
    await database.remove()
  })

  test('a database of the first schema keeps its sessions, whose tokens count as the oldest', async () => {
    const { db, database } = await openEmpty(engine)
    await migrate(db, migrations.slice(0, 1), () => Promise.resolve())
    const stores = accountStores(db)
    await stores.users.insert(user)
    await stores.sessions.insert(session)
    await database.query(
      `insert into session_tokens (token_hash, session_id) values ('old', '${session.id}')`,
    )
    await db.destroy()

    const accounts = await openAccounts(database.location, silent)
    expect((await accounts.sessions.findWithUser('old'))?.id).toBe(session.id)
    const token = { token_hash: 'new', session_id: session.id, created_at: at }
    await accounts.sessions.insertToken(token)
    await accounts.sessions.removeOldestTokens(session.id, 1)
    expect((await accounts.sessions.findWithUser('new'))?.id).toBe(session.id)
    expect(await accounts.sessions.findWithUser('old')).toBeUndefined()
    await accounts.close()
    await database.remove()
  })
})

test('a migration on PostgreSQL waits for readers of its table, who hold up nobody else, and logs that once', async () => {
  const { db, database } = await openEmpty('PostgreSQL')
  await migrate(db, [first], () => Promise.resolve())
  const dump = new Client({ connectionString: String(database.location.databaseUrl) })
  await dump.connect()
  await dump.query('begin; lock table one in access share mode')
  const lines: string[] = []
  const log = openLog('warn', (line) => lines.push(line))
  const wider = { name: '0002 wider', statements: ['alter table one add column more integer'] }
  let isMigrated = false
  const migration = migratePostgres(db, [first, wider], log, { lockMs: 200, pauseMs: 50 }).then(
    () => (isMigrated = true),
  )
  await expect.poll(() => lines.join('')).toContain('waits for a table')
  for (let n = 0; n < 5; n += 1) expect(await database.query('select * from one')).toEqual([])
  expect(isMigrated).toBe(false)
  await dump.query('commit')
  await migration
  expect(lines).toHaveLength(1)
  expect(await database.query('select name from migrations order by name')).toEqual([
    { name: first.name },
    { name: wider.name },
  ])
  await dump.end()
  await db.destroy()
  await database.remove()
})
