import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/*
 * The data folder belongs to one process. The lock is SQLite's own file lock, held by an open transaction:
 * the system releases it when the process ends, however it ends, so there is never a stale one to steal.
 */

export interface DataFolder {
  readonly path: string
  release(): void
}

// A connection that nothing refers to is closed by the garbage collector, and its lock with it.
const openLocks = new Set<DatabaseSync>()

/** Creates the folder if need be and locks it; throws a one-line error when another process has it. */
export function lockDataFolder(path: string): DataFolder {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const lock = new DatabaseSync(join(path, 'lock.sqlite'), { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    throw new Error(`The data folder ${path} is in use by another process.`, { cause })
  }
  openLocks.add(lock)
  return {
    path,
    release() {
      openLocks.delete(lock)
      lock.close()
    },
  }
}
