import { firstAmount, parseMembers } from './attribute-reading.ts'
import type { Convention, KeyTable } from './convention.ts'
import type { DecodedSpan } from './decoded-span.ts'
import { providerUsage } from './provider-usage.ts'

/*
 * Logfire, and what Pydantic AI shares with it.
 */

const keys = {
  kind: ['logfire.span_type'],
  tokensIn: ['gen_ai.usage.raw › prompt_tokens, input_tokens'],
  tokensOut: ['gen_ai.usage.raw › completion_tokens, output_tokens'],
  tokensTotal: ['gen_ai.usage.raw › total_tokens'],
  tokensCacheRead: ['gen_ai.usage.raw › *cached_tokens, cache_read_input_tokens'],
  tokensCacheWrite: ['gen_ai.usage.raw › cache_creation_input_tokens'],
  tokensReasoning: ['gen_ai.usage.raw › *reasoning_tokens'],
  costUsd: ['operation.cost'],
} as const satisfies KeyTable

export const logfire: Convention = {
  title: 'Logfire',
  about:
    'Spans of the type `log` are notices, chains here: of a streamed response the notice of its end has the tokens. Spans of the type `pending_span` announce a span that is not finished and are not stored: it follows.',
  prefixes: ['logfire.', 'operation.'],
  keys,
  kind: ({ attributes }) => (attributes.get(keys.kind[0]) === 'log' ? 'chain' : undefined),
  usage: ({ attributes }) => {
    const raw = parseMembers(attributes.get('gen_ai.usage.raw'))
    return raw && providerUsage(raw)
  },
  costUsd: ({ attributes }) => firstAmount(attributes, keys.costUsd),
}

/** Sent when a span starts, under another id, so that the finished span would not replace it. */
export function isPending({ attributes }: DecodedSpan): boolean {
  return attributes.get(keys.kind[0]) === 'pending_span'
}
