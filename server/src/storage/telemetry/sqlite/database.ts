import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { foldCase } from '../../../domain/letter-case.ts'
import { scaleToMemory } from '../../../platform/scale-to-memory.ts'

/*
 * Connections to telemetry.sqlite: one writer (telemetry-file.ts), any number of readers.
 */

const readerCacheKib = scaleToMemory(32 * 1024)
/**
 * How long another program, such as a backup, may lock the file before the store reports that it is busy.
 */
export const busyTimeoutMs = 1000

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
export function addFunctions(db: DatabaseSync): void {
  db.function('has_part', { deterministic: true }, (text, part) =>
    foldCase(String(text)).includes(String(part)) ? 1 : 0,
  )
}
