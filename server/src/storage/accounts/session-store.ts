import type { Kysely } from 'kysely'
import type { Timestamp } from './column-types.ts'
import type { UserRow } from './people-tables.ts'
import { removeOldest } from './remove-oldest.ts'
import type { SessionRow, SessionTokenRow } from './session-tables.ts'
import type { Tables } from './tables.ts'

/** A session with its user. */
export type SessionOfUser = Pick<SessionRow, 'id' | 'user_id' | 'last_seen_at' | 'expires_at'> &
  Pick<UserRow, 'email' | 'name' | 'is_super_admin' | 'disabled_at'>

export function sessionStore(db: Kysely<Tables>) {
  return {
    ...tokenStatements(db),

    /** Includes expired sessions: the caller decides when a session ends. */
    findWithUser(tokenHash: string): Promise<SessionOfUser | undefined> {
      return db
        .selectFrom('session_tokens')
        .innerJoin('sessions', 'sessions.id', 'session_tokens.session_id')
        .innerJoin('users', 'users.id', 'sessions.user_id')
        .select(['sessions.id', 'sessions.user_id', 'sessions.last_seen_at', 'sessions.expires_at'])
        .select(['users.email', 'users.name', 'users.is_super_admin', 'users.disabled_at'])
        .where('session_tokens.token_hash', '=', tokenHash)
        .executeTakeFirst()
    },

    /** Includes expired sessions. */
    find(id: string): Promise<SessionRow | undefined> {
      return db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()
    },

    /** Most recently used first, including expired ones. */
    list(userId: string): Promise<SessionRow[]> {
      return db
        .selectFrom('sessions')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('last_seen_at', 'desc')
        .orderBy('id')
        .execute()
    },

    async insert(session: SessionRow): Promise<void> {
      await db.insertInto('sessions').values(session).execute()
    },

    /** Records that the session was used. Never moves the time backwards. */
    async touch(id: string, at: Timestamp): Promise<void> {
      await db
        .updateTable('sessions')
        .set({ last_seen_at: at })
        .where('id', '=', id)
        .where('last_seen_at', '<', at)
        .execute()
    },

    /** Removes it with all its tokens. False when the user has no session with that id. */
    async remove(userId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('sessions')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return numDeletedRows === 1n
    },

    /** Removes all sessions of the user except `except` and returns how many. */
    async removeByUser(userId: string, except?: string): Promise<number> {
      let query = db.deleteFrom('sessions').where('user_id', '=', userId)
      if (except !== undefined) query = query.where('id', '<>', except)
      const { numDeletedRows } = await query.executeTakeFirst()
      return Number(numDeletedRows)
    },

    /** Removes the user's sessions that have expired or were last used at or before `idleSince`. */
    async removeExpired(userId: string, now: Timestamp, idleSince: Timestamp): Promise<void> {
      await db
        .deleteFrom('sessions')
        .where('user_id', '=', userId)
        .where((row) =>
          row.or([row('expires_at', '<=', now), row('last_seen_at', '<=', idleSince)]),
        )
        .execute()
    },
  }
}

function tokenStatements(db: Kysely<Tables>) {
  return {
    async insertToken(token: SessionTokenRow): Promise<void> {
      await db.insertInto('session_tokens').values(token).execute()
    },

    /** Removes all but the newest `kept` of a session. */
    async removeOldestTokens(sessionId: string, kept: number): Promise<void> {
      const columns = { hash: 'token_hash', time: 'created_at' } as const
      await removeOldest(db, 'session_tokens', columns, sessionId, kept)
    },
  }
}
