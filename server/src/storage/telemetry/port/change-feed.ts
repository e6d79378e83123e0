import type { Position } from './position.ts'

/*
 * Notification of traces that were recorded or changed, or whose scores changed, in this process or another.
 *
 * Delivery. A change is delivered at least once, after it can be read. It may be delivered twice, late, or after a
 * newer change of the same trace, so listeners read the traces and do not count changes. A trace that cannot be
 * read has been removed or moved since.
 */
export interface ChangeFeed {
  /**
   * Calls `listener` for each change from now on, until the returned function is called. An exception from
   * the listener is logged and does not affect others.
   */
  watchChanges(query: ChangeQuery, listener: (change: TraceChange) => void): () => void
}

export interface ChangeQuery {
  /** Of all projects when left out. */
  readonly projectId?: string
  /**
   * Starts with the changes after this one. The store remembers the newest changes only: a listener that must not
   * miss any also reads what it watches when it starts.
   */
  readonly after?: Position
}

export interface TraceChange {
  readonly position: Position
  readonly projectId: string
  readonly traceIds: readonly string[]
}
