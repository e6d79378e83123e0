import type { Kysely } from 'kysely'
import type { SessionRow, SessionTokenRow, Tables, Timestamp, UserRow } from './tables.ts'

/** A session with the person it belongs to. */
export type SessionOfUser = Pick<SessionRow, 'id' | 'user_id' | 'last_seen_at' | 'expires_at'> &
  Pick<UserRow, 'email' | 'name' | 'is_super_admin' | 'disabled_at'>

export function sessionStore(db: Kysely<Tables>) {
  return {
    /** Also a session that has run out: when one ends is not decided here. */
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

    /** Also a session that has run out. */
    find(id: string): Promise<SessionRow | undefined> {
      return db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()
    },

    /** Newest use first, also those that have run out. */
    ofUser(userId: string): Promise<SessionRow[]> {
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

    async insertToken(token: SessionTokenRow): Promise<void> {
      await db.insertInto('session_tokens').values(token).execute()
    },

    /** Notes that the session was used. Never moves the note backwards. */
    async touch(id: string, at: Timestamp): Promise<void> {
      await db
        .updateTable('sessions')
        .set({ last_seen_at: at })
        .where('id', '=', id)
        .where('last_seen_at', '<', at)
        .execute()
    },

    /** With all its tokens. False when the person has no session of that id. */
    async remove(userId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('sessions')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return numDeletedRows === 1n
    },

    /** All of the person's but `except`; how many there were. */
    async removeOfUser(userId: string, except?: string): Promise<number> {
      let query = db.deleteFrom('sessions').where('user_id', '=', userId)
      if (except !== undefined) query = query.where('id', '<>', except)
      const { numDeletedRows } = await query.executeTakeFirst()
      return Number(numDeletedRows)
    },

    /** Forgets the user's sessions that are past their end or were last used at `idleSince` or before. */
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
