import type { Timestamp } from './column-types.ts'

/*
 * What the service itself stores: background jobs, its installation and its master secret.
 */

/** Work that runs in the background, step by step (server/src/jobs). */
export interface JobRow {
  /** Sorts as text in the order of creation. */
  readonly id: string
  readonly kind: string
  readonly organization_id: string | null
  /** Null for the jobs of the deployment itself. */
  readonly project_id: string | null
  /** At most one active job has this key; null for no such limit. */
  readonly unique_key: string | null
  /** Null for the service, and once the user is removed. */
  readonly created_by: string | null
  /** JSON, as the kind declares it. */
  readonly input: string
  readonly state: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'
  /** Where the next step starts, as JSON in a format of the kind; null at the start and the end. */
  readonly position: string | null
  /** A JSON object with at least `done` and `total`. */
  readonly progress: string
  /** Why it failed, in a sentence for users. */
  readonly problem: string | null
  /** How often the next step has been started. */
  readonly attempts: number
  /** The process that holds the lease. */
  readonly worker: string | null
  /** When a worker may take it: the end of the lease, of a retry delay, or the scheduled time. */
  readonly available_at: Timestamp
  readonly created_at: Timestamp
  readonly started_at: Timestamp | null
  readonly finished_at: Timestamp | null
}

/** At most one row, `id` 1: a text sealed with the master secret, to detect a wrong one. */
export interface MasterKeyRow {
  readonly id: 1
  readonly canary: string
}

/** At most one row, `id` 1, which exists once the first user has set up the service. */
export interface InstallationRow {
  readonly id: 1
  readonly set_up_at: Timestamp
}
