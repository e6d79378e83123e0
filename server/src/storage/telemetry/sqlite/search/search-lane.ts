import type { Trouble } from '../engine-errors.ts'
import { startThread } from '../thread.ts'
import type { FromSearch, SearchSettings, ToSearch } from './search-thread.ts'

/*
 * The main thread's end of the search index: it tells of commits and knows how far the index is behind.
 */

export interface SearchLane {
  /** Something has been committed. */
  onCommitted(): void
  /** How long ago the oldest commit that cannot be found yet was made; 0 where all can. */
  lagMs(): number
  close(): Promise<void>
}

export interface SearchLaneEvents {
  /** Changes up to this one have been taken in. */
  onChangesTaken(changeNo: number): void
  onFailed(trouble: Trouble): void
  onFatal(error: Error): void
}

/** Commits closer together than this are told as one. */
const togetherMs = 100

export async function openSearchLane(
  settings: SearchSettings,
  events: SearchLaneEvents,
): Promise<SearchLane> {
  // What the index lacks at the start has no time of its own.
  const waiting: { readonly commit: number; readonly since: number }[] = [
    { commit: 0, since: performance.now() },
  ]
  let commit = 0
  let isTold = true
  let lastChanges = 0
  const thread = await startThread<ToSearch, FromSearch>(
    new URL('./search-thread.ts', import.meta.url),
    settings,
    {
      onMessage(message) {
        if (message.type === 'failed') {
          events.onFailed(message.trouble)
          return
        }
        while (waiting[0] !== undefined && waiting[0].commit <= message.upTo) waiting.shift()
        if (message.changes > lastChanges) events.onChangesTaken(message.changes)
        lastChanges = message.changes
      },
      onEnd: () => undefined,
      onFatal: events.onFatal,
    },
  )
  let timer: NodeJS.Timeout | undefined
  const tell = () => {
    timer = undefined
    if (isTold || thread.fault !== undefined) return
    isTold = true
    thread.post(commit)
  }
  return {
    onCommitted() {
      if (isTold) {
        commit += 1
        isTold = false
        waiting.push({ commit, since: performance.now() })
      }
      timer ??= setTimeout(tell, togetherMs)
    },
    lagMs() {
      const [oldest] = waiting
      return oldest === undefined ? 0 : performance.now() - oldest.since
    },
    async close() {
      clearTimeout(timer)
      await thread.end()
    },
  }
}
