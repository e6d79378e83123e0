import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'
import type { SavedViewRow } from './trace-tables.ts'
import { isUniqueConflict } from './unique-conflict.ts'

export function savedViewStore(db: Kysely<Tables>) {
  return {
    /** In no particular order: the engines sort text differently. */
    list(projectId: string, userId: string): Promise<SavedViewRow[]> {
      return db
        .selectFrom('saved_views')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('user_id', '=', userId)
        .execute()
    },

    async count(projectId: string, userId: string): Promise<number> {
      const row = await db
        .selectFrom('saved_views')
        .select((view) => view.fn.countAll<number | string>().as('rows'))
        .where('project_id', '=', projectId)
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      return Number(row.rows)
    },

    /** False when the user has a view of that name for the page in the project. */
    async insert(view: SavedViewRow): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('saved_views')
        .values(view)
        .onConflict((conflict) =>
          conflict.columns(['project_id', 'user_id', 'page', 'name']).doNothing(),
        )
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },

    /** Undefined when the user has no such view; `name_taken` when another of theirs has that name. */
    async replace(
      projectId: string,
      userId: string,
      id: string,
      view: Pick<SavedViewRow, 'name' | 'query'>,
    ): Promise<SavedViewRow | 'name_taken' | undefined> {
      try {
        return await db
          .updateTable('saved_views')
          .set({ name: view.name, query: view.query })
          .where('project_id', '=', projectId)
          .where('user_id', '=', userId)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst()
      } catch (error) {
        if (isUniqueConflict(error)) return 'name_taken'
        throw error
      }
    },

    /** False when the user has no such view. */
    async remove(projectId: string, userId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('saved_views')
        .where('project_id', '=', projectId)
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .executeTakeFirst()
      return numDeletedRows === 1n
    },
  }
}
