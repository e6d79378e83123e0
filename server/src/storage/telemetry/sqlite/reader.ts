import type {
  FromReader,
  ReaderSettings,
  ReadRequest,
  ReadResult,
  ToReader,
} from './reader-thread.ts'
import { fromStorageError } from './storage-errors.ts'
import { startThread } from './thread.ts'

/*
 * The main thread's end of one reader thread, which executes one read at a time.
 */

export interface Reader {
  execute(request: Omit<ReadRequest, 'id'>): Execution
  onSearchRebuilt(): void
  /** Whether its thread was terminated, because a read did not stop. */
  readonly isTerminated: boolean
  /** Waits for the running read. */
  close(): Promise<void>
}

export interface Execution {
  readonly result: Promise<ReadResult>
  /** Makes the thread stop working on it soon; `result` then rejects. */
  stop(): void
}

export interface ReaderEvents {
  /** A file was found damaged. */
  onCorruption(): void
  /** A thread could not open its files. */
  onOpenFailed(): void
  onFatal(error: Error): void
}

export interface StopSettings {
  /** The time for a stopped read to end, before its thread is terminated. */
  readonly stopWithinMs?: number
}

/**
 * Garbage of a thread is not collected while it has nothing to do: with the default, each keeps several times as much of
 * what it has read.
 */
const maxYoungGenerationSizeMb = 16

export async function openReader(
  { stopWithinMs = 2000, ...settings }: ReaderSettings & StopSettings,
  { onCorruption, onFatal }: Omit<ReaderEvents, 'onOpenFailed'>,
): Promise<Reader> {
  const pendingReads = new Map<number, PromiseWithResolvers<ReadResult>>()
  const stoppedId = new Int32Array(new SharedArrayBuffer(4))
  let lastId = 0
  let isTerminated = false
  const thread = await startThread<ToReader, FromReader>(
    new URL('./reader-thread.ts', import.meta.url),
    { ...settings, stoppedId },
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
    { maxYoungGenerationSizeMb },
  )
  return {
    execute(request) {
      if (thread.fault !== undefined) {
        return { result: Promise.reject(thread.fault), stop: () => undefined }
      }
      lastId = (lastId % 0x7fff_ffff) + 1
      const id = lastId
      const pending = Promise.withResolvers<ReadResult>()
      pendingReads.set(id, pending)
      thread.post({ id, ...request })
      return {
        result: pending.promise,
        stop() {
          Atomics.store(stoppedId, 0, id)
          setTimeout(() => {
            if (!pendingReads.has(id)) return
            isTerminated = true
            thread.terminate()
          }, stopWithinMs).unref()
        },
      }
    },
    get isTerminated() {
      return isTerminated
    },
    onSearchRebuilt() {
      if (thread.fault === undefined) thread.post('search-rebuilt')
    },
    close: () => thread.end(),
  }
}
