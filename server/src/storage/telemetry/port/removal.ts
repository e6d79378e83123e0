import type { Instant } from '../../../domain/instant.ts'
import type { Position } from './position.ts'

/*
 * Removing and moving what is stored. Every call makes a bounded change; larger removals repeat the call.
 */
export interface Removal {
  /** Removes a trace with its spans and the log records that reference it; false when it does not exist. */
  removeTrace(projectId: string, traceId: string): Promise<boolean>

  /**
   * Moves a trace with the log records that reference it from another project into this one, all or nothing.
   * `exists` when this project already has a trace with that id, whatever the other project has.
   */
  moveTrace(
    projectId: string,
    fromProjectId: string,
    traceId: string,
  ): Promise<'adopted' | 'not_found' | 'exists'>

  /**
   * Removes at most `limit` traces that started before this instant, with the log records that reference them,
   * oldest first; fewer when they are large. Returns their ids. An empty result means that none are left.
   */
  removeOldTraces(projectId: string, before: Instant, limit: number): Promise<readonly string[]>

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
   * Removes some of everything that a project has stored: traces, metrics, log records, idempotency records. Repeat
   * until it returns `removed`. Data recorded afterwards is stored.
   */
  removeProject(projectId: string): Promise<'more' | 'removed'>
}
