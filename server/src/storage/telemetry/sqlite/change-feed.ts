import { newId } from '../../../platform/ids.ts'
import type { Log } from '../../../platform/log.ts'
import type { ChangeFeed, TraceChange } from '../port/change-feed.ts'

/*
 * The change feed of this engine. All writes are made by this process, so changes are delivered from memory.
 */

export type ChangedTraces = Omit<TraceChange, 'position'>

export interface OpenChangeFeed extends ChangeFeed {
  notify(changes: readonly ChangedTraces[]): void
}

interface Watcher {
  readonly projectId: string | undefined
  readonly listener: (change: TraceChange) => void
}

/** About 1 MB. */
const rememberedTracesMax = 10_000

export function openChangeFeed(log: Log): OpenChangeFeed {
  const watchers = new Set<Watcher>()
  const remembered: TraceChange[] = []
  // Positions of an earlier process are unknown to this one.
  const feedId = newId()
  let lastNo = 0
  let rememberedTraces = 0

  const remember = (change: TraceChange) => {
    remembered.push(change)
    rememberedTraces += change.traceIds.length
    while (rememberedTraces > rememberedTracesMax) {
      rememberedTraces -= remembered.shift()!.traceIds.length
    }
  }
  const deliver = ({ projectId, listener }: Watcher, change: TraceChange) => {
    if (projectId !== undefined && projectId !== change.projectId) return
    try {
      listener(change)
    } catch (error) {
      log.error('a listener to changed traces failed', error)
    }
  }
  return {
    notify(changes) {
      for (const changed of changes) {
        lastNo += 1
        const change = { ...changed, position: `${feedId} ${lastNo}` }
        remember(change)
        for (const watcher of watchers) deliver(watcher, change)
      }
    },
    watchChanges({ projectId, after }, listener) {
      const watcher = { projectId, listener }
      if (after !== undefined) {
        // All that is remembered when the position is not.
        const next = remembered.findIndex(({ position }) => position === after) + 1
        for (const change of remembered.slice(next)) deliver(watcher, change)
      }
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
  }
}
