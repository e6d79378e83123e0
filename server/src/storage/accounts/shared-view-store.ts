import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'
import type { SharedViewRow } from './trace-tables.ts'
import { isUniqueConflict } from './unique-conflict.ts'

export type ReadSharedView = SharedViewRow & { readonly created_by_name: string | null }

export function sharedViewStore(db: Kysely<Tables>) {
  const select = (projectId: string) =>
    db
      .selectFrom('shared_views')
      .leftJoin('users', 'users.id', 'shared_views.created_by')
      .selectAll('shared_views')
      .select('users.name as created_by_name')
      .where('project_id', '=', projectId)
  return {
    /** In no particular order: the engines sort text differently. */
    list(projectId: string): Promise<ReadSharedView[]> {
      return select(projectId).execute()
    },

    find(projectId: string, id: string): Promise<ReadSharedView | undefined> {
      return select(projectId).where('shared_views.id', '=', id).executeTakeFirst()
    },

    async count(projectId: string): Promise<number> {
      const row = await db
        .selectFrom('shared_views')
        .select((view) => view.fn.countAll<number | string>().as('rows'))
        .where('project_id', '=', projectId)
        .executeTakeFirstOrThrow()
      return Number(row.rows)
    },

    /** False when the page has a shared view of that name in the project. */
    async insert(view: SharedViewRow): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('shared_views')
        .values(view)
        .onConflict((conflict) => conflict.columns(['project_id', 'page', 'name']).doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },

    async replace(
      projectId: string,
      id: string,
      { name, query }: Pick<SharedViewRow, 'name' | 'query'>,
    ): Promise<'replaced' | 'name_taken' | 'not_found'> {
      try {
        const { numUpdatedRows } = await db
          .updateTable('shared_views')
          .set({ name, query })
          .where('project_id', '=', projectId)
          .where('id', '=', id)
          .executeTakeFirst()
        return numUpdatedRows === 1n ? 'replaced' : 'not_found'
      } catch (error) {
        if (isUniqueConflict(error)) return 'name_taken'
        throw error
      }
    },

    /** The removed view. Undefined when the project has no such view. */
    remove(projectId: string, id: string): Promise<SharedViewRow | undefined> {
      return db
        .deleteFrom('shared_views')
        .where('project_id', '=', projectId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
    },
  }
}
