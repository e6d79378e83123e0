import { firstAmount, parsePrintedMembers } from './attribute-reading.ts'
import type { Convention, KeyTable } from './convention.ts'
import type { DecodedSpan } from './decoded-span.ts'
import { providerUsage } from './provider-usage.ts'
import type { ReportedUsage } from './reported-usage.ts'

/*
 * LiteLLM, SDK and proxy. It uses OpenTelemetry GenAI and adds costs, the provider's usage in Python notation, and a
 * second span for the request to the provider.
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
  about: `OpenTelemetry GenAI, with its own costs. The span \`${rawRequest}\` repeats the call above it in the provider’s format, and is a chain.`,
  prefixes: ['litellm.', 'gen_ai.cost.'],
  spanNames: [rawRequest],
  keys,
  kind: ({ name }) => (name === rawRequest ? 'chain' : undefined),
  usage,
  costUsd: ({ attributes }) => firstAmount(attributes, keys.costUsd),
}

const maxUsageLength = 5000

/** The provider's usage, in Python notation. */
function usage({ attributes }: DecodedSpan): ReportedUsage | undefined {
  const reported = attributes.get('metadata.usage_object')
  if (typeof reported !== 'string' || reported.length > maxUsageLength) return undefined
  const object = parsePrintedMembers(reported)
  return object && providerUsage(object)
}
