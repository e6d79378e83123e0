import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { SqliteDialect } from 'kysely'
import { toStorableText } from '../../domain/json-text.ts'
import { Unavailable } from '../../platform/failure.ts'
import { filesOfDatabase, watchFiles } from '../file-watch.ts'

/*
 * Kysely with the SQLite of Node. Prepared statements are cached by their text, and a database that is
 * locked or cannot be written rejects with `Unavailable`.
 */

/**
 * How long a statement waits for the lock of another process. It is short, because the whole server waits
 * with it.
 */
const lockWaitMs = 100

/** Far more than there are statements; only those with lists of varying length could exceed it. */
const cachedStatementsMax = 256

/** Commits are synced to disk, and foreign keys are enforced. */
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
  const cache = new Map<string, ReturnType<typeof kyselyForm>>()
  const findChangedFile = watchFiles(filesOfDatabase(file))

  return {
    prepare(text: string) {
      // Writing to a file that was deleted or replaced seems to succeed, but is lost with the next restart.
      if (writes.test(text) && findChangedFile() !== undefined) {
        throw new Unavailable('The accounts file is missing or was replaced.', 10)
      }
      // SQLite rolls back by itself when the disk is full; Kysely still sends its rollback.
      if (text === 'rollback' && !database.isTransaction) return nothing
      const cached = cache.get(text)
      if (cached !== undefined) return cached
      const statement = asUnavailable(() => kyselyForm(database.prepare(text)))
      const oldest = cache.size < cachedStatementsMax ? undefined : cache.keys().next().value
      if (oldest !== undefined) cache.delete(oldest)
      cache.set(text, statement)
      return statement
    },
    close: () => database.close(),
  }
}

const writes = /^(?:begin|insert|update|delete)\b/

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

/**
 * Primary result codes of SQLite for temporary failures: busy, locked, read-only, I/O error, full, cannot
 * open.
 */
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
