import type { JsonText } from '../domain/json-text.ts'
import type { WellKnownKind } from '../domain/kinds.ts'
import {
  firstAmount,
  firstCount,
  firstJson,
  firstModel,
  firstText,
  toJson,
} from './attribute-reading.ts'
import type { Convention, KeyTable } from './convention.ts'
import type { AttributeValue, DecodedSpan } from './decoded-span.ts'
import {
  contentEventsIn,
  contentEventsOut,
  messageEventsIn,
  messageEventsOut,
  toolEventIn,
  toolEventOut,
} from './gen-ai-events.ts'
import { kindsByOperation } from './gen-ai-operations.ts'
import { toInclusiveUsage } from './inclusive-usage.ts'
import { withToolCalls } from './printed-tool-calls.ts'

/*
 * OpenTelemetry's GenAI and MCP conventions as of semantic-conventions-genai (after 1.41), with the spellings
 * that instrumentations in use add to them, and those of before 1.37 as far as they are attributes of their own
 * or events (gen-ai-events.ts). Of several keys the first with a value counts; they are never added up,
 * because senders write the same number under its old and its new name.
 */

const keys = {
  kind: ['gen_ai.operation.name'],
  model: ['gen_ai.response.model', 'gen_ai.request.model'],
  costUsd: ['gen_ai.usage.cost', 'gen_ai.usage.total_cost'],
  tokensIn: ['gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens'],
  tokensOut: ['gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens'],
  tokensTotal: ['gen_ai.usage.total_tokens', 'llm.usage.total_tokens'],
  tokensCacheRead: [
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'gen_ai.usage.cached_input_tokens',
    'gen_ai.usage.input_cached_tokens',
    'gen_ai.usage.details.cache_read_tokens',
    'gen_ai.usage.details.cache_read_input_tokens',
  ],
  tokensCacheWrite: [
    'gen_ai.usage.cache_write.input_tokens',
    'gen_ai.usage.cache_creation.input_tokens',
    'gen_ai.usage.cache_creation_input_tokens',
    'gen_ai.usage.cache_write_input_tokens',
    'gen_ai.usage.details.cache_write_tokens',
    'gen_ai.usage.details.cache_creation_input_tokens',
  ],
  tokensReasoning: [
    'gen_ai.usage.reasoning.output_tokens',
    'gen_ai.usage.reasoning_tokens',
    'gen_ai.usage.details.reasoning_tokens',
    'llm.usage.reasoning_tokens',
  ],
  instructions: ['gen_ai.system_instructions'],
  messagesIn: ['gen_ai.input.messages'],
  messagesOut: ['gen_ai.output.messages'],
  valueIn: ['gen_ai.tool.call.arguments', 'gen_ai.retrieval.query.text', 'gen_ai.prompt'],
  valueOut: [
    'gen_ai.tool.call.result',
    'gen_ai.retrieval.documents',
    'gen_ai.completion',
    'mcp.response.value',
  ],
} as const satisfies KeyTable

/** The kind of a span without a known operation follows from these. */
const signs = {
  mcpMethod: ['mcp.method.name'],
  tool: ['gen_ai.tool.name', 'gen_ai.tool.call.id'],
  retrieval: ['gen_ai.retrieval.query.text', 'gen_ai.retrieval.documents'],
  embedding: ['gen_ai.embeddings.dimension.count'],
} as const

/** Where spans carry their content in an event, or in several, each with a part of it. */
const detailsEvent = 'gen_ai.client.inference.operation.details'

export const genAi: Convention = {
  title: 'OpenTelemetry GenAI and MCP',
  about:
    'The current conventions and those of before 1.37. Messages may be JSON text or structured; they are also read from the event `gen_ai.client.inference.operation.details`, from `gen_ai.*.message` and `gen_ai.choice`, and from `gen_ai.content.prompt` and `gen_ai.content.completion`. Without a known operation a method of MCP, a tool, a retrieval, an embedding, or a model with its tokens or messages shows the kind. Microsoft Agent Framework, Semantic Kernel, Strands, Spring AI and Gemini CLI use it as well.',
  prefixes: ['gen_ai.', 'mcp.'],
  keys,
  kinds: kindsByOperation,
  kind,
  model: ({ attributes }) => firstModel(attributes, keys.model),
  usage: ({ attributes }) => toInclusiveUsage(attributes, keys),
  costUsd: ({ attributes }) => firstAmount(attributes, keys.costUsd),
  instructions: (span) => readContent(span, keys.instructions[0]),
  messagesIn: (span) => readMessages(span, keys.messagesIn[0]) ?? messageEventsIn(span),
  messagesOut: (span) => readMessages(span, keys.messagesOut[0]) ?? messageEventsOut(span),
  valueIn: (span) =>
    firstJson(span.attributes, keys.valueIn) ??
    (isToolCall(span) ? toolEventIn(span) : undefined) ??
    contentEventsIn(span),
  valueOut: (span) =>
    firstJson(span.attributes, keys.valueOut) ??
    (isToolCall(span) ? toolEventOut(span) : undefined) ??
    contentEventsOut(span),
}

function kind(span: DecodedSpan): WellKnownKind | undefined {
  const { attributes } = span
  // A call over MCP reports execute_tool as well, which is less specific.
  if (firstText(attributes, signs.mcpMethod) !== undefined) return 'mcp'
  const reported = kindsByOperation.get(firstText(attributes, keys.kind) ?? '')
  if (reported !== undefined) return reported
  if (firstText(attributes, signs.tool) !== undefined) return 'tool'
  if (firstJson(attributes, signs.retrieval) !== undefined) return 'retriever'
  if (firstCount(attributes, signs.embedding) !== undefined) return 'embedding'
  const isModelCall =
    firstModel(attributes, keys.model) !== undefined &&
    (firstCount(attributes, keys.tokensIn) ?? firstCount(attributes, keys.tokensOut)) !== undefined
  const hasMessages = (key: string) => findValue(span, key) !== undefined
  return isModelCall || hasMessages(keys.messagesIn[0]) || hasMessages(keys.messagesOut[0])
    ? 'llm'
    : undefined
}

function isToolCall({ attributes }: DecodedSpan): boolean {
  return firstText(attributes, keys.kind) === 'execute_tool'
}

function readContent(span: DecodedSpan, key: string): JsonText | undefined {
  const value = findValue(span, key)
  return value === undefined ? undefined : toJson(value)
}

function readMessages(span: DecodedSpan, key: string): JsonText | undefined {
  const messages = readContent(span, key)
  return messages && withToolCalls(messages)
}

function findValue({ attributes, events }: DecodedSpan, key: string): AttributeValue | undefined {
  const own = attributes.get(key)
  if (own !== undefined && own !== null && own !== '') return own
  for (const event of events) {
    if (event.name !== detailsEvent) continue
    const reported = event.attributes.get(key)
    if (reported !== undefined && reported !== null && reported !== '') return reported
  }
  return undefined
}
