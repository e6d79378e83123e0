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
