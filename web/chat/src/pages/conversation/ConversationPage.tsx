import { modelConfigsQuery } from '@assay/account/api/model-configs.ts'
import { useProducts } from '@assay/account/api/session.ts'
import { productLink } from '@assay/account/session-transfer/transfer-links.ts'
import { PageLoading } from '@assay/account/shell/PageLoading.tsx'
import { RequestProblem } from '@assay/account/shell/RequestProblem.tsx'
import { useTitle } from '@assay/account/shell/use-title.ts'
import { ApiError } from '@assay/contract/client.ts'
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { uploadAttachment } from '../../api/chat-attachments.ts'
import { conversationQuery } from '../../api/chat-conversation.ts'
import { isSealed } from '../../api/sealed-turn.ts'
import { useEncryptionPlace } from '../../shell/use-encryption-place.ts'
import { useProject } from '../../shell/use-project.ts'
import { openAttachmentUploads } from '../../thread/attachment-uploads.ts'
import type { ConversationThread } from '../../thread/conversation-thread.ts'
import { randomId } from '../../thread/random-id.ts'
import { ThreadView } from '../../thread/ThreadView.tsx'
import { useThreadState } from '../../thread/use-thread-runtime.ts'
import { MissingConversation } from './MissingConversation.tsx'
import { ModelPicker } from './ModelPicker.tsx'
import { NewConversation } from './NewConversation.tsx'
import { NoModels } from './NoModels.tsx'
import { UnreadableNotice } from './UnreadableNotice.tsx'
import { useChosenModel } from './use-chosen-model.ts'
import { useThreads } from './use-threads.ts'

/** A conversation, or a new one. */
export function ConversationPage() {
  const { conversationId } = useParams({ strict: false })
  const thread = useThreads().open(conversationId)
  return <OpenConversation key={thread.key} thread={thread} conversationId={conversationId} />
}

interface Props {
  readonly thread: ConversationThread
  readonly conversationId: string | undefined
}

function OpenConversation({ thread, conversationId }: Props) {
  const { organization, project } = useProject()
  const models = useQuery(modelConfigsQuery(organization.id))
  const { chosen, choose } = useChosenModel(project.id, models.data ?? [])
  const stored = useStoredConversation(thread, conversationId)
  const place = useEncryptionPlace({ organization, project })
  const queryClient = useQueryClient()
  const [uploads] = useState(() =>
    openAttachmentUploads(async (file, onProgress, signal) => {
      const { conversationId: begunId } = thread.getState()
      const isStored = !(await isSealed(begunId, place, project, queryClient))
      return await uploadAttachment(file, isStored, onProgress, signal)
    }, randomId),
  )
  const tracing = useProducts()?.tracing ?? ''
  const draftKeyOf = (id = 'new') => `${project.id} ${id}`
  if (stored.problem !== undefined && isMissing(stored.problem)) {
    return (
      <MissingConversation
        error={stored.problem}
        draftKey={draftKeyOf(conversationId)}
        newDraftKey={draftKeyOf()}
        unsent={thread.getState().refused?.turn.message?.text}
      />
    )
  }
  if (stored.problem !== undefined) {
    return <RequestProblem isPage error={stored.problem} onRetry={stored.retry} />
  }
  if (models.isError) {
    return <RequestProblem isPage error={models.error} onRetry={() => void models.refetch()} />
  }
  if (stored.isLoading || models.isPending) return <PageLoading />
  const modelsUrl = productLink(tracing, `/o/${organization.id}/settings/models`)
  return (
    <>
      {!stored.isEmpty && <h1 className="visually-hidden">{stored.title}</h1>}
      <ThreadView
        thread={thread}
        uploads={uploads}
        modelConfigId={chosen?.id}
        traceUrl={(traceId) => productLink(tracing, `/p/${project.id}/traces/${traceId}`)}
        notice={stored.hasUnreadable && <UnreadableNotice />}
        draftKey={draftKeyOf(conversationId)}
        modelPicker={
          chosen !== undefined && (
            <ModelPicker models={models.data} selected={chosen} onSelect={choose} />
          )
        }
      >
        {chosen === undefined ? <NoModels modelsUrl={modelsUrl} /> : <NewConversation />}
      </ThreadView>
    </>
  )
}

/** Loads the conversation, follows its replies, and goes to its address when it gets one. */
function useStoredConversation(thread: ConversationThread, conversationId: string | undefined) {
  const { organization, project } = useProject()
  const { owner } = useEncryptionPlace({ organization, project })
  const navigate = useNavigate()
  const state = useThreadState(thread)
  const begunId = state.conversationId
  const { data, error, refetch } = useQuery(
    conversationId === undefined
      ? { ...conversationQuery('', owner), queryFn: skipToken }
      : conversationQuery(conversationId, owner),
  )
  const title = data?.title ?? (conversationId === undefined ? 'New conversation' : 'Conversation')
  useTitle(title)
  useEffect(() => thread.attach(), [thread])
  useEffect(() => {
    if (data !== undefined) thread.load(data)
  }, [thread, data])
  useEffect(() => {
    if (conversationId !== undefined || begunId === undefined) return
    const params = {
      orgSlug: organization.slug,
      projectSlug: project.slug,
      conversationId: begunId,
    }
    void navigate({ to: '/$orgSlug/$projectSlug/c/$conversationId', params, replace: true })
  }, [conversationId, begunId, organization.slug, project.slug, navigate])
  useEffect(() => {
    // Another window of the conversation may be in view, too: this one becomes current without being hidden before.
    const refresh = () => void refetch({ cancelRefetch: false })
    if (conversationId === undefined) return
    window.addEventListener('focus', refresh)
    return () => window.removeEventListener('focus', refresh)
  }, [conversationId, refetch])
  const isEmpty = state.tree.messages.length === 0
  return {
    ...{ title, isEmpty },
    hasUnreadable: data?.messages.some(({ isUnreadable }) => isUnreadable) === true,
    isLoading: conversationId !== undefined && isEmpty && data === undefined,
    // What is shown stays when it cannot be loaded again, unless it was deleted.
    problem: error !== null && (isEmpty || isMissing(error)) ? error : undefined,
    retry: () => void refetch(),
  }
}

const isMissing = (error: Error) => error instanceof ApiError && error.status === 404
