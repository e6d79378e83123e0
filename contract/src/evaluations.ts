import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { defaultThreshold, evalType, newThreshold, promptTemplate } from './evaluators.ts'
import { appBody, id, inTrace, limitedList, timestamp } from './fields.ts'
import { limits } from './limits.ts'

/** Source: interface specification, "Evaluation run and result"; decisions, section 5. */
export const resultStatus = z
  .enum(['scored', 'not_applicable', 'error'])
  .describe(
    'the score counts only if `scored`. `not_applicable`: the trace has nothing to evaluate, the score is 1. `error`: the evaluator could not evaluate it, the score is 0',
  )

export const evidence = z.object({
  span_id: z.string(),
  quote: z.string().describe('a part of a text of the span'),
})
export type Evidence = z.output<typeof evidence>

export const criterion = z.object({
  id: z.string(),
  question: z.string(),
  verdict: z.enum(['yes', 'no', 'not_applicable']),
  evidence: limitedList(evidence, 'evaluationQuotes'),
})

/** The question of a criterion; instructions for the judge may follow it. */
export function withoutInstructions(question: string): string {
  return /^.*?\?(?=\s|$)/s.exec(question)?.[0] ?? question
}

export const evaluationResult = z
  .object({
    id,
    run_id: id,
    evaluator_id: id,
    evaluator_name: z.string(),
    eval_type: evalType,
    status: resultStatus,
    score: z.number().describe('0 to 1; 1 is always good'),
    passed: z.boolean(),
    reasoning: z.string(),
    criteria: limitedList(criterion, 'evaluationCriteria'),
    issues: limitedList(z.string(), 'evaluationIssues'),
    evidence: limitedList(evidence, 'evaluationQuotes'),
    confidence: z
      .number()
      .nullable()
      .describe('how many of the samples of a judge agree; null without samples'),
    tokens_in: z.int().nullable(),
    tokens_out: z.int().nullable(),
    cost_usd: z.number().nullable(),
    latency_ms: z.number().nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'EvaluationResult' })
export type EvaluationResult = z.output<typeof evaluationResult>

export const evaluationRun = z
  .object({
    runId: id,
    averageScore: z.number().describe('over the scored results; 0 without any'),
    passRate: z.number().describe('over the scored results; 0 without any'),
    scoredCount: z.int(),
    notApplicableCount: z.int(),
    errorCount: z.int(),
    results: limitedList(evaluationResult, 'listedEvaluators').describe(
      'in the order of the collection',
    ),
  })
  .meta({ id: 'EvaluationRun' })
export type EvaluationRun = z.output<typeof evaluationRun>

export const listEvaluationRuns = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/traces/{traceId}/evaluate',
  tag: 'Evaluation',
  summary: 'The five most recent evaluation runs of a trace, newest first',
  access: { by: 'session', of: 'project' },
  cost: 'expensive',
  params: inTrace,
  success: { status: 200, data: z.array(evaluationRun).max(limits.evaluationRuns.value) },
  errors: ['NOT_FOUND', 'VALIDATION_ERROR', 'INTERNAL_ERROR 503'],
})

export const evaluateTrace = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/traces/{traceId}/evaluate',
  tag: 'Evaluation',
  summary: 'Run every evaluator of a collection on a trace and store the results',
  description:
    'Responds when all evaluators have run. Evaluators that need no model run without `model_config_id`; a collection with a judge requires it.',
  access: { by: 'session', of: 'project', anyOf: ['run_agents', 'manage_agents'] },
  cost: 'expensive',
  params: inTrace,
  body: appBody(z.object({ collection_id: id, model_config_id: id.nullish() })),
  success: { status: 201, data: evaluationRun },
  errors: ['NOT_FOUND', 'INTERNAL_ERROR', 'INTERNAL_ERROR 503'],
})

/** A result that is not stored, of an evaluator that need not be either. */
export const triedResult = evaluationResult.omit({ id: true, evaluator_id: true })
export type TriedResult = z.output<typeof triedResult>

export const judgeInput = z.object({
  name: z
    .string()
    .describe('of the placeholder, such as `output`, or of what a built-in judge reads'),
  is_empty: z.boolean().describe('the trace has nothing of this kind'),
  characters: z.int().describe('what the judge received in all'),
  preview: z
    .string()
    .describe(
      `the text; of one with more than ${limits.judgeInputPreview.value} characters, the beginning and the end`,
    ),
})
export type JudgeInput = z.output<typeof judgeInput>

export const tryEvaluator = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/traces/{traceId}/evaluate/try',
  tag: 'Evaluation',
  summary: 'Run one evaluator on a trace without storing the result',
  description:
    'Send `evaluator` for a stored or built-in evaluator, or `prompt_template` for one that is not stored. Runs as in an evaluation, with the same limits and budget; the calls of a judge are recorded as traces. Disconnect to cancel.',
  access: { by: 'session', of: 'project', anyOf: ['run_agents', 'manage_agents'] },
  cost: 'expensive',
  params: inTrace,
  body: appBody(
    z
      .object({
        evaluator: z
          .string()
          .min(1)
          .max(limits.nameLength.value)
          .optional()
          .describe('the id of an evaluator, or the key of a built-in one'),
        prompt_template: promptTemplate.optional().describe('of an evaluator that is not stored'),
        threshold: newThreshold
          .optional()
          .describe(`by default that of the evaluator; ${defaultThreshold} with a prompt_template`),
        model_config_id: id.nullish().describe('required by a judge'),
      })
      .refine(
        (body) => (body.evaluator === undefined) !== (body.prompt_template === undefined),
        'must have either evaluator or prompt_template',
      ),
  ),
  success: {
    status: 200,
    data: z.object({
      result: triedResult,
      inputs: limitedList(judgeInput, 'judgeInputs').describe(
        'what a judge read; empty for evaluators that need no model',
      ),
    }),
  },
  errors: ['NOT_FOUND', 'INTERNAL_ERROR 503'],
})
