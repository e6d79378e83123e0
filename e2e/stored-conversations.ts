import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { conversationRow, insertRows } from '../server/test/conversation-rows.ts'
import type { RunningService, SetUpService } from './running-service.ts'

export interface StoredConversation {
  readonly title: string
  readonly updatedAt: Date
}

/** Stores conversations of the first person in the data folder of a running service. Returns their IDs. */
export async function storeConversations(
  { dataDir }: RunningService,
  { user, project }: SetUpService,
  conversations: readonly StoredConversation[],
): Promise<readonly string[]> {
  const owner = { project_id: project.id, user_id: user.id }
  const rows = conversations.map(({ title, updatedAt }) => {
    const at = updatedAt.toISOString()
    return conversationRow(owner, { title, created_at: at, updated_at: at })
  })
  const database = new DatabaseSync(join(dataDir, 'accounts.sqlite'), { timeout: 5000 })
  const query = async (statement: string) => database.prepare(statement).all() as never
  await insertRows({ query }, 'conversations', rows)
  database.close()
  return rows.map(({ id }) => id)
}
