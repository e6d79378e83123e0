import { newOrderedId } from '../platform/ids.ts'
import type { JobRow, Timestamp } from '../storage/accounts/tables.ts'

/** The progress that every job reports; a kind may add members. */
export interface JobProgress {
  readonly done: number
  /** Null when unknown. */
  readonly total: number | null
}

export interface NewJob {
  readonly kind: string
  readonly organizationId?: string
  /** The job is removed with its project. */
  readonly projectId?: string
  readonly createdBy?: string
  /** Only one active job may have it: `insert` refuses a second one. */
  readonly uniqueKey?: string
  /** In the form of the kind's `input` schema. */
  readonly input: unknown
  readonly progress?: JobProgress
}

/** A job to insert, in the transaction of the change it belongs to; wake the runner afterwards. */
export function newJobRow(job: NewJob, at: Timestamp): JobRow {
  return {
    id: newOrderedId(),
    kind: job.kind,
    organization_id: job.organizationId ?? null,
    project_id: job.projectId ?? null,
    unique_key: job.uniqueKey ?? null,
    created_by: job.createdBy ?? null,
    input: JSON.stringify(job.input),
    state: 'queued',
    position: null,
    progress: JSON.stringify(job.progress ?? { done: 0, total: null }),
    result: null,
    problem: null,
    attempts: 0,
    worker: null,
    available_at: at,
    created_at: at,
    started_at: null,
    finished_at: null,
  }
}
