import { type FileHandle, open } from 'node:fs/promises'
import { Unavailable } from '../../platform/failure.ts'

/*
 * Syncs the write-ahead log of a SQLite database outside the event loop. Its frames are chained by checksums, so a
 * commit survives a power failure once the log is synced up to its end (https://sqlite.org/fileformat2.html#walformat).
 */

export interface LogSync {
  /**
   * Resolves when everything written before the call is on disk; calls that wait share one sync. Rejects with
   * `Unavailable` when the disk fails.
   */
  sync(): Promise<void>
  close(): Promise<void>
}

/** The log is opened at the first sync: SQLite creates it with the first transaction, and keeps it until it closes. */
export function openLogSync(path: string): LogSync {
  let handle: FileHandle | undefined
  let latest: Promise<unknown> = Promise.resolve()
  let waiting: Promise<void> | undefined

  async function syncNow(): Promise<void> {
    waiting = undefined
    try {
      handle ??= await openIfExists(path)
      await handle?.datasync()
    } catch (error) {
      throw new Unavailable('The disk of the accounts store does not respond.', 5, { cause: error })
    }
  }

  return {
    sync() {
      if (waiting === undefined) {
        waiting = latest.then(syncNow)
        latest = waiting.catch(() => {})
      }
      return waiting
    },
    async close() {
      await latest
      await handle?.close()
    },
  }
}

/** Undefined before the first transaction. */
async function openIfExists(path: string): Promise<FileHandle | undefined> {
  try {
    // Windows syncs only what is open for writing.
    return await open(path, 'r+')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
