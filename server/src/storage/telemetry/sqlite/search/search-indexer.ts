import { type StorageError, toStorageError } from '../storage-errors.ts'
import { startThread, type Thread } from '../thread.ts'
import type { FromSearch, SearchSettings, ToSearch } from './search-thread.ts'

/*
 * The main thread's end of the search index: reports commits to the thread and tracks how far the index is
 * behind.
 */

export interface SearchIndexer {
  /** Call when data from before the start is not indexed yet. */
  onBehind(): void
  /** Something has been committed. */
  onCommitted(): void
  /** A file may be damaged: checks the index. */
  check(): void
  /** The age of the oldest commit that is not indexed yet; 0 when all are. */
  lagMs(): number
  /**
   * The same while the index follows the commits; 0 while it fails or is built from the beginning, which slower
   * ingestion would not help.
   */
  backlogMs(): number
  /** Resolves when the thread has ended. Commits that follow are indexed at the next start. */
  close(): Promise<void>
}

export interface SearchIndexerEvents {
  /** `backlogMs` may be less than before. */
  onProgress(): void
  /** Changes up to this one have been indexed. */
  onChangesIndexed(changeNo: number): void
  /** The index was damaged and has been replaced by a new file. */
  onRebuilt(): void
  /** A check found no damage in the index. */
  onIntact(): void
  onFailed(storageError: StorageError): void
  onFatal(error: Error): void
}

/** Commits within this time are reported as one. */
const debounceMs = 100

/** The thread starts with the first commit to index, so an idle store uses no memory for it. */
export function openSearchIndexer(
  settings: SearchSettings,
  events: SearchIndexerEvents,
): SearchIndexer {
  const backlog = openBacklog()
  let commit = 0
  let isSent = true
  let lastChanges = 0
  let [isFailing, isClosed] = [false, false]
  let thread: Promise<Thread<ToSearch>> | undefined
  const start = () =>
    startThread<ToSearch, FromSearch>(new URL('./search-thread.ts', import.meta.url), settings, {
      onMessage(message) {
        if (message.type === 'intact') return events.onIntact()
        isFailing = message.type === 'failed'
        if (message.type === 'failed') events.onFailed(message.storageError)
        else if (message.type === 'rebuilt') {
          backlog.addEarlier()
          events.onRebuilt()
        } else {
          backlog.removeUpTo(message.upTo)
          if (message.changes > lastChanges) events.onChangesIndexed(message.changes)
          lastChanges = message.changes
        }
        events.onProgress()
      },
      onEnd: () => undefined,
      onFatal: events.onFatal,
    })
  const send = async (message?: ToSearch) => {
    if (isClosed) return
    try {
      thread ??= start()
      const { fault, post } = await thread
      if (fault === undefined) post(message ?? commit)
    } catch (error) {
      // Opening failed: the next commit tries again.
      thread = undefined
      isFailing = true
      events.onFailed(toStorageError(error))
      events.onProgress()
    }
  }
  let timer: NodeJS.Timeout | undefined
  return {
    onBehind() {
      backlog.addEarlier()
      void send()
    },
    onCommitted() {
      if (isSent) {
        commit += 1
        isSent = false
        backlog.add(commit)
      }
      timer ??= setTimeout(() => {
        timer = undefined
        isSent = true
        void send()
      }, debounceMs)
    },
    check: () => void send('check'),
    lagMs: backlog.ageMs,
    backlogMs: () => (isFailing || backlog.hasEarlier() ? 0 : backlog.ageMs()),
    async close() {
      isClosed = true
      clearTimeout(timer)
      await (await thread?.catch(() => undefined))?.end()
    },
  }
}

/** Commits that are not indexed yet, oldest first. */
function openBacklog() {
  const earlier = 0
  const pending: { readonly commit: number; readonly committedAt: number }[] = []
  return {
    add(commit: number): void {
      pending.push({ commit, committedAt: performance.now() })
    },
    /** Adds what was stored before the first commit. */
    addEarlier(): void {
      pending.unshift({ commit: earlier, committedAt: performance.now() })
    },
    hasEarlier: () => pending[0]?.commit === earlier,
    removeUpTo(commit: number): void {
      while (pending[0] !== undefined && pending[0].commit <= commit) pending.shift()
    },
    ageMs(): number {
      const [oldest] = pending
      return oldest === undefined ? 0 : performance.now() - oldest.committedAt
    },
  }
}
