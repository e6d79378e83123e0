import type { ConversationMessage } from '@assay/contract/conversations.ts'
import { useThreadContext } from './thread-context.ts'
import { findShownReply, useThreadState } from './use-thread-runtime.ts'

/** Requests another reply in place of this one. Undefined while one is written. */
export function useRegenerate({
  parent_id: questionId,
}: ConversationMessage): (() => void) | undefined {
  const { thread, modelConfigId } = useThreadContext()
  const isWriting = findShownReply(useThreadState(thread)) !== undefined
  if (isWriting || questionId === null) return undefined
  return () => thread.regenerate(questionId, modelConfigId)
}
