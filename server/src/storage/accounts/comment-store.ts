import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'
import type { CommentRow } from './trace-tables.ts'

export type ReadComment = CommentRow & { readonly author_name: string | null }

interface Page {
  readonly limit: number
  readonly after: string | undefined
}

export function commentStore(db: Kysely<Tables>) {
  return {
    ...orphanStatements(db),

    /** At most `limit` comments after the one with the id `after`, oldest first. */
    list(projectId: string, traceId: string, { limit, after }: Page): Promise<ReadComment[]> {
      let comments = db
        .selectFrom('trace_comments')
        .leftJoin('users', 'users.id', 'trace_comments.author_id')
        .selectAll('trace_comments')
        .select('users.name as author_name')
        .where('project_id', '=', projectId)
        .where('trace_id', '=', traceId)
      if (after !== undefined) comments = comments.where('trace_comments.id', '>', after)
      return comments.orderBy('trace_comments.id').limit(limit).execute()
    },

    async count(projectId: string, traceId: string): Promise<number> {
      const row = await db
        .selectFrom('trace_comments')
        .select((comment) => comment.fn.countAll<number | string>().as('comments'))
        .where('project_id', '=', projectId)
        .where('trace_id', '=', traceId)
        .executeTakeFirstOrThrow()
      return Number(row.comments)
    },

    async countByAuthor(projectId: string, authorId: string): Promise<number> {
      const row = await db
        .selectFrom('trace_comments')
        .select((comment) => comment.fn.countAll<number | string>().as('comments'))
        .where('project_id', '=', projectId)
        .where('author_id', '=', authorId)
        .executeTakeFirstOrThrow()
      return Number(row.comments)
    },

    async insert(comment: CommentRow): Promise<void> {
      await db.insertInto('trace_comments').values(comment).execute()
    },

    /** False when it does not exist, or has another author. */
    async remove(
      projectId: string,
      traceId: string,
      authorId: string,
      id: string,
    ): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('trace_comments')
        .where('project_id', '=', projectId)
        .where('trace_id', '=', traceId)
        .where('author_id', '=', authorId)
        .where('id', '=', id)
        .executeTakeFirst()
      return numDeletedRows === 1n
    },

    /** With their trace, to another project. */
    async move(fromProjectId: string, projectId: string, traceId: string): Promise<void> {
      await db
        .updateTable('trace_comments')
        .set({ project_id: projectId })
        .where('project_id', '=', fromProjectId)
        .where('trace_id', '=', traceId)
        .execute()
    },

    async removeByTrace(projectId: string, traceId: string): Promise<void> {
      await db
        .deleteFrom('trace_comments')
        .where('project_id', '=', projectId)
        .where('trace_id', '=', traceId)
        .execute()
    },
  }
}

/** To find and remove comments of traces that do not exist. */
function orphanStatements(db: Kysely<Tables>) {
  return {
    /** Of all traces of a project, by id. */
    listAfter(
      projectId: string,
      afterId: string,
      limit: number,
    ): Promise<Pick<CommentRow, 'id' | 'trace_id'>[]> {
      return db
        .selectFrom('trace_comments')
        .select(['id', 'trace_id'])
        .where('project_id', '=', projectId)
        .where('id', '>', afterId)
        .orderBy('id')
        .limit(limit)
        .execute()
    },

    /** Removes comments of traces that no longer exist, except those of a trace that is being moved. */
    async removeOrphans(projectId: string, ids: readonly string[]): Promise<void> {
      await db
        .deleteFrom('trace_comments')
        .where('project_id', '=', projectId)
        .where('id', 'in', ids)
        .where('trace_id', 'not in', (query) =>
          query
            .selectFrom('trace_changes')
            .select('trace_id')
            .where('from_project_id', '=', projectId),
        )
        .execute()
    },
  }
}
