import type { Log } from '../../platform/log.ts'
import type { ChangeFeed, TraceChange } from './port/change-feed.ts'

/*
 * The change feed of one process. Its changes are delivered from memory: each once, after its commit and before the
 * operation that made it resolves.
 */

export interface OpenChangeFeed extends ChangeFeed {
  notify(changes: readonly TraceChange[]): void
  /** Whether a change of the project would be delivered to anybody. */
  isWatched(projectId: string): boolean
}

export interface LocalChangeFeed extends OpenChangeFeed {
  listWatched(): readonly string[]
}

type Listener = (change: TraceChange) => void

export function openChangeFeed(log: Log): LocalChangeFeed {
  /** A listener may watch a project twice, so that each time is a function of its own. */
  const watchers = new Map<string, Set<Listener>>()
  const deliver = (listener: Listener, change: TraceChange) => {
    try {
      listener(change)
    } catch (error) {
      log.error('a listener to changed traces failed', error)
    }
  }
  return {
    notify(changes) {
      for (const change of changes) {
        for (const watcher of watchers.get(change.projectId) ?? []) deliver(watcher, change)
      }
    },
    isWatched: (projectId) => watchers.has(projectId),
    listWatched: () => [...watchers.keys()],
    watchChanges(projectId, listener) {
      const ofProject = watchers.get(projectId) ?? new Set()
      const watcher: Listener = (change) => listener(change)
      watchers.set(projectId, ofProject.add(watcher))
      return () => {
        ofProject.delete(watcher)
        if (ofProject.size === 0 && watchers.get(projectId) === ofProject)
          watchers.delete(projectId)
      }
    },
  }
}
