import type { SearchOf } from '@assay/account/routes/search-schema.ts'
import { auditQuery } from '@assay/contract/audit-log.ts'
import type { AuditFilters } from '../api/audit-log.ts'
import { timedSearchSchema, withFixedTime } from '../filter/time-range.ts'

/*
 * The filters of the audit log in the address.
 */

const { action, actor } = auditQuery.shape

export const auditSearch = timedSearchSchema({ action, actor })
export type AuditSearch = SearchOf<typeof auditSearch>

/** The filters of a request, with a relative range resolved at `nowMs`. */
export function toAuditFilters(search: AuditSearch, nowMs: number): AuditFilters {
  return withFixedTime(search, nowMs)
}
