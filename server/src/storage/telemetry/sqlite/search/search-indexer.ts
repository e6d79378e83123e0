import { type StorageError, toStorageError } from '../storage-errors.ts'
import { startThread, type Thread } from '../thread.ts'
import type { FromSearch, SearchSettings, ToSearch } from './search-thread.ts'

/*
 * The main thread's end of the search index: it tells of commits and knows how far the index is behind.
 */

export interface SearchIndexer {
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

export interface SearchIndexerEvents {
  /** Changes up to this one have been taken in. */
  onChangesIndexed(changeNo: number): void
  /** The index was damaged: its file is another from now on. */
  onRebuilt(): void
  onFailed(storageError: StorageError): void
  onFatal(error: Error): void
}

/** Commits closer together than this are told as one. */
const debounceMs = 100

/** Its thread starts when there is something to take in: one that has nothing to do takes no memory. */
export function openSearchIndexer(
  settings: SearchSettings,
  events: SearchIndexerEvents,
): SearchIndexer {
  const pending: { readonly commit: number; readonly committedAt: number }[] = []
  let commit = 0
  let isSent = true
  let lastChanges = 0
  let thread: Promise<Thread<ToSearch>> | undefined
  const start = () =>
    startThread<ToSearch, FromSearch>(new URL('./search-thread.ts', import.meta.url), settings, {
      onMessage(message) {
        if (message.type === 'failed') return events.onFailed(message.storageError)
        if (message.type === 'renewed') {
          markBehind()
          events.onRebuilt()
          return
        }
        while (pending[0] !== undefined && pending[0].commit <= message.upTo) pending.shift()
        if (message.changes > lastChanges) events.onChangesIndexed(message.changes)
        lastChanges = message.changes
      },
      onEnd: () => undefined,
      onFatal: events.onFatal,
    })
  const markBehind = () => pending.unshift({ commit: 0, committedAt: performance.now() })
  const send = async (message?: ToSearch) => {
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
      markBehind()
      void send()
    },
    onCommitted() {
      if (isSent) {
        commit += 1
        isSent = false
        pending.push({ commit, committedAt: performance.now() })
      }
      timer ??= setTimeout(() => {
        timer = undefined
        isSent = true
        void send()
      }, debounceMs)
    },
    onCorruption() {
      void send('check')
    },
    lagMs() {
      const [oldest] = pending
      return oldest === undefined ? 0 : performance.now() - oldest.committedAt
    },
    async close() {
      clearTimeout(timer)
      const started = await thread?.catch(() => undefined)
      await started?.end()
    },
  }
}
