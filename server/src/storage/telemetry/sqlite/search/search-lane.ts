import { type StorageError, toStorageError } from '../storage-errors.ts'
import { startThread, type Thread } from '../thread.ts'
import type { FromSearch, SearchSettings, ToSearch } from './search-thread.ts'

/*
 * The main thread's end of the search index: it tells of commits and knows how far the index is behind.
 */

export interface SearchLane {
  /** From before, something is there that cannot be found yet. */
  onBehind(): void
  /** Something has been committed. */
  onCommitted(): void
  /** A reader has found a file damaged, maybe that of the index. */
  onCorruption(): void
  /** How long ago the oldest commit that cannot be found yet was made; 0 where all can. */
  lagMs(): number
  close(): Promise<void>
}

export interface SearchLaneEvents {
  /** Changes up to this one have been taken in. */
  onChangesTaken(changeNo: number): void
  /** The index was damaged: its file is another from now on. */
  onRenewed(): void
  onFailed(storageError: StorageError): void
  onFatal(error: Error): void
}

/** Commits closer together than this are told as one. */
const togetherMs = 100

/** Its thread starts when there is something to take in: one that has nothing to do takes no memory. */
export function openSearchLane(settings: SearchSettings, events: SearchLaneEvents): SearchLane {
  const waiting: { readonly commit: number; readonly since: number }[] = []
  let commit = 0
  let isTold = true
  let lastChanges = 0
  let thread: Promise<Thread<ToSearch>> | undefined
  const start = () =>
    startThread<ToSearch, FromSearch>(new URL('./search-thread.ts', import.meta.url), settings, {
      onMessage(message) {
        if (message.type === 'failed') {
          events.onFailed(message.storageError)
          return
        }
        if (message.type === 'renewed') {
          isBehind()
          events.onRenewed()
          return
        }
        while (waiting[0] !== undefined && waiting[0].commit <= message.upTo) waiting.shift()
        if (message.changes > lastChanges) events.onChangesTaken(message.changes)
        lastChanges = message.changes
      },
      onEnd: () => undefined,
      onFatal: events.onFatal,
    })
  const isBehind = () => waiting.unshift({ commit: 0, since: performance.now() })
  const tell = async (message?: ToSearch) => {
    try {
      thread ??= start()
      const { fault, post } = await thread
      if (fault === undefined) post(message ?? commit)
    } catch (error) {
      // It could not open: the next commit tries again.
      thread = undefined
      events.onFailed(toStorageError(error))
    }
  }
  let timer: NodeJS.Timeout | undefined
  return {
    onBehind() {
      isBehind()
      void tell()
    },
    onCommitted() {
      if (isTold) {
        commit += 1
        isTold = false
        waiting.push({ commit, since: performance.now() })
      }
      timer ??= setTimeout(() => {
        timer = undefined
        isTold = true
        void tell()
      }, togetherMs)
    },
    onCorruption() {
      void tell('check')
    },
    lagMs() {
      const [oldest] = waiting
      return oldest === undefined ? 0 : performance.now() - oldest.since
    },
    async close() {
      clearTimeout(timer)
      const started = await thread?.catch(() => undefined)
      await started?.end()
    },
  }
}
