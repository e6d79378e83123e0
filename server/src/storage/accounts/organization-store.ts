import type { Role } from '@assay/contract/access.ts'
import type { Kysely } from 'kysely'
import type { OrganizationRow } from './people-tables.ts'
import type { Tables } from './tables.ts'

export type OrganizationWithSso = OrganizationRow & {
  /** Null without single sign-on. */
  readonly sso_config_id: string | null
}

export type OrganizationOfMember = OrganizationWithSso & { readonly role: Role }

export function organizationStore(db: Kysely<Tables>) {
  const withSso = () =>
    db
      .selectFrom('organizations')
      .leftJoin('sso_configs', 'sso_configs.organization_id', 'organizations.id')
      .selectAll('organizations')
      .select('sso_configs.id as sso_config_id')

  return {
    /** In no particular order: the engines sort text differently. */
    list(): Promise<OrganizationWithSso[]> {
      return withSso().execute()
    },

    async count(): Promise<number> {
      const row = await db
        .selectFrom('organizations')
        .select((organization) => organization.fn.countAll<number | string>().as('rows'))
        .executeTakeFirstOrThrow()
      return Number(row.rows)
    },

    find(id: string): Promise<OrganizationWithSso | undefined> {
      return withSso().where('organizations.id', '=', id).executeTakeFirst()
    },

    /** The organizations that the user is a member of, in no particular order. */
    listByMember(userId: string): Promise<OrganizationOfMember[]> {
      return withSso()
        .innerJoin('memberships', 'memberships.organization_id', 'organizations.id')
        .select('memberships.role')
        .where('memberships.user_id', '=', userId)
        .execute()
    },

    /** Undefined when there is no such organization. Locks the row until the transaction ends. */
    lock(id: string): Promise<OrganizationRow | undefined> {
      return db
        .updateTable('organizations')
        .set({ id })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
    },

    async rename(id: string, name: string): Promise<void> {
      await db.updateTable('organizations').set({ name }).where('id', '=', id).execute()
    },

    /** False when the slug is taken. */
    async insert(organization: OrganizationRow): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('organizations')
        .values(organization)
        .onConflict((conflict) => conflict.column('slug').doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },
  }
}
