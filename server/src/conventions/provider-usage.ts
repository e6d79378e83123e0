import { parseMembers } from './attribute-reading.ts'
import type { KeyTable } from './convention.ts'
import type { Attributes } from './decoded-span.ts'
import { toInclusiveUsage } from './inclusive-usage.ts'
import type { ReportedUsage } from './reported-usage.ts'

/*
 * The usage objects of providers, which some instrumentations pass on: those of OpenAI's two APIs, with details in
 * nested objects, and Anthropic's, which counts the cache beside the input.
 */

const members = {
  tokensIn: ['prompt_tokens', 'input_tokens'],
  tokensOut: ['completion_tokens', 'output_tokens'],
  tokensTotal: ['total_tokens'],
  tokensCacheRead: ['cached_tokens', 'cache_read_input_tokens'],
  tokensCacheWrite: ['cache_creation_input_tokens', 'cache_write_tokens'],
  tokensReasoning: ['reasoning_tokens'],
} as const satisfies KeyTable

const details = [
  'prompt_tokens_details',
  'completion_tokens_details',
  'input_tokens_details',
  'output_tokens_details',
]

export function isProviderUsage(usage: Attributes): boolean {
  return members.tokensIn.some((name) => usage.has(name))
}

export function providerUsage(usage: Attributes): ReportedUsage | undefined {
  const detailed = details.flatMap((name) => [...(parseMembers(usage.get(name)) ?? [])])
  const isAnthropic = usage.has('cache_read_input_tokens') && !usage.has('prompt_tokens')
  return toInclusiveUsage(new Map([...usage, ...detailed]), members, { cacheIsApart: isAnthropic })
}
