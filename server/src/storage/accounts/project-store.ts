import type { Kysely } from 'kysely'
import type { ProjectRow } from './people-tables.ts'
import type { Tables } from './tables.ts'

type KeyedProject = Pick<ProjectRow, 'id' | 'organization_id'>

export function projectStore(db: Kysely<Tables>) {
  return {
    ...findStatements(db),

    /** In no particular order: the engines sort text differently. */
    list(organizationId: string): Promise<ProjectRow[]> {
      return db
        .selectFrom('projects')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .execute()
    },

    /**
     * The next project by id with limited retention; `defaultDays` applies to projects without their own
     * setting.
     */
    async findNextWithRetention(
      after: string | undefined,
      defaultDays: number | undefined,
    ): Promise<{ id: string; retentionDays: number } | undefined> {
      let projects = db.selectFrom('projects').select(['id', 'retention_days'])
      if (after !== undefined) projects = projects.where('id', '>', after)
      if (defaultDays === undefined) projects = projects.where('retention_days', 'is not', null)
      const project = await projects.orderBy('id').limit(1).executeTakeFirst()
      const retentionDays = project?.retention_days ?? defaultDays
      if (project === undefined || retentionDays === undefined) return undefined
      return { id: project.id, retentionDays }
    },

    async count(organizationId: string): Promise<number> {
      const row = await db
        .selectFrom('projects')
        .select((project) => project.fn.countAll<number | string>().as('rows'))
        .where('organization_id', '=', organizationId)
        .executeTakeFirstOrThrow()
      return Number(row.rows)
    },

    /** Locks the row until the transaction ends. */
    async lock(id: string): Promise<void> {
      await db.updateTable('projects').set({ id }).where('id', '=', id).execute()
    },

    /** Returns the project after the change; undefined when there is no such project. */
    update(
      id: string,
      change: Partial<Pick<ProjectRow, 'name' | 'retention_days' | 'encrypted_history'>>,
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

    /**
     * Removes it with its keys. Returns the removed project; undefined unless there is one with that id and
     * slug.
     */
    remove(id: string, slug: string): Promise<ProjectRow | undefined> {
      return db
        .deleteFrom('projects')
        .where('id', '=', id)
        .where('slug', '=', slug)
        .returningAll()
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

function findStatements(db: Kysely<Tables>) {
  return {
    /** Undefined when there is no such project. */
    find(organizationId: string, id: string): Promise<ProjectRow | undefined> {
      return db
        .selectFrom('projects')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .executeTakeFirst()
    },

    findByLegacyKeyHash(hash: string): Promise<KeyedProject | undefined> {
      return db
        .selectFrom('projects')
        .select(['id', 'organization_id'])
        .where('legacy_key_hash', '=', hash)
        .executeTakeFirst()
    },
  }
}
