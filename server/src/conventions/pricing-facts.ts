import { limits } from '@assay/contract/limits.ts'
import { findMembers } from '../domain/json-grammar.ts'
import type { PricingFacts } from '../domain/span.ts'
import { firstCount, firstText } from './attribute-reading.ts'
import type { Attributes } from './decoded-span.ts'

/*
 * What a price depends on besides model, tokens and time. One table for all conventions, because they share most of
 * these keys and none has all three facts.
 */

const keys = {
  provider: [
    'gen_ai.provider.name',
    'gen_ai.system',
    'llm.provider',
    'ai.model.provider',
    'llm.system',
    'langsmith.metadata.ls_provider',
  ],
  // How a call was served takes precedence over the request: a request for `flex` may be served as standard.
  serviceTier: [
    'openai.response.service_tier',
    'gen_ai.openai.response.service_tier',
    'gen_ai.response.service_tier',
    'openai.request.service_tier',
    'gen_ai.openai.request.service_tier',
    'gen_ai.request.service_tier',
  ],
  tokensCacheWrite1h: [
    'gen_ai.usage.cache_creation.ephemeral_1h_input_tokens',
    'gen_ai.usage.cache_creation_1h_input_tokens',
    'gen_ai.usage.details.ephemeral_1h_input_tokens',
    'anthropic.usage.cache_creation.ephemeral_1h_input_tokens',
  ],
  /** JSON of the provider or about its usage. */
  metadata: [
    'ai.response.providerMetadata',
    'gen_ai.usage.raw',
    'langsmith.metadata.usage_metadata',
  ],
  /** The whole response, whose content may quote anything. */
  response: 'mlflow.spanOutputs',
} as const

/** Searched as text: the metadata may have logprobs, far too much to parse for two members. */
const inMetadata = {
  serviceTier: /"service_?tier"\s*:\s*"(\w+)"/i,
  tokensCacheWrite1h: /"ephemeral_1h_input_tokens"\s*:\s*(\d{1,15})\b/,
} as const

export function readPricingFacts(attributes: Attributes): PricingFacts {
  const metadata = readMetadata(attributes)
  const found = (pattern: RegExp) => {
    for (const text of metadata) {
      const value = pattern.exec(text)?.[1]
      if (value !== undefined) return value
    }
    return undefined
  }
  const provider = firstText(attributes, keys.provider)
  const tier = firstText(attributes, keys.serviceTier) ?? found(inMetadata.serviceTier)
  const hour = firstCount(attributes, keys.tokensCacheWrite1h)
  const hourInMetadata = found(inMetadata.tokensCacheWrite1h)
  return {
    provider: within(limits.providerLength.value, provider),
    serviceTier: within(limits.serviceTierLength.value, tier)?.toLowerCase() ?? null,
    tokensCacheWrite1h: hour ?? (hourInMetadata === undefined ? null : Number(hourInMetadata)),
  }
}

function readMetadata(attributes: Attributes): readonly string[] {
  const texts: string[] = []
  for (const key of keys.metadata) {
    const value = attributes.get(key)
    if (typeof value === 'string') texts.push(value)
  }
  const response = attributes.get(keys.response)
  if (typeof response !== 'string') return texts
  const { service_tier: tier, usage } = Object.fromEntries(
    findMembers(response, ['service_tier', 'usage']),
  )
  return [...texts, tier === undefined ? '' : `"service_tier":${tier}`, usage ?? '']
}

/** Longer text is not the name of a provider or a tier, and is dropped. */
function within(maxLength: number, text: string | undefined): string | null {
  return text === undefined || text === '' || text.length > maxLength ? null : text
}
