import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** The id of the conversation if it belongs to the user, for conditions on its messages and keys. Also of a removed one. */
export function ownConversation(db: Kysely<Tables>, userId: string, conversationId: string) {
  return db
    .selectFrom('conversations as own')
    .select('own.id')
    .where('own.user_id', '=', userId)
    .where('own.id', '=', conversationId)
}
