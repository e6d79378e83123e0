import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { SqliteDialect } from 'kysely'
import { toStorableText } from '../../domain/json-text.ts'
import { Unavailable } from '../../platform/failure.ts'
import type { Damage } from '../damage.ts'
import { filesOfDatabase, watchFiles } from '../file-watch.ts'
import {
  damagedFailure,
  type FileFailure,
  findFileFailure,
  isCorruption,
} from '../sqlite-errors.ts'

/*
 * Kysely with the SQLite of Node. Prepared statements are cached by their text, and a database that is
 * damaged, locked or cannot be written rejects with `Unavailable`.
 */

/**
 * How long a statement waits for the lock of another process. It is short, because the whole server waits
 * with it.
 */
const lockWaitMs = 100

/** Far more than there are statements; only those with lists of varying length could exceed it. */
const cachedStatementsMax = 256

/** Commits are synced to disk, and foreign keys are enforced. */
export function sqliteDialect(file: string, damage: Damage): SqliteDialect {
  return new SqliteDialect({
    database: () => Promise.resolve(opened(file, damage)),
  })
}

function opened(file: string, damage: Damage) {
  const database = new DatabaseSync(file, {
    timeout: lockWaitMs,
    enableForeignKeyConstraints: true,
  })
  database.exec('pragma journal_mode = wal')
  database.exec('pragma synchronous = full')
  const cache = new Map<string, ReturnType<typeof kyselyForm>>()
  const findChangedFile = watchFiles(filesOfDatabase(file))
  const attempt = attempts(damage)

  return {
    prepare(text: string) {
      // SQLite rolls back by itself when the disk is full; Kysely still sends its rollback.
      if (text === 'rollback' && !database.isTransaction) return nothing
      // A damaged file can seem to lack a key or session that it has: clients would drop their data.
      if (damage.file() !== undefined && text !== 'rollback')
        throw unavailable(damagedFailure(storeName))
      // Writing to a file that was deleted or replaced seems to succeed, but is lost with the next restart.
      if (writes.test(text) && findChangedFile() !== undefined) {
        throw new Unavailable('The accounts file is missing or was replaced.', 10)
      }
      const cached = cache.get(text)
      if (cached !== undefined) return cached
      const statement = attempt(() => kyselyForm(database.prepare(text), attempt))
      const oldest = cache.size < cachedStatementsMax ? undefined : cache.keys().next().value
      if (oldest !== undefined) cache.delete(oldest)
      cache.set(text, statement)
      return statement
    },
    close: () => database.close(),
  }
}

const storeName = 'accounts'

const writes = /^(?:begin|insert|update|delete)\b/

function kyselyForm(statement: StatementSync, attempt: Attempt) {
  const reader = statement.columns().length > 0
  return {
    reader,
    all: (values: readonly unknown[]) => attempt(() => statement.all(...bound(values))),
    run: (values: readonly unknown[]) => attempt(() => statement.run(...bound(values))),
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

type Attempt = <T>(work: () => T) => T

function attempts(damage: Damage): Attempt {
  return (work) => {
    try {
      return work()
    } catch (error) {
      if (isCorruption(error)) damage.onFound()
      const failure = findFileFailure(error, storeName)
      throw failure === undefined ? error : unavailable(failure, error)
    }
  }
}

function unavailable({ message, retryAfterSeconds }: FileFailure, cause?: unknown): Unavailable {
  return new Unavailable(message, retryAfterSeconds, { cause })
}
