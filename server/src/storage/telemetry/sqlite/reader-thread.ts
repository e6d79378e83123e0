import { workerData } from 'node:worker_threads'
import { runBelowMainThread } from '../../../platform/thread-priority.ts'
import { attachSearch, openToRead } from './database.ts'
import { openReadLimits } from './read-limits.ts'
import { openReads, type Reads } from './reads.ts'
import { type StorageError, toStorageError } from './storage-errors.ts'
import { serveThread } from './thread.ts'

/*
 * A thread that executes reads, one at a time.
 */

export interface ReaderSettings {
  readonly file: string
  readonly searchFile: string
}

interface ReaderData extends ReaderSettings {
  /** The id of the read that is to stop, in memory that both threads share. */
  readonly stoppedId: Int32Array
}

export type ReadName = keyof Reads
export type ReadResult = ReturnType<Reads[ReadName]>

export interface ReadRequest<Name extends ReadName = ReadName> {
  readonly id: number
  readonly name: Name
  readonly args: Parameters<Reads[Name]>
}

export type FromReader =
  | { readonly id: number; readonly result: ReadResult }
  | { readonly id: number; readonly storageError: StorageError }

/** `search-rebuilt`: the search index has been replaced by another file of the same name. */
export type ToReader = ReadRequest | 'search-rebuilt'

serveThread<ToReader>((port) => {
  runBelowMainThread()
  const { file, searchFile, stoppedId } = workerData as ReaderData
  const db = openToRead(file, searchFile)
  let currentId = 0
  const limits = openReadLimits(db, () => Atomics.load(stoppedId, 0) === currentId)
  const reads = openReads(db, limits)
  let isRebuilt = false
  const execute = ({ id, name, args }: ReadRequest): FromReader => {
    currentId = id
    try {
      limits.check()
      if (isRebuilt) attachSearch(db, searchFile)
      isRebuilt = false
      const read = reads[name] as (...params: typeof args) => ReadResult
      return { id, result: read(...args) }
    } catch (error) {
      return { id, storageError: toStorageError(error) }
    }
  }
  return {
    onMessage(message) {
      if (message === 'search-rebuilt') isRebuilt = true
      else {
        const reply = execute(message)
        port.postMessage(reply, 'result' in reply ? listTransferred(reply.result) : [])
      }
    },
    close: () => db.close(),
  }
})

/** Large results are transferred: a copy would take the event loop time. */
function listTransferred(result: ReadResult): ArrayBuffer[] {
  const isObject = typeof result === 'object' && result !== null
  return isObject && 'json' in result ? [result.json.buffer] : []
}
