import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AttachedText } from '../../storage/accounts/chat-turn-store.ts'
import type { ChatStreamPorts } from './chat-stream-ports.ts'

/**
 * The texts of attachments of a user, without those that are gone. Each is read when it is requested, and other requests
 * have their turn in between: on SQLite, a megabyte takes milliseconds.
 */
export async function* readAttachedTexts(
  userId: string,
  ids: readonly string[],
  { accounts }: Pick<ChatStreamPorts, 'accounts'>,
): AsyncGenerator<AttachedText> {
  for (const id of ids) {
    const found = await accounts.chatTurns.findAttachedText(userId, id)
    if (found !== undefined) yield found
    await nextTurn()
  }
}
