import type { Role } from '@assay/contract/access.ts'
import type { Kysely } from 'kysely'
import type { MembershipRow, Tables } from './tables.ts'

/** Something that is there, and the asking user's role in its organization; null for an outsider. */
export interface Reach {
  readonly organizationId: string
  readonly role: Role | null
}

export function membershipStore(db: Kysely<Tables>) {
  return {
    /** Undefined when there is no such organization. */
    findReachOfOrganization(organizationId: string, userId: string): Promise<Reach | undefined> {
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
    findReachOfProject(projectId: string, userId: string): Promise<Reach | undefined> {
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

    async insert(membership: MembershipRow): Promise<void> {
      await db.insertInto('memberships').values(membership).execute()
    },
  }
}
