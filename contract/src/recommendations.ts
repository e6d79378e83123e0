import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { appBody, inProject, limitedList } from './fields.ts'
import { limits } from './limits.ts'

/*
 * Which of several candidates, such as models, to choose by cost, quality and latency. Source: decisions, section 6.
 */

const share = z.number().min(0).max(1)
const label = z.string().min(1).max(limits.modelLength.value)
const amount = z.number().min(0).max(limits.candidateAmount.value)
const weight = z.number().min(0).max(limits.candidateWeight.value).default(0)

const candidate = z
  .object({
    label: label.describe('unique in the request'),
    cost_usd: amount
      .nullable()
      .describe('in the same unit for all, such as per run; null: unknown, so it is listed apart'),
    score: share.optional().describe('the mean; 1 is best'),
    pass_rate: share.optional().describe('used without `score` and `scores`'),
    samples: z
      .int()
      .min(1)
      .max(limits.candidateSamples.value)
      .optional()
      .describe(
        'what `score` or `pass_rate` is the mean of; without it, they are taken as exact and the confidence is `low`',
      ),
    scores: z
      .array(share)
      .min(1)
      .max(limits.candidateScores.value)
      .optional()
      .describe(
        'one for each scenario, in place of `score`. Lists of the same length are compared scenario by scenario, so they need the same scenarios in the same order',
      ),
    latency_ms: amount.optional(),
  })
  .meta({ id: 'Candidate' })
export type Candidate = z.output<typeof candidate>

const weights = z
  .object({ cost: weight, quality: weight, latency: weight })
  .refine(({ cost, quality, latency }) => cost + quality + latency > 0, 'must not all be 0')

/** For requests without `weights`: half the cost is worth about nine points of quality. */
export const defaultWeights = { cost: 0.15, quality: 0.8, latency: 0.05 } as const

const constraints = z.object({
  max_cost_usd: amount.optional(),
  min_score: share.optional(),
  max_latency_ms: amount.optional(),
})

const body = z.object({
  candidates: z
    .array(candidate)
    .min(2)
    .max(limits.candidates.value)
    .superRefine((all, context) => {
      const used = new Set<string>()
      for (const [at, { label: name }] of all.entries()) {
        if (used.has(name)) {
          const message = 'must not be the label of another candidate'
          context.addIssue({ code: 'custom', path: [at, 'label'], message })
        }
        used.add(name)
      }
    }),
  weights: weights
    .optional()
    .describe(
      `default: cost ${defaultWeights.cost}, quality ${defaultWeights.quality}, latency ${defaultWeights.latency}`,
    ),
  constraints: constraints
    .optional()
    .describe('compared with means, however few samples they have'),
})

const ranked = z
  .object({
    label,
    utility: z
      .number()
      .describe(
        '0 to 1: the weighted mean of the score, the least cost / the cost, and the least latency / the latency',
      ),
    on_pareto_front: z.boolean(),
    dominated_by: limitedList(label, 'candidates').describe(
      'those that are no worse in cost, score and latency, and better in one',
    ),
    meets_constraints: z.boolean(),
    reasons: limitedList(z.string(), 'candidateReasons'),
  })
  .meta({ id: 'RankedCandidate' })

export const recommendation = z
  .object({
    verdict: z
      .enum(['recommended', 'tie', 'insufficient_evidence'])
      .describe(
        '`tie`: the best are equal within five points of quality; `insufficient_evidence`: the samples do not decide',
      ),
    neededSamples: z
      .int()
      .nullable()
      .describe(
        'with `insufficient_evidence`: about how many samples of each candidate would decide; null if more samples cannot',
      ),
    recommended: label.nullable().describe('of a tie, the one that costs least'),
    ranking: limitedList(ranked, 'candidates').describe(
      'those that meet the constraints first, then by utility',
    ),
    unpriced: limitedList(label, 'candidates').describe('candidates without a cost'),
    confidence: z
      .enum(['high', 'medium', 'low'])
      .describe('`low` for the only candidate that meets the constraints: nothing is compared'),
    explanation: z.string(),
  })
  .meta({ id: 'Recommendation' })
export type Recommendation = z.output<typeof recommendation>

export const recommend = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/cost-calculator/recommend',
  tag: 'Cost calculator',
  summary: 'Recommend one of several candidates by cost, quality and latency',
  description:
    'Calls no model and stores nothing. A candidate is recommended only if its advantage over every other one is significant (5%, corrected for the number of comparisons). Fewer than five samples decide nothing. The same request has the same result, in whatever order the candidates are.',
  access: { by: 'session', of: 'project' },
  cost: 'expensive',
  params: inProject,
  body: { ...appBody(body), malformed: 400 },
  invalid: 'first-five',
  success: { status: 200, data: recommendation },
})
