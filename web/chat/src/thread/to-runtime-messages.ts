import type { ConversationMessage } from '@assay/contract/conversations.ts'
import { fromThreadMessageLike, type ThreadMessage } from '@assistant-ui/react'
import { type MessageTree, selectedBranch } from './message-tree.ts'

/*
 * Our messages as those of assistant-ui, whose components read ids, roles and branches from them. The text of a reply
 * that is being written is not in them: it changes too often.
 */

/** A message that has not changed stays the same object, so that it is not rendered again. */
const converted = new WeakMap<ConversationMessage, ThreadMessage>()

/**
 * The end of the branch that is shown: the components take time for each message that they know of, whether it is
 * rendered or not. The first has no parent here.
 */
export function toRuntimeMessages(tree: MessageTree, count: number) {
  const branch = selectedBranch(tree)
  const shown = branch.slice(Math.max(0, branch.length - count))
  return {
    headId: tree.selectedId,
    messages: shown.map((message, place) => ({
      message: toRuntimeMessage(message),
      parentId: shown[place - 1]?.id ?? null,
    })),
  }
}

/** Our message in one of assistant-ui. */
export function storedMessage({ metadata }: Pick<ThreadMessage, 'metadata'>): ConversationMessage {
  return metadata.custom['stored'] as ConversationMessage
}

function toRuntimeMessage(message: ConversationMessage): ThreadMessage {
  const known = converted.get(message)
  if (known !== undefined) return known
  const { id, role, content, created_at } = message
  // oxlint-disable-next-line typescript/no-deprecated -- nothing else makes its messages, and the version is pinned
  const result = fromThreadMessageLike(
    {
      ...{ id, role },
      content: [{ type: 'text', text: content }],
      createdAt: new Date(created_at),
      metadata: { custom: { stored: message } },
    },
    id,
    message.status === 'streaming' ? { type: 'running' } : { type: 'complete', reason: 'stop' },
  )
  converted.set(message, result)
  return result
}
