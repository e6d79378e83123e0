import type { ReviewItem } from '@assay/contract/review-queues.ts'
import type { OpenedReview } from '../../api/review-queues.ts'

/**
 * The position to open after a trace; undefined at the end. Where no trace is left to review, the reviewed ones follow
 * each other, so that a second person can score them too.
 */
export function nextPosition(
  { position, status }: Pick<ReviewItem, 'position' | 'status'>,
  { queue, item: next }: OpenedReview,
): number | undefined {
  if (next !== null) return next.position
  return status !== 'open' && position < queue.trace_count ? position + 1 : undefined
}
