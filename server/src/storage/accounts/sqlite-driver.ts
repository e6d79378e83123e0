import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'

/*
 * The driver of one SQLite connection for Kysely. Statements run at once, and one transaction at a time; a commit
 * resolves when it is on disk, while others already use the database. They may see changes that a power failure
 * can still undo, but nothing is acknowledged before it is on disk.
 */

export interface AccountsFile {
  prepare(text: string): PreparedStatement
  /** Resolves when all commits are on disk. */
  sync(): Promise<void>
  /** Writes all commits to the database file and syncs it; throws inside a transaction. */
  checkpoint(): void
  close(): Promise<void>
}

export interface PreparedStatement {
  /** Whether it may change the database. */
  readonly changes: boolean
  execute(values: readonly unknown[]): QueryResult<unknown>
}

export function sqliteDriver(openFile: () => AccountsFile): Driver {
  let file: AccountsFile
  let transaction:
    | { readonly by: DatabaseConnection; readonly ended: PromiseWithResolvers<void> }
    | undefined
  let hasUnsyncedFrames = false

  /** Check it in the same tick as what needs the turn: `while (waitFor(me)) await waitFor(me)`. */
  function waitFor(connection?: DatabaseConnection): Promise<void> | undefined {
    const isFree = transaction === undefined || transaction.by === connection
    return isFree ? undefined : transaction?.ended.promise
  }

  function endTransaction(): void {
    transaction?.ended.resolve()
    transaction = undefined
  }

  async function reachDisk(): Promise<void> {
    try {
      await file.sync()
    } catch (error) {
      hasUnsyncedFrames = true
      throw error
    }
    if (!hasUnsyncedFrames) return
    // The system may have dropped what an earlier sync could not write, although a later one succeeds. Without those
    // frames SQLite would not find the later ones, so everything must first reach the database file.
    while (waitFor()) await waitFor()
    file.checkpoint()
    hasUnsyncedFrames = false
  }

  const newConnection = (): DatabaseConnection => ({
    async executeQuery<R>({ sql, parameters }: CompiledQuery) {
      while (waitFor(this)) await waitFor(this)
      const statement = file.prepare(sql)
      const result = statement.execute(parameters)
      if (statement.changes && transaction === undefined) await reachDisk()
      return result as QueryResult<R>
    },
    streamQuery() {
      throw new Error('statements on accounts return all rows at once')
    },
  })

  return {
    async init() {
      file = openFile()
    },
    acquireConnection: async () => newConnection(),
    async releaseConnection() {},
    async beginTransaction(connection) {
      while (waitFor()) await waitFor()
      file.prepare('begin').execute([])
      transaction = { by: connection, ended: Promise.withResolvers() }
    },
    async commitTransaction() {
      file.prepare('commit').execute([])
      endTransaction()
      await reachDisk()
    },
    async rollbackTransaction(connection) {
      // Kysely also rolls back after a commit that did not reach the disk, when others may have their turn.
      if (transaction?.by !== connection) return
      try {
        file.prepare('rollback').execute([])
      } finally {
        endTransaction()
      }
    },
    destroy: () => file.close(),
  }
}
