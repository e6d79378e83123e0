import type { ExpressionBuilder, Kysely } from 'kysely'
import type { Timestamp } from './column-types.ts'
import type { ReviewItemRow, ReviewQueueRow } from './review-tables.ts'
import type { Tables } from './tables.ts'

/** How many traces of a queue have each status. */
export interface ReviewCount {
  readonly queue_id: string
  readonly status: ReviewItemRow['status']
  readonly count: number
}

/** Who holds an item, and when. */
export interface ReviewHold {
  readonly userId: string
  readonly now: Timestamp
  readonly until: Timestamp
}

/** A statement with nine values per row must stay below the limit of the engines. */
const itemsPerInsert = 500

export function reviewQueueStore(db: Kysely<Tables>) {
  return { ...queueStatements(db), ...itemReads(db), ...itemChanges(db) }
}

function queueStatements(db: Kysely<Tables>) {
  return {
    /** Newest first. */
    list(projectId: string): Promise<ReviewQueueRow[]> {
      return db
        .selectFrom('review_queues')
        .selectAll()
        .where('project_id', '=', projectId)
        .orderBy('id', 'desc')
        .execute()
    },

    find(projectId: string, id: string): Promise<ReviewQueueRow | undefined> {
      return db
        .selectFrom('review_queues')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('id', '=', id)
        .executeTakeFirst()
    },

    /** With its traces, in their order. */
    async insert(queue: ReviewQueueRow, traceIds: readonly string[]): Promise<void> {
      await db.insertInto('review_queues').values(queue).execute()
      const items = traceIds.map(
        (trace_id, index): ReviewItemRow => ({
          ...{ queue_id: queue.id, position: index + 1, project_id: queue.project_id, trace_id },
          ...{ status: 'open', reviewed_by: null, reviewed_at: null },
          ...{ held_by: null, held_until: null },
        }),
      )
      for (let at = 0; at < items.length; at += itemsPerInsert) {
        const some = items.slice(at, at + itemsPerInsert)
        await db.insertInto('review_items').values(some).execute()
      }
    },

    /** Returns the removed queue; undefined when the project has no such one. */
    remove(projectId: string, id: string): Promise<ReviewQueueRow | undefined> {
      return db
        .deleteFrom('review_queues')
        .where('project_id', '=', projectId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
    },
  }
}

function itemReads(db: Kysely<Tables>) {
  return {
    async counts(projectId: string, queueIds: readonly string[]): Promise<ReviewCount[]> {
      if (queueIds.length === 0) return []
      const rows = await db
        .selectFrom('review_items')
        .select((item) => [
          ...(['queue_id', 'status'] as const),
          item.fn.countAll<number | string>().as('count'),
        ])
        .where('queue_id', 'in', queueIds)
        .where('project_id', '=', projectId)
        .groupBy(['queue_id', 'status'])
        .execute()
      return rows.map(({ count, ...row }) => ({ ...row, count: Number(count) }))
    },

    findItem(
      projectId: string,
      queueId: string,
      position: number,
    ): Promise<ReviewItemRow | undefined> {
      return ofQueue(projectId, queueId).where('position', '=', position).executeTakeFirst()
    },

    /** The first ones after a position that are open and that no other person holds. */
    listFree(
      projectId: string,
      queueId: string,
      after: number,
      { userId, now }: Pick<ReviewHold, 'userId' | 'now'>,
      limit: number,
    ): Promise<ReviewItemRow[]> {
      return ofQueue(projectId, queueId)
        .where('status', '=', 'open')
        .where('position', '>', after)
        .where(isFree(userId, now))
        .orderBy('position')
        .limit(limit)
        .execute()
    },
  }

  function ofQueue(projectId: string, queueId: string) {
    return db
      .selectFrom('review_items')
      .selectAll()
      .where('queue_id', '=', queueId)
      .where('project_id', '=', projectId)
  }
}

function itemChanges(db: Kysely<Tables>) {
  return {
    /** Holds an open item. False when another person holds it or it is not open. */
    async hold(
      projectId: string,
      queueId: string,
      position: number,
      { userId, now, until }: ReviewHold,
    ): Promise<boolean> {
      const { numUpdatedRows } = await update(projectId, queueId)
        .set({ held_by: userId, held_until: until })
        .where('position', '=', position)
        .where('status', '=', 'open')
        .where(isFree(userId, now))
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** Lets others review what a person holds, except one position. */
    async release(
      projectId: string,
      queueId: string,
      userId: string,
      exceptPosition: number | undefined,
    ): Promise<void> {
      await update(projectId, queueId)
        .set({ held_by: null, held_until: null })
        .where('held_by', '=', userId)
        .where('position', '<>', exceptPosition ?? 0)
        .execute()
    },

    async setReviewed(
      projectId: string,
      queueId: string,
      position: number,
      userId: string,
      at: Timestamp,
    ): Promise<void> {
      await update(projectId, queueId)
        .set({ status: 'reviewed', reviewed_by: userId, reviewed_at: at })
        .set({ held_by: null, held_until: null })
        .where('position', '=', position)
        .execute()
    },

    /** Open ones whose trace no longer exists. */
    async setRemoved(
      projectId: string,
      queueId: string,
      positions: readonly number[],
    ): Promise<void> {
      if (positions.length === 0) return
      await update(projectId, queueId)
        .set({ status: 'removed', held_by: null, held_until: null })
        .where('position', 'in', positions)
        .where('status', '=', 'open')
        .execute()
    },
  }

  function update(projectId: string, queueId: string) {
    return db
      .updateTable('review_items')
      .where('queue_id', '=', queueId)
      .where('project_id', '=', projectId)
  }
}

function isFree(userId: string, now: Timestamp) {
  return (item: ExpressionBuilder<Tables, 'review_items'>) =>
    item.or([
      item('held_by', 'is', null),
      item('held_by', '=', userId),
      item('held_until', '<=', now),
    ])
}
