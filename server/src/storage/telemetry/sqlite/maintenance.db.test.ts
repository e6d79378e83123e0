import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openMaintenance } from './maintenance.ts'
import { openToWrite } from './telemetry-file.ts'
import { folderOfTest } from './test-store.ts'

test('the writer waits long for readers of a huge log at most once a minute', () => {
  const file = join(folderOfTest(), 'telemetry.sqlite')
  const db = openToWrite(file)
  const reader = new DatabaseSync(file, { readOnly: true })
  onTestFinished(() => {
    reader.close()
    db.close()
  })
  db.exec('CREATE TABLE large (content BLOB)')
  reader.exec('BEGIN; SELECT count(*) FROM large')
  const timeouts: number[] = []
  const exec = db.exec.bind(db)
  db.exec = (sql) => {
    const timeout = /busy_timeout = (\d+)/.exec(sql)?.[1]
    // Waiting itself is SQLite's affair.
    if (timeout === undefined) exec(sql)
    else timeouts.push(Number(timeout))
  }
  exec('PRAGMA busy_timeout = 0')
  const pageSize = Number(db.prepare('PRAGMA page_size').get()?.['page_size'])
  let now = 0
  const maintenance = openMaintenance(db, { unusedRows: { deleteSome: () => false } }, () => now)
  const grow = (pages: number) => {
    db.exec(`INSERT INTO large VALUES (zeroblob(${pages * pageSize}))`)
    maintenance.onBusy()
    return timeouts.splice(0)[0]
  }
  expect(grow(3000)).toBe(100)
  expect(grow(33_000)).toBe(2000)
  expect(grow(3000)).toBe(100)
  now = 59_999
  expect(grow(3000)).toBe(100)
  now = 60_000
  expect(grow(3000)).toBe(2000)
})
