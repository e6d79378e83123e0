import { closeSync, existsSync, openSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { foldCase } from '../../../domain/letter-case.ts'
import { explainingErrors } from '../../file-errors.ts'
import { firstVersion, migrations } from './migrations.ts'

/*
 * Connections to telemetry.sqlite: one writer, any number of readers.
 */

// Of 4, 8 and 16 KiB, the one that wastes least space next to blocks of about 10 KB: a fifth less on disk
// than 16, and faster than 4.
const pageBytes = 8 * 1024
const writerCacheKib = 64 * 1024
const readerCacheKib = 32 * 1024
/** The size to which the write-ahead log is truncated after a long read has let it grow. */
const walSizeLimitBytes = 64 * 1024 * 1024
/**
 * How long another program, such as a backup, may lock the file before the store reports that it is busy.
 */
export const busyTimeoutMs = 1000

/** Opens the file for writing, creates it if necessary and migrates it. Errors are one line that names the file. */
export function openToWrite(file: string): DatabaseSync {
  return explainingErrors(file, () => openAndMigrate(file))
}

function openAndMigrate(file: string): DatabaseSync {
  // The file has users' conversations with agents: only its owner can read it. SQLite gives its side files
  // the same mode.
  closeSync(openSync(file, 'a', 0o600))
  const db = new DatabaseSync(file, { timeout: busyTimeoutMs })
  try {
    db.exec(`PRAGMA page_size = ${pageBytes}`)
    const mode = db.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode']
    if (mode !== 'wal') {
      throw new Error(
        `The telemetry file ${file} cannot be used: its file system does not support shared memory between processes, as is the case for network file systems. Choose another data folder.`,
      )
    }
    db.exec(`
      PRAGMA synchronous = FULL;
      PRAGMA wal_autocheckpoint = 0;
      PRAGMA journal_size_limit = ${walSizeLimitBytes};
      PRAGMA cache_size = -${writerCacheKib};
    `)
    migrate(db)
    addFunctions(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** With `searchFile`, the search index is attached as `search`. */
export function openToRead(file: string, searchFile?: string): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs })
  if (searchFile !== undefined) attachSearch(db, searchFile)
  db.exec(`PRAGMA cache_size = -${readerCacheKib}`)
  addFunctions(db)
  return db
}

/** Detaches the previous one first. Not within a transaction. */
export function attachSearch(db: DatabaseSync, file: string): void {
  const attached = db.prepare('PRAGMA database_list').all()
  if (attached.some(({ name }) => name === 'search')) db.exec('DETACH search')
  db.prepare('ATTACH ? AS search').run(file)
}

export function setBusyTimeout(db: DatabaseSync, milliseconds: number): void {
  db.exec(`PRAGMA busy_timeout = ${milliseconds}`)
}

/** Prepares a statement that returns rows as arrays, in the order of its columns. */
export function prepareRows(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  return statement
}

export function readRows<Row>(
  statement: StatementSync,
  bindings: Record<string, SQLInputValue>,
): Row[] {
  return statement.all(bindings) as unknown as Row[]
}

/** Iterates over the rows, for results that may not fit in memory. */
export function* iterateRows<Row>(
  statement: StatementSync,
  bindings: Record<string, SQLInputValue>,
): Generator<Row, void> {
  try {
    yield* statement.iterate(bindings) as Iterable<unknown> as Iterable<Row>
  } catch (error) {
    // After a failure the next call fails as well.
    try {
      statement.get(bindings)
    } catch {
      // As expected.
    }
    throw error
  }
}

/**
 * `has_part`: whether a text contains another, ignoring case for all letters. The second one is already
 * case-folded.
 */
function addFunctions(db: DatabaseSync): void {
  db.function('has_part', { deterministic: true }, (text, part) =>
    foldCase(String(text)).includes(String(part)) ? 1 : 0,
  )
}

/** Throws when the file was last used by a version that is not supported. Changes nothing. */
export function checkVersion(file: string): void {
  if (!existsSync(file)) return
  explainingErrors(file, () => {
    const db = new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs })
    try {
      readVersion(db)
    } finally {
      db.close()
    }
  })
}

function migrate(db: DatabaseSync): void {
  const storedVersion = readVersion(db)
  for (const [index, migration] of migrations.entries()) {
    const version = firstVersion + index
    if (version <= storedVersion) continue
    db.exec(`BEGIN IMMEDIATE; ${migration}; PRAGMA user_version = ${version}; COMMIT;`)
  }
}

function readVersion(db: DatabaseSync): number {
  const storedVersion = Number(db.prepare('PRAGMA user_version').get()?.['user_version'])
  const lastVersion = firstVersion + migrations.length - 1
  // A new file has 0.
  if (storedVersion !== 0 && (storedVersion < firstVersion || storedVersion > lastVersion)) {
    throw new Error(
      `The telemetry file was last used by a newer version of Assay or a build from before the first release (its schema version is ${storedVersion}, that of this version is ${lastVersion}). Start that version, or restore a backup from before the upgrade.`,
    )
  }
  return storedVersion
}
