import { limits } from '@assay/contract/limits.ts'
import { chatMessageRow, conversationRow, insertRows } from '../../server/test/conversation-rows.ts'
import { stored } from './attack.ts'

/*
 * Conversations of an attacker, inserted into the accounts database of a running service: through the interface, each
 * message would be a call of a model.
 */

/** Runs a statement on the accounts database. */
export type QueryAccounts = (statement: string) => Promise<readonly Record<string, unknown>[]>

/** As many and as long ones as the limits allow, at scale 1. */
export async function fillConversations(
  query: QueryAccounts,
  { email, projectId, scale }: { email: string; projectId: string; scale: number },
): Promise<void> {
  const [user] = await query(`select id from users where email_key = '${email}'`)
  const owner = { project_id: projectId, user_id: String(user?.['id']) }
  const title = 'a'.repeat(limits.conversationTitleLength.value)
  const count = Math.ceil(limits.conversations.value * scale) - 1
  const others = Array.from({ length: count }, () => conversationRow(owner, { title }))
  const longest = conversationRow(owner, { id: stored.conversationId })
  await insertRows({ query }, 'conversations', [longest, ...others])
  const messages = Math.ceil(limits.chatMessages.value * scale)
  const length = limits.conversationTextLength.value / limits.chatMessages.value
  const content = '"é" '.repeat(length / 4)
  const rows = Array.from({ length: messages }, () => chatMessageRow(longest.id, { content }))
  await insertRows({ query }, 'chat_messages', rows)
}
