import type { AuditAction } from '@assay/contract/audit.ts'
import type { Kysely } from 'kysely'
import type { AuditRow, Tables, Timestamp } from './tables.ts'

export interface AuditQuery {
  readonly limit: number
  /** The id of an event: only older ones. */
  readonly before?: string | undefined
  readonly action?: AuditAction | undefined
  /** The id of the user who did it. */
  readonly actor?: string | undefined
  /** At this time or later. */
  readonly from?: Timestamp | undefined
  /** Before this time. */
  readonly to?: Timestamp | undefined
}

/** Events can be added and read. No statement changes or removes one. */
export function auditStore(db: Kysely<Tables>) {
  return {
    async append(line: AuditRow): Promise<void> {
      await db.insertInto('audit_log').values(line).execute()
    },

    /** Newest first; with null, events without an organization. */
    list(organizationId: string | null, query: AuditQuery): Promise<AuditRow[]> {
      const { limit, before, action, actor, from, to } = query
      let lines = db.selectFrom('audit_log').selectAll()
      lines =
        organizationId === null
          ? lines.where('organization_id', 'is', null)
          : lines.where('organization_id', '=', organizationId)
      if (before !== undefined) lines = lines.where('id', '<', before)
      if (action !== undefined) lines = lines.where('action', '=', action)
      if (actor !== undefined) lines = lines.where('actor_id', '=', actor)
      if (from !== undefined) lines = lines.where('at', '>=', from)
      if (to !== undefined) lines = lines.where('at', '<', to)
      return lines.orderBy('id', 'desc').limit(limit).execute()
    },
  }
}
