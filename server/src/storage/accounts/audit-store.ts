import type { Kysely } from 'kysely'
import type { AuditRow, Tables } from './tables.ts'

/** Lines can be added and read. There is no statement that changes or removes one. */
export function auditStore(db: Kysely<Tables>) {
  return {
    async append(line: AuditRow): Promise<void> {
      await db.insertInto('audit_log').values(line).execute()
    },
  }
}
