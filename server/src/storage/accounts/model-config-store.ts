import type { Kysely } from 'kysely'
import type { ModelConfigRow } from './model-tables.ts'
import type { Tables } from './tables.ts'

export function modelConfigStore(db: Kysely<Tables>) {
  const within = (organizationId: string) =>
    db.selectFrom('model_configs').where('organization_id', '=', organizationId)

  return {
    /** Oldest first. */
    list(organizationId: string): Promise<ModelConfigRow[]> {
      return within(organizationId).selectAll().orderBy('created_at').orderBy('id').execute()
    },

    find(organizationId: string, id: string): Promise<ModelConfigRow | undefined> {
      return within(organizationId).selectAll().where('id', '=', id).executeTakeFirst()
    },

    /** Locks it until the transaction ends. */
    lock(organizationId: string, id: string): Promise<ModelConfigRow | undefined> {
      return db
        .updateTable('model_configs')
        .set({ id })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
    },

    async count(organizationId: string): Promise<number> {
      const row = await within(organizationId)
        .select((config) => config.fn.countAll<number | string>().as('configs'))
        .executeTakeFirstOrThrow()
      return Number(row.configs)
    },

    async insert(config: ModelConfigRow): Promise<void> {
      await db.insertInto('model_configs').values(config).execute()
    },

    async update(config: ModelConfigRow): Promise<void> {
      await db
        .updateTable('model_configs')
        .set(config)
        .where('organization_id', '=', config.organization_id)
        .where('id', '=', config.id)
        .execute()
    },

    /** Returns the removed configuration; undefined when there is none. */
    remove(organizationId: string, id: string): Promise<ModelConfigRow | undefined> {
      return db
        .deleteFrom('model_configs')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
    },
  }
}
