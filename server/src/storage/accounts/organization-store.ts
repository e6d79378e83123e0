import type { Role } from '@assay/contract/access.ts'
import type { Kysely } from 'kysely'
import type { OrganizationRow, Tables } from './tables.ts'

export type OrganizationOfMember = OrganizationRow & { readonly role: Role }

export function organizationStore(db: Kysely<Tables>) {
  return {
    /** In no particular order: the engines sort text differently. */
    list(): Promise<OrganizationRow[]> {
      return db.selectFrom('organizations').selectAll().execute()
    },

    find(id: string): Promise<OrganizationRow | undefined> {
      return db.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst()
    },

    /** The organizations that the user is a member of, in no particular order. */
    ofMember(userId: string): Promise<OrganizationOfMember[]> {
      return db
        .selectFrom('organizations')
        .innerJoin('memberships', 'memberships.organization_id', 'organizations.id')
        .selectAll('organizations')
        .select('memberships.role')
        .where('memberships.user_id', '=', userId)
        .execute()
    },

    /** Undefined when there is no such organization. Until the transaction ends, nobody else gets it from here. */
    lock(id: string): Promise<OrganizationRow | undefined> {
      return db
        .updateTable('organizations')
        .set({ id })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
    },

    /** As it is then; undefined when there is no such organization. */
    rename(id: string, name: string): Promise<OrganizationRow | undefined> {
      return db
        .updateTable('organizations')
        .set({ name })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
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
