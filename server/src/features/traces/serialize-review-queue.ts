import type { ReviewQueue } from '@assay/contract/review-queues.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { ReviewItemRow, ReviewQueueRow } from '../../storage/accounts/review-tables.ts'

/** With the numbers of traces and the names of those who created the queues. */
export async function toApiReviewQueues(
  projectId: string,
  rows: readonly ReviewQueueRow[],
  { reviewQueues, users }: Pick<Accounts, 'reviewQueues' | 'users'>,
): Promise<ReviewQueue[]> {
  const counts = await reviewQueues.counts(
    projectId,
    rows.map(({ id }) => id),
  )
  const creators = [...new Set(rows.flatMap(({ created_by }) => created_by ?? []))]
  const names = new Map((await users.listNames(creators)).map(({ id, name }) => [id, name]))
  const countOf = (queueId: string, ...statuses: readonly ReviewItemRow['status'][]) =>
    counts
      .filter(({ queue_id, status }) => queue_id === queueId && statuses.includes(status))
      .reduce((sum, { count }) => sum + count, 0)
  return rows.map(({ project_id: _, filters, ...queue }) => ({
    ...queue,
    filters: JSON.parse(filters) as ReviewQueue['filters'],
    trace_count: countOf(queue.id, 'open', 'reviewed', 'removed'),
    reviewed_count: countOf(queue.id, 'reviewed'),
    removed_count: countOf(queue.id, 'removed'),
    created_by_name: names.get(queue.created_by ?? '') ?? null,
  }))
}
