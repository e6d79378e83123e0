import type { Kysely } from 'kysely'
import type { Timestamp } from './column-types.ts'
import type { ProjectRow, TracingKeyRow } from './people-tables.ts'
import type { Tables } from './tables.ts'

type FoundKey = Pick<TracingKeyRow, 'id' | 'project_id' | 'last_used_at' | 'revoked_at'> &
  Pick<ProjectRow, 'organization_id'>

export function tracingKeyStore(db: Kysely<Tables>) {
  return {
    /** Newest first, including revoked ones. */
    list(projectId: string): Promise<TracingKeyRow[]> {
      return db
        .selectFrom('tracing_keys')
        .selectAll()
        .where('project_id', '=', projectId)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute()
    },

    /** Includes revoked keys. */
    async count(projectId: string): Promise<number> {
      const row = await db
        .selectFrom('tracing_keys')
        .select((key) => key.fn.countAll<number | string>().as('rows'))
        .where('project_id', '=', projectId)
        .executeTakeFirstOrThrow()
      return Number(row.rows)
    },

    /** Also finds revoked keys. */
    findByHash(hash: string): Promise<FoundKey | undefined> {
      return db
        .selectFrom('tracing_keys')
        .innerJoin('projects', 'projects.id', 'tracing_keys.project_id')
        .select(['tracing_keys.id', 'organization_id', 'project_id', 'last_used_at', 'revoked_at'])
        .where('hash', '=', hash)
        .executeTakeFirst()
    },

    async insert(key: TracingKeyRow): Promise<void> {
      await db.insertInto('tracing_keys').values(key).execute()
    },

    /** Never moves the time backwards. */
    async recordUse(projectId: string, id: string, at: Timestamp): Promise<void> {
      await db
        .updateTable('tracing_keys')
        .set({ last_used_at: at })
        .where('project_id', '=', projectId)
        .where('id', '=', id)
        .where((row) => row.or([row('last_used_at', 'is', null), row('last_used_at', '<', at)]))
        .execute()
    },

    /** Removes the key that was revoked first. False when none is revoked. */
    async removeFirstRevoked(projectId: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('tracing_keys')
        .where('id', '=', (query) =>
          query
            .selectFrom('tracing_keys')
            .select('id')
            .where('project_id', '=', projectId)
            .where('revoked_at', 'is not', null)
            .orderBy('revoked_at')
            .orderBy('id')
            .limit(1),
        )
        .executeTakeFirst()
      return numDeletedRows === 1n
    },

    /**
     * False when the project has no active key with that id, which includes keys that are already revoked.
     */
    async revoke(projectId: string, id: string, at: Timestamp): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('tracing_keys')
        .set({ revoked_at: at })
        .where('id', '=', id)
        .where('project_id', '=', projectId)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
  }
}
