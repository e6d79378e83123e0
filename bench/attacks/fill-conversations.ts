import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { limits } from '@assay/contract/limits.ts'
import type { RunningService } from '../../e2e/running-service.ts'
import { chatMessageRow, conversationRow, insertRows } from '../../server/test/conversation-rows.ts'
import { stored } from './attack.ts'

/*
 * Conversations of an attacker, inserted into the accounts file of a running service: through the interface, each
 * message would be a call of a model.
 */

/** As many and as long ones as the limits allow, at scale 1. */
export async function fillConversations(
  { dataDir }: Pick<RunningService, 'dataDir'>,
  { email, projectId, scale }: { email: string; projectId: string; scale: number },
): Promise<void> {
  const database = new DatabaseSync(join(dataDir, 'accounts.sqlite'), { timeout: 10_000 })
  const query = async (statement: string) => database.prepare(statement).all()
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
  database.close()
}
