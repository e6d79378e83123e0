import type { AuditAction, AuditTarget } from '@assay/contract/audit.ts'
import type { Timestamp } from './column-types.ts'

/*
 * The audit log.
 */

/** The actor: a user with an account, the holder of the setup token, the command line, or unknown. */
export type AuditActorKind = 'user' | 'set-up' | 'command line' | 'anonymous'

/** An event of the audit log. Events are added and read, never changed or removed. */
export interface AuditRow {
  /** Sorts as text in the order of writing. */
  readonly id: string
  readonly at: Timestamp
  /** Null for events without an organization. */
  readonly organization_id: string | null
  readonly actor_kind: AuditActorKind
  readonly actor_id: string | null
  /** At the time of the event. */
  readonly actor_email: string | null
  readonly action: AuditAction
  readonly target_kind: AuditTarget
  readonly target_id: string | null
  readonly client_address: string | null
  readonly user_agent: string | null
  readonly request_id: string | null
  /** A JSON object. */
  readonly details: string
  /** More than 1 in an entry that stands for several events. */
  readonly event_count: number
  /** When the last of several happened. */
  readonly last_at: Timestamp | null
}

/** Counts the entries of events that are repeated, and finds the entry that counts further ones. */
export interface AuditRepeatRow {
  readonly key: string
  readonly entries: number
  readonly line_id: string | null
  readonly expires_at: Timestamp
}
