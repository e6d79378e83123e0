import { ConversationThread } from './conversation-thread.ts'
import type { ThreadPorts } from './thread-state.ts'

/*
 * The conversations of a project that are open, or that have a message on its way.
 */

export interface ThreadRegistry {
  /** The conversation; without an id, the new one, until its first message was accepted. */
  readonly open: (conversationId: string | undefined) => ConversationThread
}

export function openThreadRegistry(ports: Omit<ThreadPorts, 'onLeave'>): ThreadRegistry {
  const threads = new Map<string, ConversationThread>()
  let fresh: ConversationThread | undefined

  function create(conversationId: string | undefined): ConversationThread {
    const thread: ConversationThread = new ConversationThread(conversationId, {
      ...ports,
      onBegin(id) {
        threads.set(id, thread)
        // A page that shows it goes to its address.
        if (fresh === thread && !thread.isShown) fresh = undefined
        ports.onBegin(id)
      },
      onLeave(id) {
        if (threads.get(id) === thread) threads.delete(id)
      },
    })
    return thread
  }

  return {
    open(conversationId) {
      if (conversationId === undefined) {
        fresh ??= create(undefined)
        return fresh
      }
      if (fresh?.getState().conversationId === conversationId) fresh = undefined
      const thread = threads.get(conversationId) ?? create(conversationId)
      threads.set(conversationId, thread)
      return thread
    },
  }
}
