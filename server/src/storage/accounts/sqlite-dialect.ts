import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
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
import { openLogSync } from './log-sync.ts'
import { type AccountsFile, type PreparedStatement, sqliteDriver } from './sqlite-driver.ts'

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

/** Commits are on disk when they resolve, and foreign keys are enforced. */
export function sqliteDialect(file: string, damage: Damage): Dialect {
  return dialectOf(() => openAccountsFile(file, damage))
}

/** Opens the file when it is first used. */
export function dialectOf(openFile: () => AccountsFile): Dialect {
  return {
    createAdapter: () => new Adapter(),
    createDriver: () => sqliteDriver(openFile),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** Statements do not wait for a commit of others to reach the disk: the driver takes turns itself. */
class Adapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

export function openAccountsFile(file: string, damage: Damage): AccountsFile {
  const database = new DatabaseSync(file, {
    timeout: lockWaitMs,
    enableForeignKeyConstraints: true,
  })
  database.exec('pragma journal_mode = wal')
  // SQLite syncs only around checkpoints. The log is synced after each commit, without blocking the process.
  database.exec('pragma synchronous = normal')
  const log = openLogSync(`${file}-wal`)
  const cache = new Map<string, PreparedStatement>()
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
      const statement = attempt(() => prepared(text, database.prepare(text), attempt))
      const oldest = cache.size < cachedStatementsMax ? undefined : cache.keys().next().value
      if (oldest !== undefined) cache.delete(oldest)
      cache.set(text, statement)
      return statement
    },
    sync: () => log.sync(),
    checkpoint() {
      const [result] = attempt(() => database.prepare('pragma wal_checkpoint(truncate)').all())
      if (result?.['busy'] !== 0) throw new Unavailable('The accounts file is locked.', 1)
    },
    async close() {
      await log.close()
      database.close()
    },
  }
}

const storeName = 'accounts'

const writes = /^(?:begin|insert|update|delete)\b/
/** Whatever is not known to only read. */
const changes = /^(?!select\b|begin\b|rollback\b)/

function prepared(text: string, statement: StatementSync, attempt: Attempt): PreparedStatement {
  const hasRows = statement.columns().length > 0
  return {
    changes: changes.test(text),
    execute: (values) =>
      attempt(() => {
        if (hasRows) return { rows: statement.all(...bound(values)) }
        const { changes: rowCount, lastInsertRowid } = statement.run(...bound(values))
        return {
          ...{ rows: [], numAffectedRows: BigInt(rowCount) },
          insertId: BigInt(lastInsertRowid),
        }
      }),
  }
}

const nothing: PreparedStatement = { changes: false, execute: () => ({ rows: [] }) }

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
