import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { toFileError } from './file-errors.ts'

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

/** Creates the folder if needed and locks it; throws a one-line error when that fails or another process uses it. */
export function lockDataFolder(path: string): DataFolder {
  const lock = takeLock(path)
  openLocks.add(lock)
  return {
    path,
    release() {
      openLocks.delete(lock)
      lock.close()
    },
  }
}

/** Primary result codes of SQLite. */
const busy = 5
const notADatabase = 26

function takeLock(path: string): DatabaseSync {
  const file = join(path, 'lock.sqlite')
  let lock: DatabaseSync | undefined
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    lock = new DatabaseSync(file, { timeout: 0 })
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (cause) {
    lock?.close()
    const { errcode, code } = cause as { readonly errcode?: number; readonly code?: unknown }
    if (errcode === busy) {
      throw new Error(`The data folder ${path} is in use by another process.`, { cause })
    }
    if (errcode === notADatabase) {
      throw new Error(`${file} is damaged. It has no data: delete it.`, { cause })
    }
    if (code === 'EEXIST' || code === 'ENOTDIR') {
      throw new Error(`The data folder ${path} is not a directory. Set ASSAY_DATA_DIR to one.`, {
        cause,
      })
    }
    throw toFileError(errcode === undefined ? path : file, cause)
  }
}
