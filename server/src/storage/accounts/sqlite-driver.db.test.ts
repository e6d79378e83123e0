import { copyFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type EmptyDatabase, emptyDatabase, silent } from '../../../test/accounts-database.ts'
import { openDamage } from '../damage.ts'
import { dialectOf, openAccountsFile } from './sqlite-dialect.ts'

/*
 * The order of statements, transactions and syncs of the accounts file. The disk is real; tests decide when it responds.
 */

interface Tables {
  readonly notes: { readonly id: number }
}

let folder: EmptyDatabase
let path: string
let db: Kysely<Tables>
/** What the disk does with the next syncs. */
let disk: () => Promise<void>

beforeEach(async () => {
  folder = await emptyDatabase('SQLite')
  path = `${folder.location.dataDir}/notes.sqlite`
  const file = openAccountsFile(path, openDamage('accounts', path, silent))
  disk = file.sync
  db = new Kysely<Tables>({ dialect: dialectOf(() => ({ ...file, sync: () => disk() })) })
  await sql`create table notes (id integer primary key)`.execute(db)
})
afterEach(async () => {
  await db.destroy()
  await folder.remove()
})

const insert = (id: number, into = db) => into.insertInto('notes').values({ id }).execute()
const list = async () =>
  (await db.selectFrom('notes').select('id').orderBy('id').execute()).map(({ id }) => id)

function holdDisk() {
  const { promise, resolve } = Promise.withResolvers<void>()
  disk = () => promise
  return resolve
}

describe('while a commit waits for the disk', () => {
  test('it has not resolved, and others read and commit', async () => {
    const respond = holdDisk()
    let resolved = 0
    const commits = [
      insert(1),
      db.transaction().execute(async (transaction) => await insert(2, transaction)),
    ].map((commit) => commit.then(() => (resolved += 1)))
    await expect.poll(list).toEqual([1, 2])
    expect(resolved).toBe(0)
    respond()
    await Promise.all(commits)
    expect(resolved).toBe(2)
  })
})

describe('a transaction', () => {
  test('has the database for itself until it has ended', async () => {
    const halfway = Promise.withResolvers<void>()
    const work = db.transaction().execute(async (transaction) => {
      await insert(1, transaction)
      await halfway.promise
      throw new Error('rolled back')
    })
    const others = [insert(2), db.transaction().execute((other) => insert(3, other)), list()]
    halfway.resolve()
    await expect(work).rejects.toThrow('rolled back')
    await Promise.all(others)
    expect(await list()).toEqual([2, 3])
  })

  test('is not rolled back with the commit of another that did not reach the disk', async () => {
    const broken = Promise.withResolvers<void>()
    disk = () => broken.promise
    const first = db.transaction().execute((transaction) => insert(1, transaction))
    const halfway = Promise.withResolvers<void>()
    await expect.poll(list).toEqual([1])
    const second = db.transaction().execute(async (transaction) => {
      await insert(2, transaction)
      await halfway.promise
    })
    broken.reject(new Error('the disk has failed'))
    await expect(first).rejects.toThrow('the disk has failed')
    disk = () => Promise.resolve()
    halfway.resolve()
    await second
    expect(await list()).toEqual([1, 2])
  })
})

describe('after a failed sync', () => {
  test('nothing is acknowledged until all commits are in the database file', async () => {
    const working = disk
    const failing = Promise.withResolvers<void>()
    disk = () => failing.promise
    const refused = insert(1)
    await expect.poll(list).toEqual([1])
    disk = working
    // Its sync may succeed, but not for the frames of the commit before.
    const accepted = insert(2)
    failing.reject(new Error('the disk has failed'))
    await expect(refused).rejects.toThrow('the disk has failed')
    await accepted
    await insert(3)
    expect(listWithoutLog().slice(0, 2)).toEqual([1, 2])
  })
})

/** As a process would find them after a power failure that lost the whole log. */
function listWithoutLog() {
  copyFileSync(path, `${path}-copy`)
  const copy = new DatabaseSync(`${path}-copy`)
  const rows = copy.prepare('select id from notes order by id').all()
  copy.close()
  return rows.map(({ id }) => id)
}
