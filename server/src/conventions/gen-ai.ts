import type { JsonText } from '../domain/json-text.ts'
import type { WellKnownKind } from '../domain/kinds.ts'
import { firstAmount, firstCount, firstJson, firstText, jsonOf } from './attribute-reading.ts'
import type { Convention } from './convention.ts'
import type { AttributeValue, DecodedSpan } from './decoded-span.ts'
import { inclusiveUsage } from './inclusive-usage.ts'
import { withInstructions } from './system-instructions.ts'

/*
 * OpenTelemetry's GenAI and MCP conventions as of semantic-conventions-genai (after 1.41), with the spellings
 * that instrumentations in use add to them. Of several keys the first that says something counts; they are
 * never added up, because senders write the same number under its old and its new name.
 */

const keys = {
  operation: ['gen_ai.operation.name'],
  mcpMethod: ['mcp.method.name'],
  tool: ['gen_ai.tool.name', 'gen_ai.tool.call.id'],
  retrieval: ['gen_ai.retrieval.query.text', 'gen_ai.retrieval.documents'],
  embedding: ['gen_ai.embeddings.dimension.count'],
  model: ['gen_ai.response.model', 'gen_ai.request.model'],
  sessionId: ['gen_ai.conversation.id'],
  userId: ['gen_ai.request.user', 'gen_ai.user'],
  costUsd: ['gen_ai.usage.cost', 'gen_ai.usage.total_cost'],
  tokensIn: ['gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens'],
  tokensOut: ['gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens'],
  tokensTotal: ['gen_ai.usage.total_tokens'],
  tokensCacheRead: [
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'gen_ai.usage.cached_input_tokens',
    'gen_ai.usage.input_cached_tokens',
  ],
  tokensCacheWrite: [
    'gen_ai.usage.cache_write.input_tokens',
    'gen_ai.usage.cache_creation.input_tokens',
    'gen_ai.usage.cache_creation_input_tokens',
    'gen_ai.usage.cache_write_input_tokens',
  ],
  tokensReasoning: ['gen_ai.usage.reasoning.output_tokens', 'gen_ai.usage.reasoning_tokens'],
  valueIn: ['gen_ai.tool.call.arguments', 'gen_ai.retrieval.query.text'],
  valueOut: ['gen_ai.tool.call.result', 'gen_ai.retrieval.documents'],
} as const

const content = {
  instructions: 'gen_ai.system_instructions',
  messagesIn: 'gen_ai.input.messages',
  messagesOut: 'gen_ai.output.messages',
  /** Where spans carry their content in an event, or in several, each with a part of it. */
  event: 'gen_ai.client.inference.operation.details',
} as const

const kindsByOperation: ReadonlyMap<string, WellKnownKind> = new Map([
  ['chat', 'llm'],
  ['generate_content', 'llm'],
  ['text_completion', 'llm'],
  ['completion', 'llm'],
  ['generate', 'llm'],
  ['embeddings', 'embedding'],
  ['rerank', 'reranker'],
  ['retrieval', 'retriever'],
  ['execute_tool', 'tool'],
  ['invoke_agent', 'agent'],
  ['create_agent', 'agent'],
  ['invoke_workflow', 'chain'],
  ['agent_step', 'chain'],
  ['plan', 'chain'],
  ['create_memory', 'memory'],
  ['update_memory', 'memory'],
  ['upsert_memory', 'memory'],
  ['search_memory', 'memory'],
  ['delete_memory', 'memory'],
])

export const genAi: Convention = {
  namespaces: ['gen_ai', 'mcp'],
  kind,
  model: ({ attributes }) => firstText(attributes, keys.model),
  usage: ({ attributes }) =>
    inclusiveUsage({
      input: firstCount(attributes, keys.tokensIn),
      output: firstCount(attributes, keys.tokensOut),
      total: firstCount(attributes, keys.tokensTotal),
      cacheRead: firstCount(attributes, keys.tokensCacheRead),
      cacheWrite: firstCount(attributes, keys.tokensCacheWrite),
      reasoning: firstCount(attributes, keys.tokensReasoning),
      cacheIsApart: false,
    }),
  costUsd: ({ attributes }) => firstAmount(attributes, keys.costUsd),
  sessionId: ({ attributes }) => firstText(attributes, keys.sessionId),
  userId: ({ attributes }) => firstText(attributes, keys.userId),
  messagesIn: (span) =>
    withInstructions(contentOf(span, content.instructions), contentOf(span, content.messagesIn)),
  messagesOut: (span) => contentOf(span, content.messagesOut),
  valueIn: ({ attributes }) => firstJson(attributes, keys.valueIn),
  valueOut: ({ attributes }) => firstJson(attributes, keys.valueOut),
}

function kind(span: DecodedSpan): WellKnownKind | undefined {
  const { attributes } = span
  // A call over MCP says execute_tool as well; that it went over MCP says more.
  if (firstText(attributes, keys.mcpMethod) !== undefined) return 'mcp'
  const told = kindsByOperation.get(firstText(attributes, keys.operation) ?? '')
  if (told !== undefined) return told
  if (firstText(attributes, keys.tool) !== undefined) return 'tool'
  if (firstJson(attributes, keys.retrieval) !== undefined) return 'retriever'
  if (firstCount(attributes, keys.embedding) !== undefined) return 'embedding'
  const isModelCall =
    firstText(attributes, keys.model) !== undefined &&
    (firstCount(attributes, keys.tokensIn) ?? firstCount(attributes, keys.tokensOut)) !== undefined
  const hasMessages = (key: string) => valueOf(span, key) !== undefined
  return isModelCall || hasMessages(content.messagesIn) || hasMessages(content.messagesOut)
    ? 'llm'
    : undefined
}

function contentOf(span: DecodedSpan, key: string): JsonText | undefined {
  const value = valueOf(span, key)
  return value === undefined ? undefined : jsonOf(value)
}

function valueOf({ attributes, events }: DecodedSpan, key: string): AttributeValue | undefined {
  const own = attributes.get(key)
  if (own !== undefined && own !== null && own !== '') return own
  for (const event of events) {
    if (event.name !== content.event) continue
    const told = event.attributes.get(key)
    if (told !== undefined && told !== null && told !== '') return told
  }
  return undefined
}
