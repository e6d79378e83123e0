import {
  type AppendMessage,
  type ThreadMessage,
  useExternalStoreRuntime,
} from '@assistant-ui/react'
import { useMemo, useSyncExternalStore } from 'react'
import type { AttachmentUploads } from './attachment-uploads.ts'
import type { ConversationThread } from './conversation-thread.ts'
import { findMessage, selectedBranch } from './message-tree.ts'
import type { ThreadState } from './thread-state.ts'
import { toRuntimeMessages } from './to-runtime-messages.ts'

interface Options {
  readonly thread: ConversationThread
  readonly modelConfigId: string | undefined
  readonly uploads: AttachmentUploads
  readonly isSendDisabled: boolean
  /** How many messages are shown, from the end. */
  readonly messageCount: number
}

export function useThreadState(thread: ConversationThread): ThreadState {
  return useSyncExternalStore(thread.subscribe, thread.getState)
}

/** The reply at the end of the branch that is shown, if it is being written. */
export function findShownReply({ tree, live }: ThreadState): string | undefined {
  const last = selectedBranch(tree).at(-1)
  return last !== undefined && live.has(last.id) ? last.id : undefined
}

/** Connects a conversation with the components of assistant-ui. */
export function useThreadRuntime(options: Options) {
  const { thread, modelConfigId, uploads, isSendDisabled, messageCount } = options
  const state = useThreadState(thread)
  const { tree } = state
  const messageRepository = useMemo(
    () => toRuntimeMessages(tree, messageCount),
    [tree, messageCount],
  )
  const shownReply = findShownReply(state)
  const parentOf = (id: string | null) => findMessage(tree, id ?? '')?.parent_id ?? null
  function toSent(message: AppendMessage, parentId: string | null) {
    const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    return {
      ...{ text, parentId, modelConfigId },
      attachments: (message.attachments ?? []).flatMap(({ id }) => uploads.find(id) ?? []),
    }
  }
  return useExternalStoreRuntime<ThreadMessage>({
    messageRepository,
    isRunning: shownReply !== undefined,
    isSendDisabled,
    adapters: { attachments: uploads.adapter },
    // Present, it enables the branch picker. The tree has the selection.
    setMessages: () => {},
    // oxlint-disable-next-line typescript/no-deprecated -- there is no other event for it, and the version is pinned
    unstable_onBranchChange({ headId }) {
      if (headId !== null) thread.select(headId)
    },
    onNew: async (message) => thread.send(toSent(message, tree.selectedId)),
    // The parents are those of the tree: the first message that is shown has none here.
    onEdit: async (message) => thread.send(toSent(message, parentOf(message.sourceId))),
    onReload: async (_parentId, { sourceId }) => {
      const parentId = parentOf(sourceId)
      if (parentId !== null) thread.regenerate(parentId, modelConfigId)
    },
    onCancel: async () => {
      if (shownReply !== undefined) thread.stop(shownReply)
    },
  })
}
