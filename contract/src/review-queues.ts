import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { appBody, id, inProject, label, limitedList, pathId, removed, timestamp } from './fields.ts'
import { limits } from './limits.ts'
import { score } from './scores.ts'
import { trace, traceFilters } from './traces.ts'

/*
 * Review queues: traces that people score one after another.
 */

const instructions = z.string().max(limits.reviewInstructionsLength.value)

/** Each queue of a list has them. */
const filters = traceFilters.refine(
  (given) => JSON.stringify(given).length <= limits.reviewFiltersLength.value,
  `must have at most ${limits.reviewFiltersLength.value.toLocaleString('en')} characters`,
)

export const reviewQueue = z
  .object({
    id,
    name: z.string(),
    instructions: z.string(),
    score_name: z.string().describe('of the scores that reviewers give'),
    evaluator_id: id.nullable().describe('whose results the reviewers check'),
    filters: traceFilters.describe('the traces that were added when the queue was created'),
    trace_count: z.int(),
    reviewed_count: z.int(),
    removed_count: z.int().describe('traces that no longer exist'),
    created_by: id.nullable(),
    created_by_name: z.string().nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'ReviewQueue' })
export type ReviewQueue = z.output<typeof reviewQueue>

export const reviewStatuses = ['open', 'reviewed', 'removed'] as const

/** A trace in a queue. */
export const reviewItem = z
  .object({
    position: z.int().describe('in the queue, from 1'),
    trace_id: z.string(),
    trace: trace.nullable().describe('null: it no longer exists'),
    status: z.enum(reviewStatuses),
    reviewed_by: id.nullable().describe('who scored it last'),
    reviewed_by_name: z.string().nullable(),
    reviewed_at: timestamp.nullable(),
    held_by_name: z.string().nullable().describe('another person who is reviewing it now'),
  })
  .meta({ id: 'ReviewItem' })
export type ReviewItem = z.output<typeof reviewItem>

const mayReview = ['run_agents', 'manage_agents'] as const
const position = z.int().min(0).max(limits.reviewQueueTracesMax.value)

export const listReviewQueues = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/review-queues',
  tag: 'Evaluation',
  summary: 'List the review queues of a project, newest first',
  access: { by: 'session', of: 'project' },
  cost: 'cheap',
  params: inProject,
  success: { status: 200, data: limitedList(reviewQueue, 'reviewQueuesPerProject') },
})

export const createReviewQueue = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/review-queues',
  tag: 'Evaluation',
  summary: 'Create a review queue from the newest traces that match filters',
  description:
    'Traces that arrive later are not added. Reviewers score the traces by `score_name`, or by the name of an evaluator to compare its results with theirs. Filters that match no trace are refused.',
  access: { by: 'session', of: 'project', anyOf: mayReview },
  cost: 'expensive',
  params: inProject,
  body: appBody(
    z
      .object({
        name: label,
        instructions: instructions.default(''),
        score_name: label.optional(),
        evaluator_id: id.optional(),
        filters: filters.default({}).describe('those of the list of traces'),
        max_traces: z
          .int()
          .min(1)
          .max(limits.reviewQueueTracesMax.value)
          .default(limits.reviewQueueTraces.value),
      })
      .refine(
        ({ score_name, evaluator_id }) =>
          (score_name === undefined) !== (evaluator_id === undefined),
        'must have either score_name or evaluator_id',
      ),
  ),
  success: { status: 201, data: reviewQueue },
  errors: ['NOT_FOUND', 'CONFLICT', 'INTERNAL_ERROR 503'],
})

const inQueue = inProject.extend({ queueId: pathId })

export const openReviewItem = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/review-queues/{queueId}/open',
  tag: 'Evaluation',
  summary: 'Open a trace of a review queue',
  description: `With \`position\`, that trace; otherwise the first one after \`after\` that is not reviewed yet and that nobody else is reviewing, or null. An open trace that nobody is reviewing is held for you for ${limits.reviewHoldMinutes.value} minutes, or until you open another one of the queue or review it.`,
  access: { by: 'session', of: 'project', anyOf: mayReview },
  cost: 'expensive',
  params: inQueue,
  body: appBody(z.object({ position: position.min(1).optional(), after: position.default(0) })),
  success: { status: 200, data: z.object({ queue: reviewQueue, item: reviewItem.nullable() }) },
  errors: ['NOT_FOUND', 'INTERNAL_ERROR 503'],
})

export const reviewTrace = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/review-queues/{queueId}/scores',
  tag: 'Evaluation',
  summary: 'Score a trace of a review queue',
  description:
    'Replaces your earlier score of the same evaluator or name. Also when another person has reviewed the trace: then it has a score of each.',
  access: { by: 'session', of: 'project', anyOf: mayReview },
  cost: 'expensive',
  params: inQueue,
  body: appBody(
    z.object({
      position: position.min(1).describe('of the trace in the queue'),
      score: z.number().min(0).max(1),
      passed: z.boolean().optional().describe('default: whether the score is at least 0.5'),
      reasoning: z.string().max(limits.commentLength.value).default(''),
    }),
  ),
  success: { status: 201, data: score },
  errors: ['NOT_FOUND', 'CONFLICT', 'INTERNAL_ERROR 503'],
})

export const removeReviewQueue = endpoint({
  method: 'DELETE',
  path: '/projects/{projectId}/review-queues/{queueId}',
  tag: 'Evaluation',
  summary: 'Delete a review queue',
  description: 'Its scores are kept.',
  access: { by: 'session', of: 'project', anyOf: mayReview },
  cost: 'cheap',
  params: inQueue,
  success: removed,
  errors: ['NOT_FOUND'],
})
