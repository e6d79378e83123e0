import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Timestamp } from './column-types.ts'
import type { Tables } from './tables.ts'

export interface Expiry {
  readonly now: Timestamp
  /** Sessions that were last used at or before it have expired too. */
  readonly idleSince: Timestamp
}

/** Each can have megabytes of messages, which are removed with it. */
const conversationsAtOnce = 2

/** Rows that can no longer be used: expired ones, and invites that were accepted or revoked. */
export function expiredRowStore(db: Kysely<Tables>) {
  return {
    /** Removes at most `limit` rows of each table and returns how many in total. */
    async remove({ now, idleSince }: Expiry, limit: number): Promise<number> {
      const isExpired = sql<boolean>`expires_at <= ${now}`
      const tables: readonly Expiring[] = [
        ['session_transfers', 'code_hash', isExpired],
        ['password_links', 'user_id', isExpired],
        ['sso_flows', 'state_hash', isExpired],
        ['sso_used_assertions', 'assertion_id', isExpired],
        ['rate_counters', 'key_hash', isExpired],
        ['audit_repeats', 'key', isExpired],
        ['chat_attachments', 'id', isExpired],
        ['conversations', 'id', isExpired],
        ['sessions', 'id', sql<boolean>`(${isExpired} or last_seen_at <= ${idleSince})`],
        [
          ...(['invites', 'id'] as const),
          sql<boolean>`(${isExpired} or accepted_at is not null or revoked_at is not null)`,
        ],
      ]
      let removed = 0
      for (const [table, key, condition] of tables) {
        const most = table === 'conversations' ? Math.min(limit, conversationsAtOnce) : limit
        const rows = sql`select ${sql.ref(key)} from ${sql.table(table)} where ${condition} limit ${most}`
        const { numAffectedRows = 0n } =
          await sql`delete from ${sql.table(table)} where ${sql.ref(key)} in (${rows}) and ${condition}`.execute(
            db,
          )
        removed += Number(numAffectedRows)
      }
      return removed
    },
  }
}

type Expiring = readonly [table: keyof Tables, key: string, condition: RawBuilder<boolean>]
