import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/*
 * The data folder is used by one process at a time. The lock is an open transaction of SQLite: the operating system
 * releases it whenever the process ends, so there are no stale locks.
 */

export interface DataFolder {
  readonly path: string
  release(): void
}

// The garbage collector closes an unreferenced connection and releases its lock.
const openLocks = new Set<DatabaseSync>()

/** Creates the folder if needed and locks it; throws a one-line error when another process uses it. */
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
