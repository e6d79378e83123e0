import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { emptyDatabase, silent } from '../../../test/accounts-database.ts'
import { hashesOf, masterSecret, moveData, usedFolder } from '../../../test/moved-folder.ts'
import { openAccounts } from '../accounts/connect.ts'
import { lockDataFolder } from '../data-folder.ts'
import { openInstallation } from '../installation.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await usedFolder()
})

async function newTarget() {
  const database = await emptyDatabase('PostgreSQL')
  onTestFinished(() => database.remove())
  const databaseUrl = String(database.location.databaseUrl)
  return {
    ...database,
    databaseUrl,
    settings: {
      ASSAY_DATA_DIR: dataDir,
      ASSAY_DATABASE_URL: databaseUrl,
      ASSAY_SECRET: masterSecret,
    },
  }
}

function rowsOf(table: string): readonly unknown[] {
  const db = new DatabaseSync(join(dataDir, 'accounts.sqlite'), { readOnly: true })
  const rows = db.prepare(`SELECT * FROM ${table}`).all()
  db.close()
  return rows.map((row) => ({ ...row }))
}

function tables(): readonly string[] {
  const db = new DatabaseSync(join(dataDir, 'accounts.sqlite'), { readOnly: true })
  const names = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  db.close()
  return names.map(({ name }) => String(name)).filter((name) => !/^sqlite|migr|identity/.test(name))
}

async function countOfUsers(target: Awaited<ReturnType<typeof newTarget>>): Promise<number> {
  const [found] = await target.query("select to_regclass('users') is not null as exists")
  if (found?.['exists'] !== true) return 0
  return (await target.query('select id from users')).length
}

describe('moving the accounts of a data folder to PostgreSQL', () => {
  test('copies every row of every table, leaves the files as they were, and switches the folder', async () => {
    const target = await newTarget()
    const before = hashesOf(dataDir)
    expect(await moveData(target.settings)).toMatchObject({ code: 0, complaint: '' })
    expect(tables().length).toBeGreaterThan(50)
    for (const table of tables()) {
      const stored = await target.query(`select * from ${table}`)
      const bySource = rowsOf(table)
        .map((row) => JSON.stringify(row))
        .toSorted()
      expect(stored.map((row) => JSON.stringify(row)).toSorted(), table).toEqual(bySource)
    }
    expect(hashesOf(dataDir)).toEqual(before)
    await expect(openInstallation({ dataDir, databaseUrl: undefined }, silent)).rejects.toThrow(
      'Set ASSAY_DATABASE_URL',
    )
    const { databaseUrl } = target
    await expect(openInstallation({ dataDir, databaseUrl }, silent)).resolves.toBeDefined()
  })

  test('can be repeated, and completes what was killed before the folder was switched', async () => {
    const target = await newTarget()
    const marker = join(dataDir, 'installation.json')
    const before = readFileSync(marker, 'utf8')
    await moveData(target.settings)
    const after = readFileSync(marker, 'utf8')
    expect(await moveData(target.settings)).toMatchObject({ code: 0 })
    writeFileSync(marker, before)
    expect(await moveData(target.settings)).toMatchObject({ code: 0, complaint: '' })
    expect(readFileSync(marker, 'utf8')).toBe(after)
  })

  test('refuses a database with rows, and adds none', async () => {
    const target = await newTarget()
    const other = await usedFolder()
    await moveData({ ...target.settings, ASSAY_DATA_DIR: other })
    const before = await target.query('select id from users order by id')
    expect(await moveData(target.settings)).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('of another installation'),
    })
    await target.query('drop table installation_identity')
    expect(await moveData(target.settings)).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('is in use'),
    })
    expect(await target.query('select id from users order by id')).toEqual(before)
  })

  test('compares what was stored: a table that differs is reported, and nothing remains', async () => {
    const target = await newTarget()
    const { databaseUrl } = target
    await openAccounts({ dataDir, databaseUrl }, silent).then((opened) => opened.close())
    await target.query(
      "create function spoil() returns trigger language plpgsql as 'begin new.name := new.name || ''!''; return new; end'",
    )
    await target.query(
      'create trigger spoil before insert on projects for each row execute function spoil()',
    )
    expect(await moveData(target.settings)).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('The table projects differs after it was copied'),
    })
    expect(await countOfUsers(target)).toBe(0)
  })

  test('refuses another master secret, a folder in use and one that is unused; nothing is stored', async () => {
    const target = await newTarget()
    expect(
      await moveData({ ...target.settings, ASSAY_SECRET: 'another secret'.padEnd(32, '.') }),
    ).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('ASSAY_SECRET is not the master secret'),
    })
    const lock = lockDataFolder(dataDir)
    expect(await moveData(target.settings)).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('in use by another process'),
    })
    lock.release()
    const unused = join(dataDir, 'new')
    const onUnused = { ...target.settings, ASSAY_DATA_DIR: unused }
    expect(await moveData(onUnused)).toMatchObject({
      code: 1,
      complaint: `There is no folder ${unused}. Set ASSAY_DATA_DIR to the one to move.`,
    })
    expect(existsSync(unused)).toBe(false)
    mkdirSync(unused)
    expect(await moveData(onUnused)).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('nothing to move'),
    })
    expect(await moveData({ ASSAY_DATA_DIR: dataDir })).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('Set ASSAY_DATABASE_URL'),
    })
    expect(await countOfUsers(target)).toBe(0)
  })

  test('refuses a file of another version, and a damaged table by its name; nothing is stored', async () => {
    const target = await newTarget()
    const db = new DatabaseSync(join(dataDir, 'accounts.sqlite'))
    const [{ name } = {}] = db.prepare('SELECT max(name) AS name FROM migrations').all()
    db.prepare('DELETE FROM migrations WHERE name = ?').run(String(name))
    expect(await moveData(target.settings)).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('another version'),
    })
    db.prepare("INSERT INTO migrations VALUES (?, '')").run(String(name))
    const { rootpage, page_size } = {
      ...db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'chat_messages'").get(),
      ...db.prepare('PRAGMA page_size').get(),
    } as { rootpage: number; page_size: number }
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    db.close()
    const file = openSync(join(dataDir, 'accounts.sqlite'), 'r+')
    writeSync(file, Buffer.alloc(page_size, 0xff), 0, page_size, (rootpage - 1) * page_size)
    closeSync(file)
    expect(await moveData(target.settings)).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('The table chat_messages'),
    })
    expect(await countOfUsers(target)).toBe(0)
  })
})
