import { firstAmount, membersOf } from './attribute-reading.ts'
import type { Convention, KeyTable } from './convention.ts'
import type { DecodedSpan } from './decoded-span.ts'
import { providerUsage } from './provider-usage.ts'
import type { ReportedUsage } from './reported-usage.ts'

/*
 * LiteLLM, SDK and proxy. It speaks OpenTelemetry GenAI; its own are the costs, the provider's usage in the notation of
 * Python, and a second span for the request as the provider got it.
 */

const keys = {
  tokensCacheRead: ['metadata.usage_object › *cached_tokens, cache_read_input_tokens'],
  tokensCacheWrite: ['metadata.usage_object › cache_creation_input_tokens'],
  tokensReasoning: ['metadata.usage_object › *reasoning_tokens'],
  costUsd: ['litellm.cost.total', 'gen_ai.cost.total_cost'],
} as const satisfies KeyTable

const rawRequest = 'raw_gen_ai_request'

export const liteLlm: Convention = {
  title: 'LiteLLM',
  about: `OpenTelemetry GenAI, with its own costs. The span \`${rawRequest}\` is the call above it once more, in the provider’s words, and a chain.`,
  prefixes: ['litellm.', 'gen_ai.cost.'],
  spanNames: [rawRequest],
  keys,
  kind: ({ name }) => (name === rawRequest ? 'chain' : undefined),
  usage,
  costUsd: ({ attributes }) => firstAmount(attributes, keys.costUsd),
}

const maxUsageLength = 5000

/** The provider's usage, in the notation of Python. */
function usage({ attributes }: DecodedSpan): ReportedUsage | undefined {
  const reported = attributes.get('metadata.usage_object')
  if (typeof reported !== 'string' || reported.length > maxUsageLength) return undefined
  const object = membersOf(reported.replaceAll("'", '"').replaceAll(/\bNone\b/g, 'null'))
  return object && providerUsage(object)
}
