import type { z } from 'zod'
import { newOrderedId } from '../platform/ids.ts'
import type { Timestamp } from '../storage/accounts/column-types.ts'
import type { JobRow } from '../storage/accounts/service-tables.ts'

/** The progress that every job reports; a kind may add members. */
export interface JobProgress {
  readonly done: number
  /** Null when unknown. */
  readonly total: number | null
}

/** A kind of job, and the form of its input. */
export interface JobKind<Input> {
  readonly kind: string
  readonly input: z.ZodType<Input>
}

export interface NewJob<Input> {
  readonly organizationId?: string
  /** The job is removed with its project. */
  readonly projectId?: string
  readonly createdBy?: string
  /** Only one active job may have it: `insert` refuses a second one. */
  readonly uniqueKey?: string
  readonly input: Input
  readonly progress?: JobProgress
}

/** A job to insert, in the transaction of the change it belongs to; wake the runner afterwards. */
export function newJobRow<Input>(
  { kind }: JobKind<Input>,
  job: NewJob<Input>,
  at: Timestamp,
): JobRow {
  return {
    id: newOrderedId(),
    kind,
    organization_id: job.organizationId ?? null,
    project_id: job.projectId ?? null,
    unique_key: job.uniqueKey ?? null,
    created_by: job.createdBy ?? null,
    input: JSON.stringify(job.input),
    state: 'queued',
    position: null,
    progress: JSON.stringify(job.progress ?? { done: 0, total: null }),
    problem: null,
    attempts: 0,
    worker: null,
    available_at: at,
    created_at: at,
    started_at: null,
    finished_at: null,
  }
}

/** Throws when the stored input does not match the declaration of the kind. */
export function parseInput<Input>({ input }: JobKind<Input>, row: JobRow): Input {
  return input.parse(JSON.parse(row.input))
}
