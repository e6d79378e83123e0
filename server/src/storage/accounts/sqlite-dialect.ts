import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { SqliteDialect } from 'kysely'
import { toStorableText } from '../../domain/json-text.ts'
import { Unavailable } from '../../platform/failure.ts'

/*
 * Kysely over the SQLite that Node brings. Statements are prepared once and kept by their text, and a
 * database that is locked or cannot be written to is `Unavailable`, not a defect.
 */

/** A statement waits this long for another process's lock. The whole server waits with it, so it is short. */
const lockWaitMs = 100

/** Far more than there are statements; only ones with lists of varying length could exceed it. */
const keptStatements = 256

/** Commits are on the disk when they return, and foreign keys hold. */
export function sqliteDialect(file: string): SqliteDialect {
  return new SqliteDialect({
    database: () => Promise.resolve(opened(file)),
  })
}

function opened(file: string) {
  const database = new DatabaseSync(file, {
    timeout: lockWaitMs,
    enableForeignKeyConstraints: true,
  })
  database.exec('pragma journal_mode = wal')
  database.exec('pragma synchronous = full')
  const kept = new Map<string, ReturnType<typeof kyselyForm>>()

  return {
    prepare(text: string) {
      // SQLite ends a transaction by itself when the disk is full; Kysely then still rolls it back.
      if (text === 'rollback' && !database.isTransaction) return nothing
      const known = kept.get(text)
      if (known !== undefined) return known
      const statement = asUnavailable(() => kyselyForm(database.prepare(text)))
      const oldest = kept.size < keptStatements ? undefined : kept.keys().next().value
      if (oldest !== undefined) kept.delete(oldest)
      kept.set(text, statement)
      return statement
    },
    close: () => database.close(),
  }
}

function kyselyForm(statement: StatementSync) {
  const reader = statement.columns().length > 0
  return {
    reader,
    all: (values: readonly unknown[]) => asUnavailable(() => statement.all(...bound(values))),
    run: (values: readonly unknown[]) => asUnavailable(() => statement.run(...bound(values))),
    iterate: (values: readonly unknown[]) => statement.iterate(...bound(values)),
  }
}

const nothing = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [].values(),
}

function bound(values: readonly unknown[]): SQLInputValue[] {
  return values.map((value) =>
    typeof value === 'string' ? toStorableText(value) : value,
  ) as SQLInputValue[]
}

/** SQLite's primary result codes that tell of the moment or the machine: busy, locked, read-only, I/O error, full, cannot open. */
const passing = new Set([5, 6, 8, 10, 13, 14])

function asUnavailable<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
    if (!passing.has(code)) throw error
    throw new Unavailable('The accounts store is busy or cannot be written to.', 1, {
      cause: error,
    })
  }
}
