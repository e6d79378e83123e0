import type { Timestamp } from './column-types.ts'

/*
 * Review queues and the traces in them.
 */

export interface ReviewQueueRow {
  readonly id: string
  readonly project_id: string
  readonly name: string
  readonly instructions: string
  readonly score_name: string
  readonly evaluator_id: string | null
  /** JSON, as in the API. */
  readonly filters: string
  readonly created_by: string | null
  readonly created_at: Timestamp
}

export interface ReviewItemRow {
  readonly queue_id: string
  /** From 1. */
  readonly position: number
  readonly project_id: string
  readonly trace_id: string
  readonly status: 'open' | 'reviewed' | 'removed'
  readonly reviewed_by: string | null
  readonly reviewed_at: Timestamp | null
  /** Who is reviewing it. */
  readonly held_by: string | null
  readonly held_until: Timestamp | null
}
