import { firstJson, firstModel } from './attribute-reading.ts'
import type { Convention, KeyTable } from './convention.ts'
import { toInclusiveUsage } from './inclusive-usage.ts'

/*
 * Pydantic AI, formats 1 to 6, as far as it goes beyond OpenTelemetry GenAI. Since 2.0 its agents report
 * the sum of their calls as `aggregated_usage`, which counts where the calls report nothing.
 */

const usage = 'gen_ai.aggregated_usage.'

const keys = {
  model: ['gen_ai.response.model', 'gen_ai.request.model', 'model_name'],
  tokensIn: [`${usage}input_tokens`],
  tokensOut: [`${usage}output_tokens`],
  tokensCacheRead: [`${usage}cache_read.input_tokens`],
  tokensCacheWrite: [`${usage}cache_creation.input_tokens`, `${usage}cache_write.input_tokens`],
  tokensReasoning: [`${usage}details.reasoning_tokens`],
  messagesIn: ['pydantic_ai.all_messages', 'all_messages_events', 'events', 'request_data'],
  messagesOut: ['response_data'],
  valueIn: ['tool_arguments'],
  valueOut: ['tool_response', 'final_result'],
} as const satisfies KeyTable

export const pydanticAi: Convention = {
  title: 'Pydantic AI and Logfire’s integrations',
  about:
    'All its formats; used beside OpenTelemetry GenAI. `gen_ai.aggregated_usage.*` sums up an agent’s calls and counts only where they report nothing.',
  prefixes: ['pydantic_ai.', 'logfire.', usage],
  keys,
  model: ({ attributes }) => firstModel(attributes, keys.model),
  usage: ({ attributes }) => toInclusiveUsage(attributes, keys),
  messagesIn: ({ attributes }) =>
    attributes.has('gen_ai.input.messages') ? undefined : firstJson(attributes, keys.messagesIn),
  messagesOut: ({ attributes }) =>
    attributes.has('gen_ai.output.messages') ? undefined : firstJson(attributes, keys.messagesOut),
  valueIn: ({ attributes }) => firstJson(attributes, keys.valueIn),
  valueOut: ({ attributes }) => firstJson(attributes, keys.valueOut),
}
