import type { Kysely } from 'kysely'
import type { ProjectRow, Tables } from './tables.ts'

export function projectStore(db: Kysely<Tables>) {
  return {
    /** In no particular order: the engines sort text differently. */
    ofOrganization(organizationId: string): Promise<ProjectRow[]> {
      return db
        .selectFrom('projects')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .execute()
    },

    /** With how long they keep telemetry. */
    all(): Promise<Pick<ProjectRow, 'id' | 'retention_days'>[]> {
      return db.selectFrom('projects').select(['id', 'retention_days']).execute()
    },

    /** As it is then; undefined when there is no such project. */
    update(
      id: string,
      change: Partial<Pick<ProjectRow, 'name' | 'retention_days'>>,
    ): Promise<ProjectRow | undefined> {
      return (
        db
          .updateTable('projects')
          // Something has to be set even where nothing changes.
          .set({ id, ...change })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst()
      )
    },

    /** With its keys. The project as it was; undefined unless there is one of that id and slug. */
    remove(id: string, slug: string): Promise<ProjectRow | undefined> {
      return db
        .deleteFrom('projects')
        .where('id', '=', id)
        .where('slug', '=', slug)
        .returningAll()
        .executeTakeFirst()
    },

    findByLegacyKeyHash(hash: string): Promise<Pick<ProjectRow, 'id'> | undefined> {
      return db
        .selectFrom('projects')
        .select('id')
        .where('legacy_key_hash', '=', hash)
        .executeTakeFirst()
    },

    /** False when the organization has a project with that slug. */
    async insert(project: ProjectRow): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('projects')
        .values(project)
        .onConflict((conflict) => conflict.columns(['organization_id', 'slug']).doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },
  }
}
