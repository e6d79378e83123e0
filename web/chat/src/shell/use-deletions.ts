import type { Conversation } from '@assay/contract/conversations.ts'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useRemoveConversation, useRestoreConversation } from '../api/conversations.ts'
import { formatTitle } from './conversation-title.ts'

export interface Deletion {
  readonly conversation: Conversation
  /** Where its page was open. */
  readonly page: { readonly orgSlug: string; readonly projectSlug: string } | undefined
}

/** What was deleted last, for as long as the app is open, and how to undo it. */
export interface Deletions {
  readonly last: Deletion | undefined
  /** Why the last deletion or restoration failed. */
  readonly problem: string | undefined
  readonly isRestoring: boolean
  readonly remove: (conversation: Conversation) => void
  readonly undo: () => void
  readonly dismiss: () => void
}

export function useDeletions(): Deletions {
  const [deleted, setDeleted] = useState<readonly Deletion[]>([])
  const [problem, setProblem] = useState<string>()
  const { orgSlug, projectSlug, conversationId } = useParams({ strict: false })
  const navigate = useNavigate()
  const removing = useRemoveConversation()
  const restoring = useRestoreConversation()
  const last = deleted.at(-1)

  function remove(conversation: Conversation): void {
    const isOpen = conversation.id === conversationId
    const page =
      isOpen && orgSlug !== undefined && projectSlug !== undefined
        ? { orgSlug, projectSlug }
        : undefined
    setProblem(undefined)
    if (page !== undefined) void navigate({ to: '/$orgSlug/$projectSlug', params: page })
    removing
      .mutateAsync(conversation)
      .then(() => setDeleted((before) => [...before, { conversation, page }]))
      .catch((error: Error) =>
        setProblem(`Could not delete “${formatTitle(conversation)}”: ${error.message}`),
      )
  }

  function undo(): void {
    if (last === undefined || restoring.isPending) return
    const { conversation, page } = last
    setProblem(undefined)
    restoring
      .mutateAsync(conversation)
      .then(async () => {
        if (page === undefined) return
        const params = { ...page, conversationId: conversation.id }
        await navigate({ to: '/$orgSlug/$projectSlug/c/$conversationId', params })
      })
      .catch((error: Error) =>
        setProblem(`Could not restore “${formatTitle(conversation)}”: ${error.message}`),
      )
      .finally(() => setDeleted((before) => before.filter((one) => one !== last)))
  }

  function dismiss(): void {
    setDeleted([])
    setProblem(undefined)
  }

  return { last, problem, isRestoring: restoring.isPending, remove, undo, dismiss }
}
