import { type AuditAction, auditActions } from '@assay/contract/audit.ts'
import type { AuditFilters } from '../api/audit-log.ts'
import { parseTimeSearch, type TimeSearch, withFixedTime } from '../filter/time-range.ts'

/*
 * What the audit log is narrowed by, as it stands in the address.
 */

export interface AuditSearch extends TimeSearch {
  readonly action?: AuditAction
  /** The id of who did it. */
  readonly actor?: string
}

/** Takes from an address what it understands and drops the rest, so that an old link still opens. */
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

/** The filters to ask the service with, a relative range counted back from `nowMs`. */
export function auditFiltersOf(search: AuditSearch, nowMs: number): AuditFilters {
  return withFixedTime(search, nowMs)
}
