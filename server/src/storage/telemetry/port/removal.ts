import type { Instant } from '../../../domain/instant.ts'
import type { Position } from './position.ts'

/*
 * Removing and moving what is stored.
 *
 * Steps. Large removals are made in steps. Other writes are committed in between.
 *
 * Repeating. Every call can be repeated, also after it was interrupted in the middle, and ends in the same state.
 * An interrupted call may leave a part readable, in both projects of a move. Its caller repeats it, from a record
 * that survives a crash.
 */
export interface Removal {
  /**
   * Removes a trace with its spans and scores and the log records that reference it; false when there was nothing to
   * remove. Spans and log records that arrive in between may be removed with it.
   */
  removeTrace(projectId: string, traceId: string): Promise<boolean>

  /**
   * Moves traces, each with its scores and the log records that reference it, from another project into this one. Returns
   * an outcome for each id, none of which may be repeated: `exists` when this project already has a trace with that id,
   * whatever the other project has. A trace that an interrupted call has moved in part is not in the way: repeating the
   * call moves the rest and returns `adopted`, or `exists` when nothing of it was left in the other project. Log records
   * are moved first, in steps when there are many; if this project receives a trace with that id in between, those that
   * have been moved stay there. A call that rejects may have moved some of the traces.
   */
  moveTraces(
    projectId: string,
    fromProjectId: string,
    traceIds: readonly string[],
  ): Promise<readonly MoveOutcome[]>

  /**
   * Removes some of the traces that started before this instant, as `removeTrace` does, oldest first. Repeat until
   * it returns `isDone`.
   */
  removeOldTraces(projectId: string, before: Instant): Promise<RemovedTraces>

  /**
   * Removes some metric points and log records from before this instant, the span contents that came from those
   * records, and series without points. Returns the position to pass as `after` to the next call; undefined when
   * nothing older is left.
   */
  removeOldSignals(
    projectId: string,
    before: Instant,
    after?: Position,
  ): Promise<Position | undefined>

  /**
   * Removes some idempotency records of all projects from before this instant. Repeat until it returns `removed`.
   */
  removeOldIdempotencyRecords(before: Instant): Promise<'more' | 'removed'>

  /**
   * Removes some of everything that a project has stored: traces, metrics, log records, idempotency records. Repeat
   * until it returns `removed`. Data recorded afterwards is stored.
   */
  removeProject(projectId: string): Promise<'more' | 'removed'>
}

export type MoveOutcome = 'adopted' | 'not_found' | 'exists'

export interface RemovedTraces {
  readonly traceCount: number
  /** Nothing older is left. */
  readonly isDone: boolean
}
