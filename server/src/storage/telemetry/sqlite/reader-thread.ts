import { workerData } from 'node:worker_threads'
import { attachSearch, openToRead } from './database.ts'
import { openReads, type Reads } from './reads.ts'
import { type StorageError, toStorageError } from './storage-errors.ts'
import { serveThread } from './thread.ts'

/*
 * A thread that reads, one question after the other.
 */

export interface ReaderSettings {
  readonly file: string
  readonly searchFile: string
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

/** The other message: the search index is in another file of the same name. */
export type ToReader = ReadRequest | 'search-renewed'

serveThread<ToReader>((port) => {
  const { file, searchFile } = workerData as ReaderSettings
  const db = openToRead(file, searchFile)
  const reads = openReads(db)
  let isRebuilt = false
  const execute = ({ id, name, args }: ReadRequest): FromReader => {
    try {
      if (isRebuilt) attachSearch(db, searchFile)
      isRebuilt = false
      const read = reads[name] as (...given: typeof args) => ReadResult
      return { id, result: read(...args) }
    } catch (error) {
      return { id, storageError: toStorageError(error) }
    }
  }
  return {
    onMessage(message) {
      if (message === 'search-renewed') isRebuilt = true
      else port.postMessage(execute(message))
    },
    close: () => db.close(),
  }
})
