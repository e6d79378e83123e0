import type { JsonText } from '../domain/json-text.ts'
import type { WellKnownKind } from '../domain/kinds.ts'
import { firstCount, firstModel, jsonOrText } from './attribute-reading.ts'
import type { Convention, KeyTable } from './convention.ts'
import type { DecodedEvent, DecodedSpan } from './decoded-span.ts'
import { toInclusiveUsage } from './inclusive-usage.ts'
import type { ReportedUsage } from './reported-usage.ts'

/*
 * Codex CLI, which sends its internal spans: hundreds for each turn, one of them the turn, one for each model call,
 * and one for each tool call. A turn repeats the tokens of its calls.
 */

const keys = {
  model: ['model'],
  tokensIn: ['codex.turn.token_usage.input_tokens', 'gen_ai.usage.input_tokens'],
  tokensOut: ['codex.turn.token_usage.output_tokens', 'gen_ai.usage.output_tokens'],
  tokensTotal: ['codex.turn.token_usage.total_tokens', 'codex.usage.total_tokens'],
  tokensCacheRead: [
    'codex.turn.token_usage.cached_input_tokens',
    'gen_ai.usage.cache_read.input_tokens',
  ],
  tokensCacheWrite: [
    'codex.turn.token_usage.cache_write_input_tokens',
    'gen_ai.usage.cache_write.input_tokens',
  ],
  tokensReasoning: [
    'codex.turn.token_usage.reasoning_output_tokens',
    'codex.usage.reasoning_output_tokens',
  ],
  valueIn: ['event codex.tool_result › arguments'],
  valueOut: ['event codex.tool_result › output'],
} as const satisfies KeyTable

const names = {
  turn: 'session_task.turn',
  response: 'handle_responses',
  tool: 'dispatch_tool_call_with_state',
} as const

export const codex: Convention = {
  title: 'Codex CLI',
  about:
    'Its spans: `session_task.turn` is an agent’s turn, `handle_responses` with its tokens a model call, `dispatch_tool_call_with_state` a tool call with its result in the event `codex.tool_result`. All other spans are internal.',
  prefixes: ['codex.'],
  spanNames: Object.values(names),
  keys,
  kind,
  model: ({ name, attributes }) =>
    name === names.turn ? firstModel(attributes, keys.model) : undefined,
  usage,
  valueIn: (span) => memberOfResult(span, 'arguments'),
  valueOut: (span) => memberOfResult(span, 'output'),
  failure: (span) =>
    findResult(span)?.attributes.get('success') === 'false' ? 'The tool call failed.' : undefined,
}

function kind(span: DecodedSpan): WellKnownKind | undefined {
  const { name } = span
  if (name === names.turn) return 'agent'
  if (name === names.tool) return 'tool'
  const isCall = name === names.response && firstCount(span.attributes, keys.tokensIn) !== undefined
  return isCall ? 'llm' : undefined
}

function usage({ name, attributes }: DecodedSpan): ReportedUsage | undefined {
  const isCounted = name === names.turn || name === names.response
  return isCounted ? toInclusiveUsage(attributes, keys) : undefined
}

function findResult({ events }: DecodedSpan): DecodedEvent | undefined {
  return events.find(({ attributes }) => attributes.get('event.name') === 'codex.tool_result')
}

function memberOfResult(span: DecodedSpan, member: string): JsonText | undefined {
  const value = findResult(span)?.attributes.get(member)
  return value === undefined || value === null || value === '' ? undefined : jsonOrText(value)
}
