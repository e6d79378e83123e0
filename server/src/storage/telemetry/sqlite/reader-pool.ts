import type {
  Answer,
  FromReader,
  Question,
  ReaderSettings,
  ReadName,
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
  look<Name extends ReadName>(name: Name, ...args: Parameters<Reads[Name]>): Read<Name>
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
  readonly underWay: number
  ask(question: Omit<Question, 'id'>): Promise<Answer>
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
    look<Name extends ReadName>(name: Name, ...args: Parameters<Reads[Name]>) {
      const reader = second !== undefined && second.underWay < first.underWay ? second : first
      return reader.ask({ name, args }) as Read<Name>
    },
    async scan<Name extends ReadName>(name: Name, ...args: Parameters<Reads[Name]>) {
      scanner ??= startScanner()
      return (await (await scanner).ask({ name, args })) as Awaited<Read<Name>>
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
  const waiting = new Map<number, PromiseWithResolvers<Answer>>()
  let lastId = 0
  const thread = await startThread<ToReader, FromReader>(
    new URL('./reader-thread.ts', import.meta.url),
    settings,
    {
      onMessage(message) {
        const asked = waiting.get(message.id)
        waiting.delete(message.id)
        if (!('trouble' in message)) {
          asked?.resolve(message.answer)
          return
        }
        if (message.storageError.isCorruption) onCorruption()
        asked?.reject(fromStorageError(message.storageError))
      },
      onEnd(fault) {
        for (const { reject } of waiting.values()) reject(fault)
        waiting.clear()
      },
      onFatal,
    },
  )
  return {
    get underWay() {
      return waiting.size
    },
    ask(question) {
      if (thread.fault !== undefined) return Promise.reject(thread.fault)
      const id = ++lastId
      const asked = Promise.withResolvers<Answer>()
      waiting.set(id, asked)
      thread.post({ id, ...question })
      return asked.promise
    },
    onSearchRebuilt() {
      if (thread.fault === undefined) thread.post('search-renewed')
    },
    close: () => thread.end(),
  }
}
