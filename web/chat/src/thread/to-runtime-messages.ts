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
 * The end of the branch that is shown, with the alternatives to its messages: the components take time for each message
 * that they know of, whether it is rendered or not. The first has no parent here.
 */
export function toRuntimeMessages(tree: MessageTree, count: number) {
  const branch = selectedBranch(tree)
  const shown = branch.slice(Math.max(0, branch.length - count))
  const parents = new Set(shown.map(({ parent_id }) => parent_id))
  const ids = new Set(shown.map(({ id }) => id))
  return {
    headId: tree.selectedId,
    messages: tree.messages
      .filter(({ parent_id }) => parents.has(parent_id))
      .map((message) => ({
        message: toRuntimeMessage(message),
        parentId:
          message.parent_id !== null && ids.has(message.parent_id) ? message.parent_id : null,
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
