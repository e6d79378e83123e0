import { limits } from '@assay/contract/limits.ts'
import { checkListLimit } from '../../accounts/list-limit.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { CommentRow } from '../../storage/accounts/trace-tables.ts'

/** Throws CONFLICT when the trace, or the user in the project, has as many comments as it can have. */
export function addComment(comment: CommentRow, accounts: Accounts): Promise<void> {
  return accounts.transaction(async ({ projects, comments }) => {
    await projects.lock(comment.project_id)
    const count = await comments.count(comment.project_id, comment.trace_id)
    checkListLimit(count, limits.commentsPerTrace, 'A trace', 'Delete a comment first.')
    const own =
      comment.author_id === null
        ? 0
        : await comments.countByAuthor(comment.project_id, comment.author_id)
    checkListLimit(own, limits.commentsPerUser, 'A user', 'Delete a comment first.')
    await comments.insert(comment)
  })
}
