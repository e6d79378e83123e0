import type { Role } from '@assay/contract/access.ts'
import type { ExpressionBuilder, Kysely } from 'kysely'
import type { Timestamp } from './column-types.ts'
import type { InviteRow } from './people-tables.ts'
import type { Tables } from './tables.ts'

export type PendingInvite = Pick<
  InviteRow,
  'id' | 'email' | 'role' | 'created_at' | 'expires_at'
> & { readonly inviter: string | null }

/** An invite is pending while it is not accepted, not revoked and not expired at `now`. */
export function inviteStore(db: Kysely<Tables>) {
  return {
    /** Newest first. */
    listPending(organizationId: string, now: Timestamp): Promise<PendingInvite[]> {
      return db
        .selectFrom('invites')
        .leftJoin('users', 'users.id', 'invites.invited_by')
        .select(['invites.id', 'invites.email', 'invites.role'])
        .select(['invites.created_at', 'invites.expires_at', 'users.email as inviter'])
        .where('organization_id', '=', organizationId)
        .where(isPending(now))
        .orderBy('invites.created_at', 'desc')
        .orderBy('invites.id')
        .execute()
    },

    async countPending(organizationId: string, now: Timestamp): Promise<number> {
      const row = await db
        .selectFrom('invites')
        .select((invite) => invite.fn.countAll<number | string>().as('rows'))
        .where('organization_id', '=', organizationId)
        .where(isPending(now))
        .executeTakeFirstOrThrow()
      return Number(row.rows)
    },

    findPending(tokenHash: string, now: Timestamp): Promise<InviteRow | undefined> {
      return db
        .selectFrom('invites')
        .selectAll()
        .where('token_hash', '=', tokenHash)
        .where(isPending(now))
        .executeTakeFirst()
    },

    findPendingFor(
      organizationId: string,
      emailKey: string,
      now: Timestamp,
    ): Promise<InviteRow | undefined> {
      return db
        .selectFrom('invites')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('email_key', '=', emailKey)
        .where(isPending(now))
        .executeTakeFirst()
    },

    async insert(invite: InviteRow): Promise<void> {
      await db.insertInto('invites').values(invite).execute()
    },

    ...endings(db),
  }
}

function endings(db: Kysely<Tables>) {
  return {
    /**
     * Returns the invite to the one caller that accepts it; undefined unless it is pending and for that
     * address.
     */
    accept(tokenHash: string, emailKey: string, now: Timestamp): Promise<InviteRow | undefined> {
      return db
        .updateTable('invites')
        .set({ accepted_at: now })
        .where('token_hash', '=', tokenHash)
        .where('email_key', '=', emailKey)
        .where(isPending(now))
        .returningAll()
        .executeTakeFirst()
    },

    /** Returns the invite before the change; undefined unless it is pending. */
    revoke(organizationId: string, id: string, now: Timestamp): Promise<InviteRow | undefined> {
      return db
        .updateTable('invites')
        .set({ revoked_at: now })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .where(isPending(now))
        .returningAll()
        .executeTakeFirst()
    },

    async revokeForAddress(organizationId: string, emailKey: string, at: Timestamp): Promise<void> {
      await db
        .updateTable('invites')
        .set({ revoked_at: at })
        .where('organization_id', '=', organizationId)
        .where('email_key', '=', emailKey)
        .where(isPending(at))
        .execute()
    },

    /** Revokes all pending invites that the user has created. */
    async revokeByInviter(
      organizationId: string,
      userId: string,
      invitedTo: readonly Role[],
      at: Timestamp,
    ): Promise<void> {
      await db
        .updateTable('invites')
        .set({ revoked_at: at })
        .where('organization_id', '=', organizationId)
        .where('invited_by', '=', userId)
        .where('role', 'in', invitedTo)
        .where(isPending(at))
        .execute()
    },
  }
}

function isPending(now: Timestamp) {
  return (invite: ExpressionBuilder<Tables, 'invites'>) =>
    invite.and([
      invite('accepted_at', 'is', null),
      invite('revoked_at', 'is', null),
      invite('expires_at', '>', now),
    ])
}
