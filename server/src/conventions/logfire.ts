import type { WellKnownKind } from '../domain/kinds.ts'
import { firstAmount, firstJson, firstText, parseMembers } from './attribute-reading.ts'
import type { Convention, KeyTable } from './convention.ts'
import type { DecodedSpan } from './decoded-span.ts'
import { isSession } from './identity.ts'
import { providerUsage } from './provider-usage.ts'

/*
 * Logfire, and what Pydantic AI shares with it.
 */

const keys = {
  name: ['logfire.msg'],
  kind: ['logfire.msg_template'],
  tokensIn: ['gen_ai.usage.raw › prompt_tokens, input_tokens'],
  tokensOut: ['gen_ai.usage.raw › completion_tokens, output_tokens'],
  tokensTotal: ['gen_ai.usage.raw › total_tokens'],
  tokensCacheRead: ['gen_ai.usage.raw › *cached_tokens, cache_read_input_tokens'],
  tokensCacheWrite: ['gen_ai.usage.raw › cache_creation_input_tokens'],
  tokensReasoning: ['gen_ai.usage.raw › *reasoning_tokens'],
  costUsd: ['operation.cost'],
  valueIn: ['input'],
  valueOut: ['output'],
  sessionId: ['group_id'],
} as const satisfies KeyTable

const spanType = 'logfire.span_type'

/** Its integration of the OpenAI Agents SDK, whose spans have nothing else that shows the kind. */
const kindsByTemplate: ReadonlyMap<string, WellKnownKind> = new Map([
  ['Agent run: {name!r}', 'agent'],
  ['Function: {name}', 'tool'],
  ['Responses API with {gen_ai.request.model!r}', 'llm'],
  ['Chat completion with {gen_ai.request.model!r}', 'llm'],
])

export const logfire: Convention = {
  title: 'Logfire',
  about:
    'The name of a span with `logfire.msg_template` is `logfire.msg`. `input`, `output` and `group_id` are those of the OpenAI Agents SDK. Spans of the type `log` are log entries, and have the kind `chain`: the one at the end of a streamed response has its tokens. Spans of the type `pending_span` announce a span that is not finished and are not stored: it follows.',
  prefixes: ['logfire.', 'operation.'],
  keys,
  kinds: kindsByTemplate,
  name: ({ attributes }) =>
    attributes.has(keys.kind[0]) ? firstText(attributes, keys.name) : undefined,
  kind: ({ attributes }) =>
    attributes.get(spanType) === 'log'
      ? 'chain'
      : kindsByTemplate.get(firstText(attributes, keys.kind) ?? ''),
  usage: ({ attributes }) => {
    const raw = parseMembers(attributes.get('gen_ai.usage.raw'))
    return raw && providerUsage(raw)
  },
  costUsd: ({ attributes }) => firstAmount(attributes, keys.costUsd),
  valueIn: (span) => (isFunction(span) ? firstJson(span.attributes, keys.valueIn) : undefined),
  valueOut: (span) => (isFunction(span) ? firstJson(span.attributes, keys.valueOut) : undefined),
  sessionId: ({ attributes }) => {
    const group = attributes.has('agent_trace_id') ? firstText(attributes, keys.sessionId) : 'null'
    return group === undefined || group === 'null' || !isSession(group) ? undefined : group
  },
}

function isFunction({ attributes }: DecodedSpan): boolean {
  return attributes.get(keys.kind[0]) === 'Function: {name}'
}

/** Sent when a span starts, under another id, so that the finished span would not replace it. */
export function isPending({ attributes }: DecodedSpan): boolean {
  return attributes.get(spanType) === 'pending_span'
}
