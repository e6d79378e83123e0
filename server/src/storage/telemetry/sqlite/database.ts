import { closeSync, openSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { foldCase } from '../../../domain/letter-case.ts'
import { migrations } from './migrations.ts'

/*
 * Connections to telemetry.sqlite: one that writes, any number that read.
 */

// Of 4, 8 and 16 KiB the one that leaves least of a page empty beside blocks of about 10 KB: a fifth less on
// disk than 16, and faster than 4.
const pageBytes = 8 * 1024
const writerCacheKib = 64 * 1024
const readerCacheKib = 32 * 1024
/** What the log is cut back to after a long read had kept it growing. */
const walSizeLimitBytes = 64 * 1024 * 1024
/** How long another program, say a backup, may hold the file before the store answers that it is busy. */
export const busyTimeoutMs = 1000

/** Opens the file to write, creates it if need be and brings it to the newest form. */
export function openToWrite(file: string): DatabaseSync {
  // What people said to agents is in it: nobody but the owner reads it. SQLite gives its side files the same mode.
  closeSync(openSync(file, 'a', 0o600))
  const db = new DatabaseSync(file, { timeout: busyTimeoutMs })
  try {
    db.exec(`PRAGMA page_size = ${pageBytes}`)
    const mode = db.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode']
    if (mode !== 'wal') {
      throw new Error(
        `The telemetry file ${file} cannot be used: its file system does not let processes share memory, as network file systems do not. Choose another data folder.`,
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

/** With `searchFile`, the search index is there as `search`. */
export function openToRead(file: string, searchFile?: string): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs })
  if (searchFile !== undefined) attachSearch(db, searchFile)
  db.exec(`PRAGMA cache_size = -${readerCacheKib}`)
  addFunctions(db)
  return db
}

/** Lets go of the one that was attached before. Not within a transaction. */
export function attachSearch(db: DatabaseSync, file: string): void {
  const attached = db.prepare('PRAGMA database_list').all()
  if (attached.some(({ name }) => name === 'search')) db.exec('DETACH search')
  db.prepare('ATTACH ? AS search').run(file)
}

export function setBusyTimeout(db: DatabaseSync, milliseconds: number): void {
  db.exec(`PRAGMA busy_timeout = ${milliseconds}`)
}

/** Prepares a statement whose rows come as arrays, in the order of its columns. */
export function prepareRows(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  return statement
}

export function rowsOf<Row>(
  statement: StatementSync,
  bindings: Record<string, SQLInputValue>,
): Row[] {
  return statement.all(bindings) as unknown as Row[]
}

/** The rows as they are found, for results that may be too large for memory. */
export function* iterateRows<Row>(
  statement: StatementSync,
  bindings: Record<string, SQLInputValue>,
): Generator<Row, void> {
  try {
    yield* statement.iterate(bindings) as Iterable<unknown> as Iterable<Row>
  } catch (error) {
    // After a failure the next call fails once more.
    try {
      statement.get(bindings)
    } catch {
      // As expected.
    }
    throw error
  }
}

/** `has_part`: whether a text contains another, which comes without case already, in any case of any letter. */
function addFunctions(db: DatabaseSync): void {
  db.function('has_part', { deterministic: true }, (text, part) =>
    foldCase(String(text)).includes(String(part)) ? 1 : 0,
  )
}

function migrate(db: DatabaseSync): void {
  const storedVersion = Number(db.prepare('PRAGMA user_version').get()?.['user_version'])
  if (storedVersion > migrations.length) {
    throw new Error(
      `The telemetry file was last used by a newer version of Assay (its form is ${storedVersion}, this version knows ${migrations.length}). Start that version, or restore a backup from before the upgrade.`,
    )
  }
  for (const [index, migration] of migrations.entries()) {
    if (index < storedVersion) continue
    db.exec(`BEGIN IMMEDIATE; ${migration}; PRAGMA user_version = ${index + 1}; COMMIT;`)
  }
}
