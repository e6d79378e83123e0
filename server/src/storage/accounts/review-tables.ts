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

export const reviewSchema = [
  `create table review_queues (
     id            text not null primary key,
     project_id    text not null references projects (id) on delete cascade,
     name          text not null,
     instructions  text not null,
     score_name    text not null,
     evaluator_id  text,
     filters       text not null,
     created_by    text references users (id) on delete set null,
     created_at    text not null
   )`,
  `create index review_queues_by_project on review_queues (project_id, id)`,
  `create index review_queues_by_creator on review_queues (created_by)`,
  `create table review_items (
     queue_id     text not null references review_queues (id) on delete cascade,
     position     integer not null,
     project_id   text not null,
     trace_id     text not null,
     status       text not null,
     reviewed_by  text references users (id) on delete set null,
     reviewed_at  text,
     held_by      text references users (id) on delete set null,
     held_until   text,
     primary key (queue_id, position)
   )`,
  `create index review_items_by_status on review_items (queue_id, status, position)`,
  `create index review_items_by_reviewer on review_items (reviewed_by)`,
  `create index review_items_by_holder on review_items (held_by)`,
]
