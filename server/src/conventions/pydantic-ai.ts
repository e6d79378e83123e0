import type { JsonText } from '../domain/json-text.ts'
import { firstJson, firstModel } from './attribute-reading.ts'
import type { Convention, KeyTable } from './convention.ts'
import type { Attributes, DecodedSpan } from './decoded-span.ts'
import { type Exchange, splitEvents } from './event-lists.ts'
import { toInclusiveUsage } from './inclusive-usage.ts'

/*
 * Pydantic AI, formats 1 to 6, as far as it goes beyond OpenTelemetry GenAI. Since 2.0 its agents report
 * the sum of their calls as `aggregated_usage`, which counts where the calls report nothing.
 */

const usage = 'gen_ai.aggregated_usage.'

const ofAgent = ['pydantic_ai.all_messages', 'all_messages_events'] as const
const ofCall = ['events'] as const
const request = ['request_data'] as const
const response = ['response_data'] as const

const keys = {
  model: ['gen_ai.response.model', 'gen_ai.request.model', 'model_name'],
  tokensIn: [`${usage}input_tokens`],
  tokensOut: [`${usage}output_tokens`],
  tokensCacheRead: [`${usage}cache_read.input_tokens`],
  tokensCacheWrite: [`${usage}cache_creation.input_tokens`, `${usage}cache_write.input_tokens`],
  tokensReasoning: [`${usage}details.reasoning_tokens`],
  messagesIn: [...ofAgent, ...ofCall, ...request],
  messagesOut: [...ofCall, ...response],
  valueIn: ['tool_arguments'],
  valueOut: ['tool_response', 'final_result'],
} as const satisfies KeyTable

export const pydanticAi: Convention = {
  title: 'Pydantic AI and Logfire’s integrations',
  about:
    'All its formats; used beside OpenTelemetry GenAI. `gen_ai.aggregated_usage.*` sums up an agent’s calls and counts only where they report nothing. `events` ends with the answer: what follows the last message of the system, the user or a tool. `agent run` with `agent_name` is an agent.',
  prefixes: ['pydantic_ai.', 'logfire.', usage],
  keys,
  kind: ({ name, attributes }) =>
    name === 'agent run' && attributes.has('agent_name') ? 'agent' : undefined,
  model: ({ attributes }) => firstModel(attributes, keys.model),
  usage: ({ attributes }) => toInclusiveUsage(attributes, keys),
  messagesIn,
  messagesOut,
  valueIn: ({ attributes }) => firstJson(attributes, keys.valueIn),
  valueOut: ({ attributes }) => firstJson(attributes, keys.valueOut),
}

function messagesIn({ attributes }: DecodedSpan): JsonText | undefined {
  if (attributes.has('gen_ai.input.messages')) return undefined
  return (
    firstJson(attributes, ofAgent) ??
    exchange(attributes)?.messagesIn ??
    firstJson(attributes, request)
  )
}

function messagesOut({ attributes }: DecodedSpan): JsonText | undefined {
  if (attributes.has('gen_ai.output.messages')) return undefined
  return exchange(attributes)?.messagesOut ?? firstJson(attributes, response)
}

function exchange(attributes: Attributes): Exchange | undefined {
  const events = firstJson(attributes, ofCall)
  return events && splitEvents(events)
}
