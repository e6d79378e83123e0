import { Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type EmptyDatabase, emptyDatabase, silent } from '../../../test/accounts-database.ts'
import { Unavailable } from '../../platform/failure.ts'
import { openDamage } from '../damage.ts'
import { sqliteDialect } from './sqlite-dialect.ts'

interface Tables {
  readonly notes: { readonly id: number; readonly text: string }
}

let folder: EmptyDatabase
let db: Kysely<Tables>
beforeEach(async () => {
  folder = await emptyDatabase('SQLite')
  const file = `${folder.location.dataDir}/notes.sqlite`
  const dialect = sqliteDialect(file, openDamage('accounts', file, silent))
  db = new Kysely<Tables>({ dialect })
  await sql`create table notes (id integer primary key, text text not null)`.execute(db)
})
afterEach(async () => {
  await db.destroy()
  await folder.remove()
})

describe('the SQLite dialect', () => {
  test('keeps a log that is synced after each commit, and enforces foreign keys', async () => {
    const read = async (setting: string) => {
      const { rows } = await sql.raw<Record<string, unknown>>(`pragma ${setting}`).execute(db)
      return Object.values(rows[0] ?? {})[0]
    }
    expect([
      await read('journal_mode'),
      await read('synchronous'),
      await read('foreign_keys'),
    ]).toEqual(['wal', 1, 1])
  })

  test('a full disk makes writes unavailable and loses nothing, and writes succeed again with space', async () => {
    const note = (id: number) => ({ id, text: 'x'.repeat(20_000) })
    await db.insertInto('notes').values(note(1)).execute()
    await sql`pragma max_page_count = 12`.execute(db)
    const work = db.transaction().execute(async (transaction) => {
      await transaction.insertInto('notes').values({ id: 2, text: 'small' }).execute()
      for (const id of [3, 4, 5, 6])
        await transaction.insertInto('notes').values(note(id)).execute()
    })
    await expect(work).rejects.toBeInstanceOf(Unavailable)
    expect(await db.selectFrom('notes').select('id').execute()).toEqual([{ id: 1 }])

    await sql`pragma max_page_count = 1000`.execute(db)
    await db.insertInto('notes').values(note(2)).execute()
    expect(await db.selectFrom('notes').select('id').orderBy('id').execute()).toEqual([
      { id: 1 },
      { id: 2 },
    ])
  })

  test('statements stay correct when there are more than it caches', async () => {
    await db.insertInto('notes').values({ id: 1, text: 'one' }).execute()
    const lengths = Array.from({ length: 300 }, (_, at) => at + 1)
    for (const length of [...lengths, ...lengths]) {
      const ids = Array.from({ length }, (_, at) => at)
      const found = await db.selectFrom('notes').select('id').where('id', 'in', ids).execute()
      expect(found).toHaveLength(length === 1 ? 0 : 1)
    }
  })

  test('a defect is not reported as unavailable', async () => {
    await expect(sql`select nothing from nowhere`.execute(db)).rejects.not.toBeInstanceOf(
      Unavailable,
    )
  })
})
