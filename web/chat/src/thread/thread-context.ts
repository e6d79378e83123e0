import type { ConversationMessage } from '@assay/contract/conversations.ts'
import { useAuiState } from '@assistant-ui/react'
import { createContext, use, useSyncExternalStore } from 'react'
import type { AttachmentUploads } from './attachment-uploads.ts'
import type { ConversationThread } from './conversation-thread.ts'
import type { LiveReplyState } from './live-reply.ts'
import { findMessage } from './message-tree.ts'
import { storedMessage } from './to-runtime-messages.ts'

/*
 * What the parts of a conversation need from its page.
 */

export interface ThreadContextValue {
  readonly thread: ConversationThread
  readonly uploads: AttachmentUploads
  readonly modelConfigId: string | undefined
  /** The address of a trace in the tracing product. */
  readonly traceUrl: (traceId: string) => string
}

export const ThreadContext = createContext<ThreadContextValue | undefined>(undefined)

export function useThreadContext(): ThreadContextValue {
  const value = use(ThreadContext)
  if (value === undefined) throw new Error('This component is not part of a conversation.')
  return value
}

/**
 * The message that is rendered. Components of assistant-ui have it a moment later than the conversation: at the end of a
 * reply, its text would vanish for a frame.
 */
export function useMessage(): ConversationMessage {
  const { thread } = useThreadContext()
  const rendered = useAuiState(({ message }) => storedMessage(message))
  const current = useSyncExternalStore(thread.subscribe, () =>
    findMessage(thread.getState().tree, rendered.id),
  )
  return current ?? rendered
}

/** The reply with this id while it is written. */
export function useLiveReply(id: string): LiveReplyState | undefined {
  const { thread } = useThreadContext()
  const reply = useSyncExternalStore(thread.subscribe, () => thread.getState().live.get(id))
  return useSyncExternalStore(reply?.subscribe ?? subscribeToNothing, () => reply?.getState())
}

const subscribeToNothing = () => () => {}

const noNotices: readonly string[] = []

/** Notices of a reply that was read here. */
export function useThreadNotices(id: string): readonly string[] {
  const { thread } = useThreadContext()
  return useSyncExternalStore(
    thread.subscribe,
    () => thread.getState().notices.get(id) ?? noNotices,
  )
}
