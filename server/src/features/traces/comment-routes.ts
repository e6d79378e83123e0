import {
  type Comment,
  createComment,
  listComments,
  removeComment,
} from '@assay/contract/comments.ts'
import type { Bind, CallReadOptions } from '../../http/call.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import { newOrderedId } from '../../platform/ids.ts'
import type { ReadComment } from '../../storage/accounts/comment-store.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import { addComment } from './add-comment.ts'

/*
 * Comments on traces.
 */

interface CommentPorts {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly telemetry: TelemetryStore
  readonly clock: Clock
}

export function registerComments({ bind, accounts, telemetry, clock }: CommentPorts): void {
  const checkTrace = async (projectId: string, traceId: string, readOptions: CallReadOptions) => {
    if ((await telemetry.findTrace(projectId, traceId, readOptions)) === undefined) {
      throw new Failure('NOT_FOUND', 'Trace not found.')
    }
  }

  bind(listComments, async ({ caller: { projectId }, params: { traceId }, query, readOptions }) => {
    await checkTrace(projectId, traceId, readOptions)
    const { limit, cursor: after } = query
    const total = await accounts.comments.count(projectId, traceId)
    // One more than requested shows whether there is a next page.
    const rows = await accounts.comments.list(projectId, traceId, { limit: limit + 1, after })
    const data = rows.slice(0, limit).map(toApiComment)
    const last = rows.length > limit ? data.at(-1) : undefined
    return { data, meta: { pageSize: data.length, cursor: last?.id ?? null, total } }
  })

  bind(createComment, async ({ caller, params: { traceId }, body, readOptions }) => {
    const { projectId, user } = caller
    await checkTrace(projectId, traceId, readOptions)
    const comment = {
      id: newOrderedId(),
      project_id: projectId,
      trace_id: traceId,
      author_id: user.id,
      text: body.text,
      created_at: clock.now().toISOString(),
    }
    await addComment(comment, accounts)
    return toApiComment({ ...comment, author_name: user.name })
  })

  bind(removeComment, async ({ caller: { projectId, user }, params }) => {
    const { traceId, commentId } = params
    const isRemoved = await accounts.comments.remove(projectId, traceId, user.id, commentId)
    if (!isRemoved) throw new Failure('NOT_FOUND', 'Comment not found.')
    return { status: 'removed' as const }
  })
}

function toApiComment({
  id,
  trace_id,
  author_id,
  author_name,
  text,
  created_at,
}: ReadComment): Comment {
  const author =
    author_id === null || author_name === null ? null : { id: author_id, name: author_name }
  return { id, trace_id, author, text, created_at }
}
