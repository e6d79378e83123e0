import type { Log } from '../../platform/log.ts'
import type { ChangeFeed, TraceChange } from './port/change-feed.ts'

/*
 * The change feed of this engine. All writes are made by this process, so changes are delivered from memory: each
 * once, after its commit and before the operation that made it resolves.
 */

export interface OpenChangeFeed extends ChangeFeed {
  notify(changes: readonly TraceChange[]): void
  /** Whether a change of the project would be delivered to anybody. */
  isWatched(projectId: string): boolean
}

interface Watcher {
  readonly projectId: string
  readonly listener: (change: TraceChange) => void
}

export function openChangeFeed(log: Log): OpenChangeFeed {
  const watchers = new Set<Watcher>()
  const deliver = ({ projectId, listener }: Watcher, change: TraceChange) => {
    if (projectId !== change.projectId) return
    try {
      listener(change)
    } catch (error) {
      log.error('a listener to changed traces failed', error)
    }
  }
  return {
    notify(changes) {
      for (const change of changes) {
        for (const watcher of watchers) deliver(watcher, change)
      }
    },
    isWatched: (projectId) => [...watchers].some((each) => each.projectId === projectId),
    watchChanges(projectId, listener) {
      const watcher = { projectId, listener }
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
  }
}
