import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { backUpFolder } from './backup.ts'
import { markDataFile } from './data-file.ts'
import { writeSecretFile } from './secret-file.ts'
import { folderOfTest } from './telemetry/sqlite/test-store.ts'

/** A data folder with some rows, and the path of a backup that does not exist yet. */
function usedFolder() {
  const parent = folderOfTest()
  const dataDir = join(parent, 'data')
  mkdirSync(dataDir)
  for (const name of ['accounts.sqlite', 'telemetry.sqlite']) {
    const file = join(dataDir, name)
    markDataFile(file, 'one')
    const db = new DatabaseSync(file)
    db.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (word TEXT) STRICT')
    db.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO t SELECT 'word ' || i FROM n`)
    db.close()
  }
  writeSecretFile(dataDir, ['a secret'])
  return { parent, dataDir, target: join(parent, 'backup') }
}

const backUp = (dataDir: string, target: string) => {
  const shares: [file: string, share: number][] = []
  const settings = { dataDir, databaseUrl: undefined }
  const done = backUpFolder(settings, target, (...share) => shares.push(share))
  return done.then(() => shares)
}

/** Without what readers of a database leave beside it. */
const namesIn = (folder: string) => readdirSync(folder).filter((name) => !/-(wal|shm)$/.test(name))

const wordsIn = (file: string) => {
  const db = new DatabaseSync(file, { readOnly: true })
  const count = db.prepare('SELECT count(*) AS words FROM t').get()?.['words']
  db.close()
  return count
}

test('a backup has the rows as of its start, the secret, and reports how far it is', async () => {
  const { dataDir, target } = usedFolder()
  const writer = new DatabaseSync(join(dataDir, 'telemetry.sqlite'))
  const backedUp = backUp(dataDir, target)
  writer.exec("INSERT INTO t VALUES ('written meanwhile'); DELETE FROM t WHERE rowid < 100")
  const shares = await backedUp
  writer.close()
  expect(wordsIn(join(target, 'telemetry.sqlite'))).toBe(20_000)
  expect(wordsIn(join(target, 'accounts.sqlite'))).toBe(20_000)
  expect(readFileSync(join(target, 'secret'), 'utf8')).toBe('a secret\n')
  expect(new Set(shares.map(([file]) => file))).toEqual(
    new Set(['accounts.sqlite', 'telemetry.sqlite']),
  )
  expect(shares.at(-1)).toEqual(['telemetry.sqlite', 1])
})

test('a backup keeps the secrets of a rotation that ends meanwhile', async () => {
  const { dataDir, target } = usedFolder()
  writeSecretFile(dataDir, ['new', 'old'])
  const backedUp = backUp(dataDir, target)
  writeSecretFile(dataDir, ['new'])
  await backedUp
  expect(readFileSync(join(target, 'secret'), 'utf8')).toBe('new\nold\n')
})

test.each<[string, string, (folders: ReturnType<typeof usedFolder>) => string]>([
  [
    'a folder that is not empty',
    'is not empty. Choose a new one.',
    ({ dataDir }) => join(dataDir, '..'),
  ],
  ['the data folder', 'cannot be in the data folder', ({ dataDir }) => dataDir],
  [
    'a folder in the data folder',
    'cannot be in the data folder',
    ({ dataDir }) => join(dataDir, 'backup'),
  ],
  [
    'a folder that cannot be created',
    'secret/backup',
    ({ dataDir, parent }) => {
      writeFileSync(join(parent, 'secret'), readFileSync(join(dataDir, 'secret')))
      return join(parent, 'secret', 'backup')
    },
  ],
])('is not made in %s, which stays as it is', async (_where, problem, targetOf) => {
  const folders = usedFolder()
  const target = targetOf(folders)
  const names = () => [folders.parent, folders.dataDir].map(namesIn)
  const before = names()
  await expect(backUp(folders.dataDir, target)).rejects.toThrow(problem)
  expect(names()).toEqual(before)
})

test('a damaged or missing database is named, and no folder is left', async () => {
  const { dataDir, parent, target } = usedFolder()
  const file = join(dataDir, 'telemetry.sqlite')
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.fill(0x5a, 8192, 40_000))
  await expect(backUp(dataDir, target)).rejects.toThrow('is damaged')
  truncateSync(file, 0)
  await expect(backUp(dataDir, target)).rejects.toThrow('is empty: there is nothing to back up.')
  expect(readdirSync(parent)).toEqual(['data'])
})
