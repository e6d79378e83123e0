import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AuditAction } from '@assay/contract/audit.ts'
import type { AuditLine } from '@assay/contract/audit-log.ts'
import type { AuditQuery } from '../storage/accounts/audit-store.ts'
import type { AuditRow } from '../storage/accounts/audit-tables.ts'
import type { AccountStores } from '../storage/accounts/stores.ts'

/*
 * Reads the audit log, newest first: one page, or all of it.
 */

export interface AuditFilters {
  readonly action?: AuditAction | undefined
  readonly actor?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export interface AuditPageQuery extends AuditFilters {
  readonly limit: number
  readonly cursor?: string | undefined
}

export interface AuditPage {
  readonly data: AuditLine[]
  readonly meta: { readonly pageSize: number; readonly cursor: string | null }
}

type Stores = Pick<AccountStores, 'audit'>

/** Events of an organization, or with null those of the platform. */
export async function auditPage(
  organizationId: string | null,
  query: AuditPageQuery,
  { audit }: Stores,
): Promise<AuditPage> {
  const rows = await audit.list(organizationId, filtered(query, query.limit + 1, query.cursor))
  const data = rows.slice(0, query.limit).map(toApiAuditLine)
  const last = rows.length > query.limit ? data.at(-1) : undefined
  return { data, meta: { pageSize: data.length, cursor: last?.id ?? null } }
}

/** Read, serialized and sent before other requests have their turn. */
export const linesPerTurn = 100

/** All events that exist when it starts, read page by page; ends early when `signal` aborts. */
export async function* auditLines(
  organizationId: string,
  filters: AuditFilters,
  signal: AbortSignal,
  { audit }: Stores,
): AsyncGenerator<AuditLine> {
  let before: string | undefined
  while (!signal.aborted) {
    const rows = await audit.list(organizationId, filtered(filters, linesPerTurn, before))
    yield* rows.map(toApiAuditLine)
    before = rows.at(-1)?.id
    if (rows.length < linesPerTurn) return
    await nextTurn()
  }
}

function filtered(
  { action, actor, from, to }: AuditFilters,
  limit: number,
  before: string | undefined,
): AuditQuery {
  return { action, actor, from: from && asStored(from), to: to && asStored(to), limit, before }
}

/** Times are compared as text, so they need one format. */
function asStored(time: string): string {
  return new Date(time).toISOString()
}

function toApiAuditLine(row: AuditRow): AuditLine {
  return {
    id: row.id,
    at: row.at,
    count: row.event_count,
    last_at: row.last_at ?? row.at,
    actor: { kind: row.actor_kind, user_id: row.actor_id, email: row.actor_email },
    action: row.action,
    target: { kind: row.target_kind, id: row.target_id },
    client_address: row.client_address,
    user_agent: row.user_agent,
    request_id: row.request_id,
    details: JSON.parse(row.details) as AuditLine['details'],
  }
}
