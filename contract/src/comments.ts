import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { appBody, id, inTrace, pageMeta, pageQuery, pathId, removed, timestamp } from './fields.ts'
import { limits } from './limits.ts'

export const comment = z
  .object({
    id,
    trace_id: z.string(),
    author: z
      .object({ id, name: z.string() })
      .nullable()
      .describe('null when the account no longer exists'),
    text: z.string(),
    created_at: timestamp,
  })
  .meta({ id: 'Comment' })
export type Comment = z.output<typeof comment>

export const listComments = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/traces/{traceId}/comments',
  tag: 'Traces',
  summary: 'List the comments on a trace, oldest first',
  access: { by: 'session', of: 'project', anyOf: ['manage_comments'] },
  cost: 'expensive',
  params: inTrace,
  query: pageQuery,
  success: {
    status: 200,
    data: z.array(comment),
    meta: pageMeta.extend({ total: z.int().describe('all comments on the trace') }),
  },
  errors: ['NOT_FOUND', 'INTERNAL_ERROR 503'],
})

export const createComment = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/traces/{traceId}/comments',
  tag: 'Traces',
  summary: 'Comment on a trace',
  description: `Comments are moved and removed together with their trace. A trace with ${limits.commentsPerTrace.value} comments accepts no more, nor does a project from a user with ${limits.commentsPerUser.value.toLocaleString('en-US')} in it: \`CONFLICT\`.`,
  access: { by: 'session', of: 'project', anyOf: ['manage_comments'] },
  cost: 'expensive',
  params: inTrace,
  body: appBody(z.object({ text: z.string().trim().min(1).max(limits.commentLength.value) })),
  success: { status: 201, data: comment },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const removeComment = endpoint({
  method: 'DELETE',
  path: '/projects/{projectId}/traces/{traceId}/comments/{commentId}',
  tag: 'Traces',
  summary: 'Remove one of your comments on a trace',
  description: 'A comment of another user is `NOT_FOUND`.',
  access: { by: 'session', of: 'project', anyOf: ['manage_comments'] },
  cost: 'cheap',
  params: inTrace.extend({ commentId: pathId }),
  success: removed,
  errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
})
