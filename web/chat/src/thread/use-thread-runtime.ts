import {
  type AppendMessage,
  type ThreadMessage,
  useExternalStoreRuntime,
} from '@assistant-ui/react'
import { useMemo, useSyncExternalStore } from 'react'
import type { AttachmentUploads } from './attachment-uploads.ts'
import type { ConversationThread } from './conversation-thread.ts'
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
  const { selectedId } = tree
  return selectedId !== null && live.has(selectedId) ? selectedId : undefined
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
  function toSent(message: AppendMessage) {
    const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    return {
      ...{ text, parentId: tree.selectedId, modelConfigId },
      attachments: (message.attachments ?? []).flatMap(({ id }) => uploads.find(id) ?? []),
    }
  }
  return useExternalStoreRuntime<ThreadMessage>({
    messageRepository,
    isRunning: shownReply !== undefined,
    isSendDisabled,
    adapters: { attachments: uploads.adapter },
    onNew: async (message) => thread.send(toSent(message)),
    onCancel: async () => {
      if (shownReply !== undefined) thread.stop(shownReply)
    },
  })
}
