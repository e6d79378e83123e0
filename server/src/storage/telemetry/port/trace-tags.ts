import type { TagChanges } from '../../../domain/span.ts'

/*
 * Tags that people add to stored traces and remove from them. They are labels of the trace, beside those of its batches
 * (domain/trace-labels.ts): recording spans again, in whatever order, keeps them, and they move with the trace.
 */
export interface TraceTags {
  /**
   * Changes the tags of these traces; returns the ids of those that exist, in the order given. Repeating it changes nothing. Traces are
   * changed one after the other, and others are written in between.
   */
  changeTags(
    projectId: string,
    traceIds: readonly string[],
    changes: TagChanges,
  ): Promise<readonly string[]>
}
