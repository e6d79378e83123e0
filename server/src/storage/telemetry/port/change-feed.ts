/*
 * Notification of changed traces.
 */

export interface ChangeFeed {
  /**
   * Calls `listener` after recorded batches have become readable: once per project for each group of batches
   * that was committed together, after log records that fill the input or output of spans of stored traces,
   * and after re-pricing. An exception from the listener is logged and affects nobody else. Returns a function
   * that unsubscribes.
   */
  onRecorded(listener: (change: RecordedChange) => void): () => void
}

export interface RecordedChange {
  readonly projectId: string
  readonly traceIds: readonly string[]
}
