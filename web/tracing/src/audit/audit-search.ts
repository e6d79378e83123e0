import { oneOf, text } from '@assay/account/routes/search-fields.ts'
import type { SearchOf } from '@assay/account/routes/search-schema.ts'
import { type AuditAction, auditActions } from '@assay/contract/audit.ts'
import type { AuditFilters } from '../api/audit-log.ts'
import { timedSearchSchema, withFixedTime } from '../filter/time-range.ts'

/*
 * The filters of the audit log in the address.
 */

const actions = Object.keys(auditActions) as AuditAction[]

export const auditSearch = timedSearchSchema({ action: oneOf(actions), actor: text })
export type AuditSearch = SearchOf<typeof auditSearch>

/** The filters of a request, with a relative range resolved at `nowMs`. */
export function toAuditFilters(search: AuditSearch, nowMs: number): AuditFilters {
  return withFixedTime(search, nowMs)
}
