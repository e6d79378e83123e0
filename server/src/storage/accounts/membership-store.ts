import type { Role } from '@assay/contract/access.ts'
import type { Kysely } from 'kysely'
import type { MembershipRow, UserRow } from './people-tables.ts'
import type { Tables } from './tables.ts'

/** The organization of an existing resource, and the user's role in it; null for a non-member. */
export interface Access {
  readonly organizationId: string
  readonly role: Role | null
}

export interface NamedAccess extends Access {
  readonly projectId: string | null
}

export type Member = Pick<UserRow, 'email' | 'email_key' | 'email_verified_at' | 'name'> &
  Pick<MembershipRow, 'user_id' | 'role' | 'joined_at'>

interface MemberQuery {
  readonly limit: number
  readonly after?: string | undefined
}

export function membershipStore(db: Kysely<Tables>) {
  return {
    ...accessStatements(db),

    /** At most `limit` members by address, after the `email_key` in `after`. */
    list(organizationId: string, { limit, after }: MemberQuery): Promise<Member[]> {
      let query = members(db).where('organization_id', '=', organizationId)
      if (after !== undefined) query = query.where('users.email_key', '>', after)
      return query.orderBy('users.email_key').limit(limit).execute()
    },

    find(organizationId: string, userId: string): Promise<Member | undefined> {
      return members(db)
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .executeTakeFirst()
    },

    async countOwners(organizationId: string): Promise<number> {
      const row = await db
        .selectFrom('memberships')
        .select((row) => row.fn.countAll<number | string>().as('owners'))
        .where('organization_id', '=', organizationId)
        .where('role', '=', 'Owner')
        .executeTakeFirstOrThrow()
      return Number(row.owners)
    },

    /** False when the user is already a member; their role is unchanged. */
    async insert(membership: MembershipRow): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('memberships')
        .values(membership)
        .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },

    async setRole(organizationId: string, userId: string, role: Role): Promise<void> {
      await db
        .updateTable('memberships')
        .set({ role })
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .execute()
    },

    async remove(organizationId: string, userId: string): Promise<void> {
      await db
        .deleteFrom('memberships')
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .execute()
    },
  }
}

function accessStatements(db: Kysely<Tables>) {
  return {
    /** Undefined when there is no such organization. */
    findOrganizationAccess(organizationId: string, userId: string): Promise<Access | undefined> {
      return db
        .selectFrom('organizations')
        .leftJoin('memberships', (join) =>
          join
            .onRef('memberships.organization_id', '=', 'organizations.id')
            .on('memberships.user_id', '=', userId),
        )
        .select(['organizations.id as organizationId', 'memberships.role'])
        .where('organizations.id', '=', organizationId)
        .executeTakeFirst()
    },

    /** Undefined when there is no such project. */
    findProjectAccess(projectId: string, userId: string): Promise<Access | undefined> {
      return db
        .selectFrom('projects')
        .leftJoin('memberships', (join) =>
          join
            .onRef('memberships.organization_id', '=', 'projects.organization_id')
            .on('memberships.user_id', '=', userId),
        )
        .select(['projects.organization_id as organizationId', 'memberships.role'])
        .where('projects.id', '=', projectId)
        .executeTakeFirst()
    },

    /** Undefined when there is no such organization; `projectId` is null when it has no such project. */
    findNamedAccess(
      organizationSlug: string,
      projectSlug: string,
      userId: string,
    ): Promise<NamedAccess | undefined> {
      return db
        .selectFrom('organizations')
        .leftJoin('memberships', (join) =>
          join
            .onRef('memberships.organization_id', '=', 'organizations.id')
            .on('memberships.user_id', '=', userId),
        )
        .leftJoin('projects', (join) =>
          join
            .onRef('projects.organization_id', '=', 'organizations.id')
            .on('projects.slug', '=', projectSlug),
        )
        .select(['organizations.id as organizationId', 'memberships.role'])
        .select('projects.id as projectId')
        .where('organizations.slug', '=', organizationSlug)
        .executeTakeFirst()
    },
  }
}

function members(db: Kysely<Tables>) {
  return db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['memberships.user_id', 'memberships.role', 'memberships.joined_at'])
    .select(['users.email', 'users.email_key', 'users.email_verified_at', 'users.name'])
}
