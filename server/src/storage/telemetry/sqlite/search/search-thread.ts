import { workerData } from 'node:worker_threads'
import { runInBackground } from '../../../../platform/thread-priority.ts'
import { isCorruption } from '../../../sqlite-errors.ts'
import { openToRead } from '../database.ts'
import { type StorageError, toStorageError } from '../storage-errors.ts'
import { serveThread } from '../thread.ts'
import { openRebuildableIndex } from './rebuildable-index.ts'

/*
 * The thread that maintains the search index. It receives commits and reports its position.
 */

export interface SearchSettings {
  readonly file: string
  readonly telemetryFile: string
}

/** The number of a commit to index, or that a reader found a damaged file. */
export type ToSearch = number | 'check'

export type FromSearch =
  | { readonly type: 'indexed'; readonly upTo: number; readonly changes: number }
  /** The index was damaged. There is a new file, and nothing is in it yet. */
  | { readonly type: 'rebuilt' }
  /** A check found no damage in the index. */
  | { readonly type: 'intact' }
  | { readonly type: 'failed'; readonly storageError: StorageError }

/** After a failure, for example on a full disk. */
const pauseMs = 5000

serveThread<ToSearch>((port) => {
  runInBackground()
  const { file, telemetryFile } = workerData as SearchSettings
  const send = (message: FromSearch) => port.postMessage(message)
  const telemetry = openToRead(telemetryFile)
  const indexer = openRebuildableIndex(file, telemetry, () => send({ type: 'rebuilt' }))
  let latestCommit = 0
  let needsCheck = false
  /** What is reported next: under steady load there is always more to index. */
  let goal: { readonly upTo: number; readonly isReached: () => boolean } | undefined
  let isClosed = false
  let scheduled: NodeJS.Timeout | NodeJS.Immediate | undefined

  const work = () => {
    scheduled = undefined
    if (isClosed) return
    try {
      if (needsCheck && indexer.check() === 'intact') send({ type: 'intact' })
      needsCheck = false
      goal ??= { upTo: latestCommit, isReached: indexer.mark() }
      const { upTo, isReached } = goal
      const hasMore = indexer.round()
      if (!hasMore || isReached()) {
        goal = undefined
        send({ type: 'indexed', upTo, changes: indexer.indexedChangeNo })
      }
      if (hasMore || latestCommit > upTo) scheduled = setImmediate(work)
    } catch (error) {
      goal = undefined
      needsCheck = isCorruption(error)
      send({ type: 'failed', storageError: toStorageError(error) })
      scheduled = setTimeout(work, pauseMs)
    }
  }
  work()
  return {
    onMessage(message) {
      if (message === 'check') needsCheck = true
      else latestCommit = message
      scheduled ??= setImmediate(work)
    },
    close() {
      isClosed = true
      if (scheduled !== undefined) {
        clearImmediate(scheduled as NodeJS.Immediate)
        clearTimeout(scheduled as NodeJS.Timeout)
      }
      indexer.close()
      telemetry.close()
    },
  }
})
