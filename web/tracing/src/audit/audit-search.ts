import { type AuditAction, auditActions } from '@assay/contract/audit.ts'
import type { AuditFilters } from '../api/audit-log.ts'
import { parseTimeSearch, type TimeSearch, withFixedTime } from '../filter/time-range.ts'

/*
 * The filters of the audit log in the address.
 */

export interface AuditSearch extends TimeSearch {
  readonly action?: AuditAction
  /** The id of the user. */
  readonly actor?: string
}

/** Keeps the filters that are valid and drops others, so that an old link still opens. */
export function parseAuditSearch(search: Readonly<Record<string, unknown>>): AuditSearch {
  const { action, actor } = search
  return {
    ...(isAction(action) ? { action } : {}),
    ...(typeof actor === 'string' && actor !== '' ? { actor } : {}),
    ...parseTimeSearch(search),
  }
}

export function isAction(value: unknown): value is AuditAction {
  return typeof value === 'string' && Object.hasOwn(auditActions, value)
}

/** The filters of a request, with a relative range resolved at `nowMs`. */
export function auditFiltersOf(search: AuditSearch, nowMs: number): AuditFilters {
  return withFixedTime(search, nowMs)
}
