/*
 * Notification of traces that were recorded or changed, or whose scores changed, in this process or another.
 *
 * Delivery. A change is delivered at least once, after it can be read. It may be delivered twice, late, or after a
 * newer change of the same trace, so listeners read the traces and do not count changes. A trace that cannot be
 * read has been removed or moved since.
 *
 * Gaps. Only changes made while a listener watches are delivered. A change that was committed just before a crash
 * may never be. A listener that must not miss any subscribes first and then reads what it watches, and reads it again
 * whenever it is notified of unknown changes: another process made too many at once, or the connection to it was lost.
 * While that is lost, changes of other processes are unknown every few seconds. Removals are not delivered.
 */
export interface ChangeFeed {
  /**
   * Calls `listener` for each change of the project from now on, until the returned function is called. An
   * exception from the listener is logged and does not affect others.
   */
  watchChanges(projectId: string, listener: (change: TraceChange) => void): () => void
}

export interface TraceChange {
  readonly projectId: string
  readonly traceIds: ChangedTraces
}

/** Their ids. Null: unknown, any of the project. */
export type ChangedTraces = readonly string[] | null
