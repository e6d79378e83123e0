import { errorOf } from './engine-errors.ts'
import type { Answer, FromReader, Question, ReaderSettings, ReadName } from './reader-thread.ts'
import type { Reads } from './reads.ts'
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
  /** Resolves when everything asked has been answered and the file has been let go of. */
  close(): Promise<void>
}

type Read<Name extends ReadName> = Promise<ReturnType<Reads[Name]>>

interface Reader {
  readonly underWay: number
  ask(question: Omit<Question, 'id'>): Promise<Answer>
  close(): Promise<void>
}

/** At least two threads, or scans share the only one. */
export async function openReaderPool(
  settings: ReaderSettings,
  threads: number,
  onFatal: (error: Error) => void,
): Promise<ReaderPool> {
  const pool = await allOrNone(Array.from({ length: threads }, () => openReader(settings, onFatal)))
  const scanners = pool.length > 1 ? pool.slice(1) : pool

  const ask = <Name extends ReadName>(
    readers: readonly Reader[],
    name: Name,
    args: Parameters<Reads[Name]>,
  ): Read<Name> => {
    const reader = readers.reduce((least, each) => (each.underWay < least.underWay ? each : least))
    return reader.ask({ name, args }) as Read<Name>
  }
  return {
    look: (name, ...args) => ask(pool, name, args),
    scan: (name, ...args) => ask(scanners, name, args),
    async close() {
      await Promise.all(pool.map((reader) => reader.close()))
    },
  }
}

async function allOrNone(opening: readonly Promise<Reader>[]): Promise<Reader[]> {
  const opened = await Promise.allSettled(opening)
  const readers = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const failed = opened.find((each) => each.status === 'rejected')
  if (failed === undefined) return readers
  await Promise.all(readers.map((reader) => reader.close()))
  throw failed.reason
}

async function openReader(
  settings: ReaderSettings,
  onFatal: (error: Error) => void,
): Promise<Reader> {
  const waiting = new Map<number, PromiseWithResolvers<Answer>>()
  let lastId = 0
  const thread = await startThread<Question, FromReader>(
    new URL('./reader-thread.ts', import.meta.url),
    settings,
    {
      onMessage(message) {
        const asked = waiting.get(message.id)
        waiting.delete(message.id)
        if ('trouble' in message) asked?.reject(errorOf(message.trouble))
        else asked?.resolve(message.answer)
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
    close: () => thread.end(),
  }
}
