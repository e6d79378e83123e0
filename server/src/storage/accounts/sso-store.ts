import type { Kysely } from 'kysely'
import type { SsoConfigRow } from './sso-tables.ts'
import type { Tables } from './tables.ts'

export function ssoStore(db: Kysely<Tables>) {
  return {
    findByOrganization(organizationId: string): Promise<SsoConfigRow | undefined> {
      return db
        .selectFrom('sso_configs')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .executeTakeFirst()
    },

    find(id: string): Promise<SsoConfigRow | undefined> {
      return db.selectFrom('sso_configs').selectAll().where('id', '=', id).executeTakeFirst()
    },

    /** Locks the configuration until the transaction ends. */
    lock(id: string): Promise<SsoConfigRow | undefined> {
      return db
        .updateTable('sso_configs')
        .set({ id })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
    },

    /** The configuration for which the domain is verified. */
    findByDomain(domain: string): Promise<SsoConfigRow | undefined> {
      return db
        .selectFrom('sso_verified_domains')
        .innerJoin('sso_configs', 'sso_configs.id', 'sso_verified_domains.sso_config_id')
        .selectAll('sso_configs')
        .where('sso_verified_domains.domain', '=', domain)
        .executeTakeFirst()
    },

    /**
     * The configuration that users of this domain must sign in with; undefined when they are free to
     * choose.
     */
    findEnforcedSso(domain: string): Promise<{ readonly id: string } | undefined> {
      return db
        .selectFrom('sso_verified_domains')
        .innerJoin('sso_configs', 'sso_configs.id', 'sso_verified_domains.sso_config_id')
        .select('sso_configs.id')
        .where('sso_verified_domains.domain', '=', domain)
        .where('sso_configs.enforced', '=', 1)
        .executeTakeFirst()
    },

    /** False when the organization already has one. */
    async insert(config: SsoConfigRow): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('sso_configs')
        .values(config)
        .onConflict((conflict) => conflict.column('organization_id').doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },

    async update(config: SsoConfigRow): Promise<void> {
      await db.updateTable('sso_configs').set(config).where('id', '=', config.id).execute()
    },

    /** Removes it with its domains, identities and everything else that refers to it, except sessions. */
    async remove(id: string): Promise<void> {
      await db.deleteFrom('sso_configs').where('id', '=', id).execute()
    },
  }
}
