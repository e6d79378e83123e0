import type { Timestamp } from './column-types.ts'

/*
 * What people add to traces, and changes of traces in progress.
 */

export interface CommentRow {
  readonly id: string
  readonly project_id: string
  readonly trace_id: string
  readonly author_id: string | null
  readonly text: string
  readonly created_at: Timestamp
}

/** A removal or a move of a trace that has started and is not completed. */
export interface TraceChangeRow {
  readonly id: string
  readonly project_id: string
  /** The project that the trace is moved from; null for a removal. */
  readonly from_project_id: string | null
  readonly trace_id: string
  /** An `AuditRow` as JSON, appended to the audit log on completion. */
  readonly audit_event: string
  readonly started_at: Timestamp
}

/** A saved list of traces. */
export interface SavedViewRow {
  readonly id: string
  readonly project_id: string
  readonly user_id: string
  readonly page: SharedViewRow['page']
  readonly name: string
  readonly query: string
  readonly created_at: Timestamp
}

/** A list of traces or a chart that a project shares. */
export interface SharedViewRow {
  readonly id: string
  readonly project_id: string
  readonly page: 'traces' | 'dashboard'
  readonly name: string
  readonly query: string
  readonly created_by: string | null
  readonly created_at: Timestamp
}
