import type {
  FromReader,
  ReaderSettings,
  ReadName,
  ReadRequest,
  ReadResult,
  ToReader,
} from './reader-thread.ts'
import type { Reads } from './reads.ts'
import { fromStorageError } from './storage-errors.ts'
import { startThread } from './thread.ts'

/*
 * The main thread's end of the readers. The first is kept free of scans, so that opening a trace never waits
 * for somebody's search.
 */

export interface ReaderPool {
  /** For answers that are found at once. */
  lookup<Name extends ReadName>(name: Name, ...args: Parameters<Reads[Name]>): Read<Name>
  /** For answers that may take looking through many rows. */
  scan<Name extends ReadName>(name: Name, ...args: Parameters<Reads[Name]>): Read<Name>
  /** From the next question on they search in the new file. */
  onSearchRebuilt(): void
  /** Resolves when everything asked has been answered and the file has been let go of. */
  close(): Promise<void>
}

type Read<Name extends ReadName> = Promise<ReturnType<Reads[Name]>>

export interface ReaderEvents {
  /** A file was found damaged. */
  onCorruption(): void
  onFatal(error: Error): void
}

interface Reader {
  readonly inFlight: number
  send(request: Omit<ReadRequest, 'id'>): Promise<ReadResult>
  onSearchRebuilt(): void
  close(): Promise<void>
}

/** The second thread starts with the first question that may take long. */
export async function openReaderPool(
  settings: ReaderSettings,
  events: ReaderEvents,
): Promise<ReaderPool> {
  const first = await openReader(settings, events)
  let scanner: Promise<Reader> | undefined
  let second: Reader | undefined

  const startScanner = async () => {
    try {
      second = await openReader(settings, events)
      return second
    } catch (error) {
      // The next question tries again. A damaged index would be in its way.
      scanner = undefined
      events.onCorruption()
      throw error
    }
  }
  return {
    lookup<Name extends ReadName>(name: Name, ...args: Parameters<Reads[Name]>) {
      const reader = second !== undefined && second.inFlight < first.inFlight ? second : first
      return reader.send({ name, args }) as Read<Name>
    },
    async scan<Name extends ReadName>(name: Name, ...args: Parameters<Reads[Name]>) {
      scanner ??= startScanner()
      return (await (await scanner).send({ name, args })) as Awaited<Read<Name>>
    },
    onSearchRebuilt() {
      first.onSearchRebuilt()
      // One that is starting may have opened the old file.
      void scanner?.then((started) => started.onSearchRebuilt()).catch(() => undefined)
    },
    async close() {
      const started = await scanner?.catch(() => undefined)
      await Promise.all([first.close(), started?.close()])
    },
  }
}

async function openReader(
  settings: ReaderSettings,
  { onCorruption, onFatal }: ReaderEvents,
): Promise<Reader> {
  const pendingReads = new Map<number, PromiseWithResolvers<ReadResult>>()
  let lastId = 0
  const thread = await startThread<ToReader, FromReader>(
    new URL('./reader-thread.ts', import.meta.url),
    settings,
    {
      onMessage(message) {
        const pending = pendingReads.get(message.id)
        pendingReads.delete(message.id)
        if (!('storageError' in message)) {
          pending?.resolve(message.result)
          return
        }
        if (message.storageError.isCorruption) onCorruption()
        pending?.reject(fromStorageError(message.storageError))
      },
      onEnd(fault) {
        for (const { reject } of pendingReads.values()) reject(fault)
        pendingReads.clear()
      },
      onFatal,
    },
  )
  return {
    get inFlight() {
      return pendingReads.size
    },
    send(request) {
      if (thread.fault !== undefined) return Promise.reject(thread.fault)
      const id = ++lastId
      const pending = Promise.withResolvers<ReadResult>()
      pendingReads.set(id, pending)
      thread.post({ id, ...request })
      return pending.promise
    },
    onSearchRebuilt() {
      if (thread.fault === undefined) thread.post('search-renewed')
    },
    close: () => thread.end(),
  }
}
