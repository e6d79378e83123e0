import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import {
  id,
  inProject,
  limitedList,
  pageMeta,
  requestTimestamp,
  timestamp,
  wholeNumber,
} from './fields.ts'
import { limits } from './limits.ts'
import { score } from './scores.ts'
import { trace } from './traces.ts'

const range = z.object({
  from: requestTimestamp
    .optional()
    .describe('scored by a person at this time or later; default: 30 days before `to`'),
  to: requestTimestamp.optional().describe('scored by a person before this time; default: now'),
})

const evaluatorAgreement = z.object({
  evaluator_id: id,
  name: z.string(),
  traces: z.int().describe('that both the evaluator and the majority of people passed or failed'),
  ties: z.int().describe('traces that as many people passed as failed, which do not count'),
  both_passed: z.int(),
  both_failed: z.int(),
  false_passes: z.int().describe('the evaluator passed them, people failed them'),
  false_fails: z.int().describe('the evaluator failed them, people passed them'),
  agreement: z.number().nullable().describe('the share of equal verdicts; null without traces'),
  kappa: z
    .number()
    .nullable()
    .describe(
      "Cohen's kappa: agreement beyond chance. 1 is full agreement, 0 what chance alone would give; null where all verdicts are the same",
    ),
})

export const scoreAgreement = z
  .object({
    evaluators: limitedList(evaluatorAgreement, 'agreementEvaluators').describe(
      'most traces first',
    ),
    complete_from: timestamp.describe('scores of people from this time on are all counted'),
  })
  .meta({ id: 'ScoreAgreement' })

export const readScoreAgreement = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/score-agreement',
  tag: 'Evaluation',
  summary: 'Agreement between evaluators and people',
  description: `Compares the verdicts on traces that a person scored in the range with the \`evaluator_id\` of an evaluator. The verdict of the evaluator is its newest result of the trace; \`not_applicable\` and \`error\` do not count. The verdict of people is that of their majority, by all their scores of the trace. Counts the newest ${limits.comparedScores.value} scores of people.`,
  access: { by: 'session', of: 'project' },
  cost: 'expensive',
  params: inProject,
  query: range,
  success: { status: 200, data: scoreAgreement },
  errors: ['INTERNAL_ERROR 503'],
})

export const disagreementKinds = ['majority', 'tie'] as const
export type DisagreementKind = (typeof disagreementKinds)[number]

export const scoreDisagreement = z
  .object({
    trace,
    evaluator: score.describe('the newest result of the evaluator'),
    people: limitedList(score, 'disagreementScores').describe('newest first'),
    people_passed: z.int().describe('how many people passed the trace'),
    people_failed: z.int(),
  })
  .meta({ id: 'ScoreDisagreement' })

export const listScoreDisagreements = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/score-disagreements',
  tag: 'Evaluation',
  summary: 'List traces on which an evaluator and people disagree, or people among themselves',
  description: `The trace with the newest score of a person comes first. A page examines ${limits.comparedScores.value} scores of people: where that ends it early, \`meta.is_complete\` is false and the cursor continues.`,
  access: { by: 'session', of: 'project' },
  cost: 'expensive',
  params: inProject,
  query: range.extend({
    evaluator_id: id,
    kind: z
      .enum(disagreementKinds)
      .default('majority')
      .describe(
        '`majority`: most people disagree with the evaluator; `tie`: as many people passed the trace as failed it',
      ),
    limit: wholeNumber(1, limits.disagreementsPage.value).default(limits.disagreementsPage.value),
    cursor: z.string().optional(),
  }),
  success: {
    status: 200,
    data: z.array(scoreDisagreement),
    meta: pageMeta.extend({ is_complete: z.boolean() }),
  },
  errors: ['INTERNAL_ERROR 503'],
})
