import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import {
  appBody,
  changeOf,
  id,
  inOrganization,
  label,
  limitedList,
  pathId,
  removed,
  timestamp,
} from './fields.ts'
import { limits } from './limits.ts'

/*
 * The models of an organization: a provider, a model and a key, with which judges, explanations and chat call it.
 */

export const modelProviders = [
  'openai',
  'anthropic',
  'google',
  'azure',
  'bedrock',
  'mistral',
  'openai-compatible',
] as const
export type ModelProvider = (typeof modelProviders)[number]

/** These have no address that is the same for everybody. */
const needsBaseUrl: ReadonlySet<ModelProvider> = new Set(['azure', 'bedrock', 'openai-compatible'])

export function requiresBaseUrl(provider: ModelProvider): boolean {
  return needsBaseUrl.has(provider)
}

/** Servers of one's own, such as Ollama, often have no keys. */
export function requiresApiKey(provider: ModelProvider): boolean {
  return provider !== 'openai-compatible'
}

export const modelConfig = z
  .object({
    id,
    organization_id: id,
    label: z.string(),
    provider: z.enum(modelProviders),
    model: z.string(),
    base_url: z.string().nullable().describe("null: the provider's public API"),
    has_api_key: z.boolean().describe('the key itself is never returned'),
    input_usd_per_mtok: z.number().nullable(),
    output_usd_per_mtok: z.number().nullable(),
    cache_read_usd_per_mtok: z.number().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'ModelConfig' })
export type ModelConfig = z.output<typeof modelConfig>

const usd = z.number().min(0).max(limits.priceUsdMax.value)

const baseUrl = z
  .string()
  .trim()
  .max(limits.modelBaseUrlLength.value)
  .refine(isModelBaseUrl, 'must be an http or https URL without user name, query and fragment')
  .transform((url) => url.replace(/\/+$/, ''))

export function isModelBaseUrl(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') return false
  return url.username + url.password === '' && !/[?#\s\\]/.test(text)
}

/** Sent in a header, which has only these characters. */
const apiKey = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(limits.modelApiKeyLength.value)
  .regex(/^[\x21-\x7e]*$/, 'must be visible ASCII characters without spaces')

const optional = {
  base_url: baseUrl
    .nullish()
    .describe('required for `azure`, `bedrock` and `openai-compatible`; else the public API'),
  input_usd_per_mtok: usd
    .nullish()
    .describe('dollars per million tokens, here and below; default: the price of the model'),
  output_usd_per_mtok: usd.nullish(),
  cache_read_usd_per_mtok: usd.nullish().describe('default: the input price'),
}

const model = z.string().trim().min(1, 'must not be empty').max(limits.modelLength.value)

const unchecked = z.object({
  label,
  provider: z.enum(modelProviders),
  model: model.describe('as in requests to the provider; of Azure, the name of the deployment'),
  ...optional,
})

/** Rules between fields, on a whole configuration. */
export const wholeModelConfig = unchecked.superRefine((config, context) => {
  const problem = (path: keyof typeof config, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message })
  const { provider, input_usd_per_mtok: input, output_usd_per_mtok: output } = config
  const cacheRead = config.cache_read_usd_per_mtok ?? undefined
  if (requiresBaseUrl(provider) && !config.base_url) {
    problem('base_url', `is required for ${provider}`)
  }
  if ((input ?? null) === null && ((output ?? null) !== null || cacheRead !== undefined)) {
    problem('input_usd_per_mtok', 'is required with another price')
  }
  if ((output ?? null) === null && (input ?? null) !== null) {
    problem('output_usd_per_mtok', 'is required with input_usd_per_mtok')
  }
  if ((cacheRead ?? 0) > (input ?? Infinity)) {
    problem('cache_read_usd_per_mtok', 'must not be more than input_usd_per_mtok')
  }
})

const newModelConfig = wholeModelConfig.and(z.object({ api_key: apiKey.nullish() }))
export type ModelConfigInput = z.output<typeof wholeModelConfig>

const changedModelConfig = changeOf(
  unchecked.extend({ api_key: apiKey.nullish().describe('null removes the stored key') }).partial(),
)

const tag = 'Models'
const managed = { by: 'session', of: 'organization', anyOf: ['manage_model_keys'] } as const
const inModelConfig = inOrganization.extend({ configId: pathId })

export const listModelConfigs = endpoint({
  method: 'GET',
  path: '/orgs/{orgId}/model-configs',
  tag,
  product: 'both',
  summary: 'List the model configurations of an organization, oldest first',
  access: { by: 'session', of: 'organization' },
  cost: 'cheap',
  params: inOrganization,
  success: { status: 200, data: limitedList(modelConfig, 'modelConfigs') },
})

const privateAddress =
  'A `base_url` in a private network is `VALIDATION_ERROR` 422 unless the operator has allowed it.'

export const createModelConfig = endpoint({
  method: 'POST',
  path: '/orgs/{orgId}/model-configs',
  tag,
  summary: 'Add a model configuration',
  description: `The key is encrypted, and never returned. ${privateAddress}`,
  access: managed,
  cost: 'expensive',
  params: inOrganization,
  body: appBody(newModelConfig),
  success: { status: 201, data: modelConfig },
  errors: ['CONFLICT', 'VALIDATION_ERROR 422'],
})

export const updateModelConfig = endpoint({
  method: 'PATCH',
  path: '/orgs/{orgId}/model-configs/{configId}',
  tag,
  summary: 'Change a model configuration; null removes a field',
  description: `A change of \`base_url\` or \`provider\` without \`api_key\` removes the stored key, which is only sent to the address it was entered for. ${privateAddress}`,
  access: managed,
  cost: 'expensive',
  params: inModelConfig,
  body: appBody(changedModelConfig),
  success: { status: 200, data: modelConfig },
  errors: ['NOT_FOUND', 'VALIDATION_ERROR 422'],
})

export const removeModelConfig = endpoint({
  method: 'DELETE',
  path: '/orgs/{orgId}/model-configs/{configId}',
  tag,
  summary: 'Remove a model configuration and its key',
  access: managed,
  cost: 'cheap',
  params: inModelConfig,
  success: removed,
  errors: ['NOT_FOUND'],
})

export const modelCallErrors = [
  'timeout',
  'refused',
  'invalid_output',
  'provider_error',
  'budget',
] as const

export const modelTest = z
  .object({
    ok: z.boolean(),
    latency_ms: z.int(),
    tokens_in: z.int().nullable(),
    tokens_out: z.int().nullable(),
    cost_usd: z.number().nullable().describe('null without a price for the model'),
    error: z
      .object({ kind: z.enum(modelCallErrors), message: z.string() })
      .nullable()
      .describe('null when the model answered in the requested form'),
  })
  .meta({ id: 'ModelTest' })
export type ModelTest = z.output<typeof modelTest>

export const testModelConfig = endpoint({
  method: 'POST',
  path: '/orgs/{orgId}/model-configs/{configId}/test',
  tag,
  summary: 'Call the model once, with a short question and a structured answer',
  description: `Takes at most ${limits.modelTestSeconds.value} seconds. A call that fails is a result, not an error of this endpoint.`,
  access: managed,
  cost: 'expensive',
  params: inModelConfig,
  success: { status: 200, data: modelTest },
  errors: ['NOT_FOUND'],
})
