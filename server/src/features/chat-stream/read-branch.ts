import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ModelMessage } from '../../model-gateway/model-call.ts'
import type { BranchMessage } from '../../storage/accounts/chat-turn-store.ts'
import { messagePieces } from '../../storage/accounts/message-pieces.ts'
import { readAttachedTexts } from './attached-texts.ts'
import type { ChatStreamPorts } from './chat-stream-ports.ts'
import { withAttachments } from './context-messages.ts'
import type { Fitting } from './fit-context.ts'

/*
 * The stored messages of a branch, in pieces between which other requests are served.
 */

type Ports = Pick<ChatStreamPorts, 'accounts'>

const listedAtOnce = 250

export interface ConversationOwner {
  readonly userId: string
  readonly conversationId: string
}

/** The message and all before it, without texts, the newest first. */
export async function listWholeBranch(
  { userId, conversationId }: ConversationOwner,
  messageId: string,
  { accounts }: Ports,
): Promise<readonly BranchMessage[]> {
  const branch: BranchMessage[] = []
  for (let next: string | null = messageId; next !== null; ) {
    const part = { conversationId, messageId: next, limit: listedAtOnce }
    const some: BranchMessage[] = await accounts.chatTurns.listBranch(userId, part)
    branch.push(...some)
    next = some.length < listedAtOnce ? null : (some.at(-1)?.parent_id ?? null)
    await nextTurn()
  }
  return branch
}

/** The messages in the same order. Their texts are read when they are requested, those of attachments when they are loaded. */
export async function* readBranch(
  { userId, conversationId }: ConversationOwner,
  messages: readonly BranchMessage[],
  { accounts }: Ports,
): AsyncGenerator<Fitting<ModelMessage>> {
  const { chatTurns } = accounts
  for (const piece of messagePieces(messages)) {
    const [first] = piece
    if (first === undefined) return
    const texts = await chatTurns.listBranchTexts(userId, {
      ...{ conversationId, messageId: first.id, limit: piece.length },
    })
    for (const [at, { id, role, content }] of texts.entries()) {
      const attachedChars = piece[at]?.attachedChars ?? 0
      yield {
        length: content.length + attachedChars,
        async load() {
          const ids = attachedChars === 0 ? [] : await chatTurns.listAttachedIds(userId, id)
          const attached = readAttachedTexts(userId, ids, { accounts })
          return { role, content: await withAttachments(content, attached) }
        },
      }
    }
    await nextTurn()
  }
}
