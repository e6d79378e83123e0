import type { Kysely } from 'kysely'
import type { SavedViewRow, Tables } from './tables.ts'

export function savedViewStore(db: Kysely<Tables>) {
  return {
    /** In no particular order: the engines sort text differently. */
    ofUser(projectId: string, userId: string): Promise<SavedViewRow[]> {
      return db
        .selectFrom('saved_views')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('user_id', '=', userId)
        .execute()
    },

    /** False when the person has a view of that name in the project. */
    async insert(view: SavedViewRow): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('saved_views')
        .values(view)
        .onConflict((conflict) => conflict.columns(['project_id', 'user_id', 'name']).doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },

    /** False when there is none, or it is somebody else's. */
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
