import { constants, setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'
import { openToRead } from '../database.ts'
import { isCorruption, type StorageError, toStorageError } from '../storage-errors.ts'
import { serveThread } from '../thread.ts'
import { openRenewedIndex } from './renewed-index.ts'

/*
 * The thread that keeps the search index. It is told of commits and answers how far it has come.
 */

export interface SearchSettings {
  readonly file: string
  readonly telemetryFile: string
}

/** The number of a commit that it is to take in, or that a reader has found a file damaged. */
export type ToSearch = number | 'check'

export type FromSearch =
  | { readonly type: 'taken'; readonly upTo: number; readonly changes: number }
  /** The index was damaged. There is a new file, and nothing is in it yet. */
  | { readonly type: 'renewed' }
  | { readonly type: 'failed'; readonly storageError: StorageError }

/** After a failure, say on a full disk. */
const pauseMs = 5000

serveThread<ToSearch>((port) => {
  giveWay()
  const { file, telemetryFile } = workerData as SearchSettings
  const tell = (message: FromSearch) => port.postMessage(message)
  const telemetry = openToRead(telemetryFile)
  const indexer = openRenewedIndex(file, telemetry, () => tell({ type: 'renewed' }))
  let told = 0
  let isDoubted = false
  let isClosed = false
  let pending: NodeJS.Timeout | NodeJS.Immediate | undefined

  const work = () => {
    pending = undefined
    if (isClosed) return
    // What is committed before a round begins, that round or a later one takes in.
    const upTo = told
    try {
      if (isDoubted) indexer.check()
      isDoubted = false
      if (indexer.round()) {
        pending = setImmediate(work)
        return
      }
      tell({ type: 'taken', upTo, changes: indexer.takenChanges })
      if (told > upTo) pending = setImmediate(work)
    } catch (error) {
      isDoubted = isCorruption(error)
      tell({ type: 'failed', storageError: toStorageError(error) })
      pending = setTimeout(work, pauseMs)
    }
  }
  work()
  return {
    onMessage(message) {
      if (message === 'check') isDoubted = true
      else told = message
      pending ??= setImmediate(work)
    },
    close() {
      isClosed = true
      if (pending !== undefined) {
        clearImmediate(pending as NodeJS.Immediate)
        clearTimeout(pending as NodeJS.Timeout)
      }
      indexer.close()
      telemetry.close()
    },
  }
})

/**
 * Words may wait, spans may not: of a busy processor the index gets a tenth of what others get, which keeps it from
 * standing still. On Linux a priority is a thread's own; elsewhere it would be the whole process's, and is left.
 */
function giveWay(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
}
