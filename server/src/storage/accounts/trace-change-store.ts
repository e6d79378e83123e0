import type { Kysely } from 'kysely'
import type { Timestamp } from './column-types.ts'
import type { Tables } from './tables.ts'
import type { TraceChangeRow } from './trace-tables.ts'

/*
 * Removals and moves of traces that have started and are not completed.
 */

export function traceChangeStore(db: Kysely<Tables>) {
  return {
    async insert(changes: readonly TraceChangeRow[]): Promise<void> {
      if (changes.length > 0) await db.insertInto('trace_changes').values(changes).execute()
    },

    /** Newest first: those before a change, if one is given. */
    listStartedUpTo(time: Timestamp, limit: number, before?: string): Promise<TraceChangeRow[]> {
      return db
        .selectFrom('trace_changes')
        .selectAll()
        .where('started_at', '<=', time)
        .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
    },

    /** False when it was already completed. */
    async remove(id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('trace_changes')
        .where('id', '=', id)
        .executeTakeFirst()
      return numDeletedRows === 1n
    },

    /** Removes earlier attempts at the same change. */
    async removeEarlier({ id, project_id, from_project_id, trace_id }: TraceChangeRow) {
      await db
        .deleteFrom('trace_changes')
        .where('project_id', '=', project_id)
        .where('from_project_id', from_project_id === null ? 'is' : '=', from_project_id)
        .where('trace_id', '=', trace_id)
        .where('id', '<', id)
        .execute()
    },
  }
}
