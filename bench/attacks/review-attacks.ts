import { call } from '@assay/contract/client.ts'
import { limits } from '@assay/contract/limits.ts'
import { createReviewQueue, openReviewItem, reviewTrace } from '@assay/contract/review-queues.ts'
import type { Attack } from './attack.ts'

/*
 * Attacks of members through review queues.
 */

export const reviewAttacks: readonly Attack[] = [
  {
    name: 'review-queues',
    by: 'editor',
    endpoints: [openReviewItem, reviewTrace, createReviewQueue],
    connections: 32,
    responds: [200, 201, 201],
    requests: async ({ api, projectId, credentials }) => {
      const max_traces = limits.reviewQueueTracesMax.value
      const body = { name: 'Review', score_name: 'review', max_traces }
      const as = { headers: credentials.editor }
      const queue = await call(api, createReviewQueue, { params: { projectId }, body }, as)
      const params = { queueId: queue.id }
      return (n, endpoint) => {
        // Examines as many traces as a queue may, and refuses those beyond the number of queues afterwards.
        if (endpoint === createReviewQueue) return { body: { ...body, filters: { min_tokens: 0 } } }
        if (endpoint === openReviewItem) return { params, body: { after: 0 } }
        const position = (n % queue.trace_count) + 1
        return { params, body: { position, score: 1, reasoning: 'r'.repeat(10_000) } }
      }
    },
  },
]
