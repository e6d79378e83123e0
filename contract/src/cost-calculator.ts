import { z } from 'zod'
import { agentConfig } from './agent-config.ts'
import { endpoint } from './endpoint.ts'
import { appBody, id, inProject, limitedList } from './fields.ts'
import { limits } from './limits.ts'
import { unpricedReasons } from './traces.ts'

/*
 * The cost calculator: what an agent will cost, before it is run.
 */

/** The models of an estimate that requests none. */
export const defaultEstimateModels = [
  'gpt-6-sol',
  'gpt-5.6-terra',
  'gpt-5.4-mini',
  'claude-opus-5-5',
  'claude-sonnet-5',
  'claude-haiku-4-5',
  'gemini-3.1-pro-preview',
  'gemini-3.8-flash',
  'mistral-large-2512',
  'deepseek/deepseek-v4-flash',
] as const

export const volumeNames = ['turns', 'tokens_in', 'tokens_out', 'llm_calls', 'tool_calls'] as const
export type VolumeName = (typeof volumeNames)[number]

export const assumptionOrigins = ['imported', 'prior', 'user'] as const

const amount = (limit: { readonly value: number }) => z.number().min(0).max(limit.value).optional()
const calls = () => amount(limits.callsPerRun)
const tokens = () => amount(limits.tokensPerRun)

const counterFactors = z
  .array(
    z.object({
      model: z.string().min(1).max(limits.modelLength.value),
      factor: z.number().min(0.1).max(10),
    }),
  )
  .max(limits.counterFactors.value)

const amounts = {
  turns_p50: calls().describe('user messages of a run'),
  turns_p90: calls(),
  turns_mean: calls(),
  tokens_in_p50: tokens().describe('input tokens of all calls of a run, cached ones included'),
  tokens_in_p90: tokens(),
  tokens_in_mean: tokens(),
  tokens_out_p50: tokens().describe('output tokens of all calls of a run, with reasoning'),
  tokens_out_p90: tokens(),
  tokens_out_mean: tokens(),
  llm_calls_p50: calls(),
  llm_calls_p90: calls(),
  llm_calls_mean: calls(),
  tool_calls_p50: calls(),
  tool_calls_p90: calls(),
  tool_calls_mean: calls(),
}
const cachedShare = z.number().min(0).max(1)
const modelName = z.string().min(1).max(limits.modelLength.value)

/** Recorded runs of one model. */
const modelVolumes = z
  .object({
    model: modelName,
    runs: z.int().min(1).max(limits.importedRuns.value),
    cached_share: cachedShare.optional().describe('of the calls of this model'),
    ...amounts,
  })
  .superRefine(refuseFallingQuantiles)
  .meta({ id: 'ModelVolumes' })

/** Per run. The mean is more precise than the quantiles; without it, it follows from them. */
export const volumes = z
  .object({
    runs: z
      .int()
      .min(1)
      .max(limits.importedRuns.value)
      .optional()
      .describe('how many recorded runs the values are of; without it, they are assumptions'),
    runs_per_month: z
      .number()
      .min(0)
      .max(limits.runsPerMonth.value)
      .optional()
      .describe('of an extraction: the runs of the last 30 days'),
    runs_per_month_origin: z
      .enum(assumptionOrigins)
      .optional()
      .describe('where `runs_per_month` is from, if it is not from the recorded runs'),
    model: modelName
      .optional()
      .describe('the model whose tokens the values are; default: a model of OpenAI'),
    counter_factors: counterFactors
      .optional()
      .describe('reported input tokens per counted token, of models with recorded runs'),
    cached_share: cachedShare
      .optional()
      .describe(
        'share of the input tokens that a prompt cache had; of recorded runs, it applies to models of the provider of `model`. Without it, a call finds what the call before sent with a probability of 90%',
      ),
    tool_output_tokens: tokens().describe('the mean result of a tool, in counted tokens'),
    by_model: z
      .array(modelVolumes)
      .max(limits.extractedRuns.value)
      .optional()
      .describe(
        `recorded runs of each model. The estimate of a model uses its own from ${limits.modelVolumesRuns.value} runs on, in place of all`,
      ),
    assumed: z
      .object({ turns: calls(), llm_calls: calls() })
      .optional()
      .describe(
        'means to try in place of the recorded ones; what each call adds and writes stays as recorded',
      ),
    ...amounts,
  })
  .superRefine(refuseFallingQuantiles)
  .meta({ id: 'Volumes' })
export type Volumes = z.output<typeof volumes>

function refuseFallingQuantiles(
  given: Readonly<Partial<Record<keyof typeof amounts, number | undefined>>>,
  context: z.RefinementCtx,
): void {
  for (const name of volumeNames) {
    const [p50, p90] = [given[`${name}_p50`], given[`${name}_p90`]]
    if (p50 === undefined || p90 === undefined || p50 <= p90) continue
    const message = `must not be less than ${name}_p50`
    context.addIssue({ code: 'custom', path: [`${name}_p90`], message })
  }
}

const models = z
  .array(z.string().trim().min(1, 'must not be empty').max(limits.modelLength.value))
  .min(1)
  .max(limits.estimatedModels.value)

const estimateServiceTiers = ['standard', 'batch', 'flex'] as const

const estimateBody = z
  .object({
    agent_config: agentConfig,
    models: models
      .optional()
      .describe(
        `as in spans, also \`provider/model\`; default: ${defaultEstimateModels.join(', ')}`,
      ),
    model_config_ids: z
      .array(id)
      .min(1)
      .max(limits.estimatedModels.value)
      .optional()
      .describe('model configurations of the organization, in place of `models`'),
    scenario_count: z.int().min(1).max(limits.scenariosPerRun.value).default(3),
    include_multi_turn: z.boolean().default(false),
    caching: z.boolean().default(true).describe('whether calls read a prompt cache'),
    service_tier: z
      .enum(estimateServiceTiers)
      .default('standard')
      .describe('whose prices apply; a model without a price for it has no cost'),
    volumes: volumes.optional().describe('of recorded runs, or assumed; default: the priors'),
  })
  .superRefine(({ models: names, model_config_ids: ids }, context) => {
    if (names === undefined || ids === undefined) return
    const message = 'must not be set together with models'
    context.addIssue({ code: 'custom', path: ['model_config_ids'], message })
  })

const usd = z.number().nullable()

const assumption = z.object({
  name: z.string(),
  value: z.number(),
  unit: z.string(),
  origin: z
    .enum(assumptionOrigins)
    .describe('`imported`: from recorded runs, `user`: from the request, `prior`: neither'),
})

const driver = z
  .object({
    name: z.string().describe('the assumption'),
    changedBy: z.number().describe('the factor of a change by one standard deviation'),
    effectUsd: z.number().describe('how much that changes the mean cost of all scenarios'),
  })
  .meta({ id: 'CostDriver' })

const modelEstimate = z
  .object({
    model: z.string().describe('as requested'),
    provider: z.string().nullable().describe('null if the model is not in the price list'),
    modelConfigId: id.nullable(),
    inputTokens: z.int().describe('of all scenarios, cached ones included'),
    outputTokens: z.int(),
    cachedInputTokens: z.int(),
    llmCalls: z.int().describe('the mean, in all scenarios'),
    costUsd: usd.describe('the median of the cost of all scenarios; null: see `unpricedReason`'),
    costUsdP10: usd,
    costUsdP90: usd,
    costParts: z
      .object({
        inputUsd: z.number(),
        cacheReadUsd: z.number(),
        cacheWriteUsd: z.number(),
        outputUsd: z.number(),
        requestUsd: z.number(),
      })
      .nullable()
      .describe('their sum is `costUsd`'),
    costWithoutCachingUsd: usd.describe('the median without a prompt cache'),
    costPerScenarioUsd: usd.describe('`costUsd` / `scenarioCount`'),
    meanRunUsd: usd.describe('the mean, which is more than the median'),
    monthlyUsd: usd.describe('`runs_per_month` times the mean; null without `runs_per_month`'),
    priceSource: z.string().nullable(),
    priceDate: z.string().nullable(),
    unpricedReason: z.enum([...unpricedReasons, 'context_overflow']).nullable(),
    why: z.string().nullable().describe('the reason as a sentence'),
    contextWindow: z.int().nullable().describe('null if unknown'),
    overflowShare: z
      .number()
      .describe('share of calls that exceed the context window; they are priced as full'),
    assumptions: limitedList(assumption, 'estimateAssumptions'),
    drivers: limitedList(driver, 'estimateDrivers'),
  })
  .meta({ id: 'ModelEstimate' })
export type ModelEstimate = z.output<typeof modelEstimate>

export const costEstimate = z
  .object({
    perModel: limitedList(modelEstimate, 'estimatedModels'),
    totalCostUsd: usd.describe('of the models with a price; null if none has one'),
    totalInputTokens: z.int(),
    totalOutputTokens: z.int(),
    scenarioCount: z.int(),
    llmCalls: z.int(),
  })
  .meta({ id: 'CostEstimate' })
export type CostEstimate = z.output<typeof costEstimate>

export const estimateCost = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/cost-calculator/estimate',
  tag: 'Cost calculator',
  summary: 'Estimate what an agent costs with several models',
  description:
    'Calls no model: tokens are counted, and calls, turns and outputs follow from `volumes` or from priors. Prices are those of the project: custom prices, aliases, the price list, and the own prices of a model configuration. Totals are sums over the models.',
  access: { by: 'session', of: 'project' },
  cost: 'expensive',
  params: inProject,
  body: { ...appBody(estimateBody), maxBytes: limits.agentBodyBytes.value },
  success: { status: 200, data: costEstimate },
  errors: ['NOT_FOUND'],
})
