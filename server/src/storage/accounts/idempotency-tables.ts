import type { Timestamp } from './column-types.ts'

/** An idempotency key of a project, which need not be stored in this database. */
export interface IdempotencyRecordRow {
  readonly project_id: string
  readonly key: string
  readonly claim_id: string
  readonly leased_until: Timestamp
  /** JSON; null until the batch is stored. */
  readonly outcome: string | null
  readonly created_at: Timestamp
}

export const idempotencySchema = [
  `create table idempotency_records (
     project_id    text not null,
     key           text not null,
     claim_id      text not null,
     leased_until  text not null,
     outcome       text,
     created_at    text not null,
     primary key (project_id, key)
   )`,
  `create index idempotency_records_by_time on idempotency_records (created_at)`,
]
