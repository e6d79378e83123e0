import type { Instant } from '../../../domain/instant.ts'
import type { Trace } from '../../../domain/span.ts'
import type { Position } from './position.ts'
import type { ReadOptions } from './read-options.ts'
import type { TraceFilters } from './traces.ts'

/*
 * Traces in the order in which they become complete: to process each new one once.
 *
 * Settling. A trace settles when it changes, or some minutes later while the end of its root has not arrived
 * (domain/settling.ts). A trace that changes again settles again, later. Moving a trace is a change.
 *
 * Order. Oldest first by (time of settling, order of arrival). A write that has not completed may still add a trace
 * before `until`: pass a time that is `listedWithinMs()` ago or earlier.
 */
export interface Settling {
  /** How long after it has settled a trace is in the list at the latest, whoever writes it. */
  listedWithinMs(): number
  /**
   * Traces that have settled after `after` and at `until` or before, and that match the filters. At most `scanLimit`
   * traces are examined.
   */
  listSettledTraces(
    projectId: string,
    query: SettledTraceQuery,
    options?: ReadOptions,
  ): Promise<SettledTracePage>
}

export interface SettledTraceQuery {
  readonly filters: Omit<TraceFilters, 'search'>
  /** Leaves out traces whose first spans arrived before. */
  readonly receivedSince: Instant
  readonly until: Instant
  readonly scanLimit: number
  /** As many traces behind the page are examined to count them. */
  readonly countLimit: number
  readonly after?: Position
}

export interface SettledTracePage {
  readonly traces: readonly SettledTrace[]
  /** Of the last examined trace, to continue from there, also later. Undefined if there was none. */
  readonly end: SettledPosition | undefined
  /** How many of the next `countLimit` settled traces arrived since `receivedSince`, whether they match or not. */
  readonly remaining: number
}

export interface SettledPosition {
  readonly position: Position
  readonly settledAt: Instant
}

export interface SettledTrace extends SettledPosition {
  readonly trace: Trace
}
