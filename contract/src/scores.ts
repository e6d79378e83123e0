import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { resultStatus } from './evaluations.ts'
import {
  appBody,
  id,
  inProject,
  inTrace,
  label,
  limitedList,
  pageMeta,
  pageQuery,
  pathId,
  removed,
  requestTimestamp,
  timestamp,
  wholeNumber,
} from './fields.ts'
import { limits } from './limits.ts'
import { trace, traceFilters } from './traces.ts'

export const scoreSources = ['evaluator', 'person', 'sender'] as const
export const scoreSource = z.enum(scoreSources)

/** A rating of a trace or a span by an evaluator or a person. */
export const score = z
  .object({
    id,
    trace_id: z.string(),
    span_id: z.string().nullable().describe('null: a score of the whole trace'),
    name: z.string().describe('of the evaluator, or as the person called it'),
    source: scoreSource,
    author_id: id.nullable().describe('the person who scored or started the evaluation'),
    author_name: z.string().nullable().describe('null also when the account no longer exists'),
    evaluator_id: id
      .nullable()
      .describe('the evaluator that scored, or whose results a person compared with their own'),
    run_id: id.nullable(),
    status: resultStatus,
    score: z.number(),
    passed: z.boolean(),
    reasoning: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Score' })
export type Score = z.output<typeof score>

const mayScore = ['run_agents', 'manage_agents'] as const

export const listScores = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/traces/{traceId}/scores',
  tag: 'Evaluation',
  summary: 'List the scores of a trace and its spans, newest first',
  access: { by: 'session', of: 'project' },
  cost: 'expensive',
  params: inTrace,
  query: pageQuery.extend({ source: scoreSource.optional() }),
  success: { status: 200, data: z.array(score), meta: pageMeta },
  errors: ['NOT_FOUND', 'INTERNAL_ERROR 503'],
})

export const putScore = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/traces/{traceId}/scores',
  tag: 'Evaluation',
  summary: 'Score a trace or a span yourself',
  description:
    'Replaces your earlier score of the same evaluator or name. With `span_id`, only that span is scored: the score is listed with the others and counts in `score-stats`, but does not count as the score of the trace in filters, lists and exports. With `evaluator_id`, the score has the name of that evaluator and counts for its agreement with people; an evaluator that the organization does not have is `NOT_FOUND`.',
  access: { by: 'session', of: 'project', anyOf: mayScore },
  cost: 'expensive',
  params: inTrace,
  body: appBody(
    z
      .object({
        name: label.optional(),
        evaluator_id: id.optional(),
        span_id: z
          .string()
          .min(1)
          .max(limits.spanIdLength.value)
          .optional()
          .describe('default: the whole trace'),
        score: z.number().min(0).max(1),
        passed: z.boolean().optional().describe('default: whether the score is at least 0.5'),
        reasoning: z.string().max(limits.commentLength.value).default(''),
      })
      .refine(
        ({ name, evaluator_id }) => (name === undefined) !== (evaluator_id === undefined),
        'must have either name or evaluator_id',
      )
      .refine(
        ({ span_id, evaluator_id }) => span_id === undefined || evaluator_id === undefined,
        'must not have span_id with evaluator_id: evaluators score whole traces',
      ),
  ),
  success: { status: 201, data: score },
  errors: ['NOT_FOUND', 'CONFLICT', 'INTERNAL_ERROR 503'],
})

export const removeScore = endpoint({
  method: 'DELETE',
  path: '/projects/{projectId}/traces/{traceId}/scores/{scoreId}',
  tag: 'Evaluation',
  summary: 'Remove one of your scores of a trace',
  description: 'A score of an evaluator or of somebody else is `NOT_FOUND`.',
  access: { by: 'session', of: 'project', anyOf: mayScore },
  cost: 'cheap',
  params: inTrace.extend({ scoreId: pathId }),
  success: removed,
  errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
})

export const listScoredTraces = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/scored-traces',
  tag: 'Evaluation',
  summary: 'List traces by their score of one name',
  description: `Of each trace, the newest score of that name counts. Accepts the filters of \`GET …/traces\` except \`q\`, \`attribute\` and \`not_attribute\`. Filters examine ${limits.scoredTracesScanned.value} scores per page: where that ends a page early, \`meta.is_complete\` is false and the cursor continues.`,
  access: { by: 'session', of: 'project' },
  cost: 'expensive',
  params: inProject,
  query: traceFilters.omit({ q: true, attribute: true, not_attribute: true }).extend({
    name: z.string().min(1).max(limits.nameLength.value).describe('of the score'),
    trace_name: traceFilters.shape.name,
    order: z.enum(['lowest-first', 'highest-first']).default('lowest-first'),
    limit: wholeNumber(1, limits.tracesPageMax.value).default(limits.tracesPageDefault.value),
    cursor: z.string().optional(),
  }),
  success: {
    status: 200,
    data: z.array(z.object({ trace, score: z.number(), passed: z.boolean() })),
    meta: pageMeta.extend({ is_complete: z.boolean() }),
  },
  errors: ['INTERNAL_ERROR 503'],
})

export const scoreStats = z
  .object({
    groups: limitedList(
      z.object({
        name: z.string(),
        evaluator_id: id.nullable(),
        source: scoreSource,
        buckets: limitedList(
          z.object({
            started_at: timestamp,
            count: z.int().describe('scored ones'),
            mean: z.number().nullable(),
            pass_rate: z.number().nullable(),
            not_applicable: z.int(),
            errors: z.int(),
          }),
          'statsBuckets',
        ).describe('oldest first, without empty ones'),
      }),
      'scoreStatsGroups',
    ),
    complete_from: timestamp.describe('scores from this time on are all counted'),
  })
  .meta({ id: 'ScoreStats' })

export const readScoreStats = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/score-stats',
  tag: 'Evaluation',
  summary: 'Scores over time, by name and source',
  description: `Counts the newest ${limits.scoresCounted.value} scores of the range, by the time at which they were given. \`to\` defaults to now, \`from\` to 30 days earlier.`,
  access: { by: 'session', of: 'project' },
  cost: 'expensive',
  params: inProject,
  query: z.object({
    from: requestTimestamp.optional(),
    to: requestTimestamp.optional(),
    bucket: z.enum(['hour', 'day']).default('day'),
  }),
  success: { status: 200, data: scoreStats },
  errors: ['INTERNAL_ERROR 503'],
})
