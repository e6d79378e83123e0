import { Kysely } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Engine, emptyDatabase, engines, silent } from '../../../test/accounts-database.ts'
import { migrate } from './migrate.ts'
import type { Migration } from './migrations.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { sqliteDialect } from './sqlite-dialect.ts'

const first: Migration = { name: '0001 first', statements: ['create table one (id integer)'] }
const broken: Migration = {
  name: '0002 second',
  statements: ['create table two (id integer)', 'insert into three (id) values (1)'],
}
const fixed: Migration = {
  name: '0002 second',
  statements: ['create table two (id integer)', 'insert into one (id) values (1)'],
}

async function openEmpty(engine: Engine) {
  const database = await emptyDatabase(engine)
  const { dataDir, databaseUrl } = database.location
  const dialect =
    databaseUrl === undefined
      ? sqliteDialect(`${dataDir}/accounts.sqlite`)
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
})
