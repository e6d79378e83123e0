import type { WellKnownKind } from '../domain/kinds.ts'
import { firstJson, firstText } from './attribute-reading.ts'
import type { Convention, KeyTable } from './convention.ts'
import type { Attributes, DecodedSpan } from './decoded-span.ts'
import { toInclusiveUsage } from './inclusive-usage.ts'
import type { ReportedUsage } from './reported-usage.ts'

/*
 * OpenLLMetry, Traceloop's instrumentations: its own keys. Since 2026 its model calls use OpenTelemetry GenAI;
 * before, they put messages into indexed keys (gen_ai-indexed.ts).
 */

const keys = {
  kind: ['traceloop.span.kind', 'llm.request.type'],
  tokensIn: ['gen_ai.usage.prompt_tokens'],
  tokensOut: ['gen_ai.usage.completion_tokens'],
  tokensTotal: ['llm.usage.total_tokens'],
  tokensCacheRead: ['gen_ai.usage.cache_read_input_tokens', 'gen_ai.usage.cache_read.input_tokens'],
  tokensCacheWrite: [
    'gen_ai.usage.cache_creation_input_tokens',
    'gen_ai.usage.cache_creation.input_tokens',
  ],
  tokensReasoning: ['gen_ai.usage.reasoning_tokens', 'llm.usage.reasoning_tokens'],
  valueIn: ['traceloop.entity.input'],
  valueOut: ['traceloop.entity.output'],
} as const satisfies KeyTable

const kindsByWord: ReadonlyMap<string, WellKnownKind> = new Map([
  ['workflow', 'chain'],
  ['task', 'chain'],
  ['session', 'chain'],
  ['agent', 'agent'],
  ['tool', 'tool'],
  ['chat', 'llm'],
  ['completion', 'llm'],
  ['embedding', 'embedding'],
  ['rerank', 'reranker'],
])

/** Stores that are searched by meaning; any other database is none of ours. */
const vectorStores = /^(?:chroma|chromadb|lancedb|marqo|milvus|pinecone|qdrant|weaviate)$/i

export const traceloop: Convention = {
  title: 'OpenLLMetry (Traceloop)',
  about:
    'OpenLLMetry’s workflows, tasks, agents and tools, its sessions of MCP (spans named `….mcp`), and its vector stores (`db.system`: Chroma, LanceDB, Marqo, Milvus, Pinecone, Qdrant, Weaviate), which are retrievers. Counts are read here only where `llm.request.type` shows the older generation and the provider is Anthropic or Bedrock, whose cache it counted beside the input.',
  prefixes: ['traceloop.', 'llm.request.type', 'db.system'],
  keys,
  kinds: kindsByWord,
  kind,
  usage,
  valueIn: ({ attributes }) => firstJson(attributes, keys.valueIn),
  valueOut: ({ attributes }) => firstJson(attributes, keys.valueOut),
}

function kind({ name, attributes }: DecodedSpan): WellKnownKind | undefined {
  for (const key of keys.kind) {
    const reported = kindsByWord.get(firstText(attributes, [key]) ?? '')
    if (reported === 'chain' && isToolCall(attributes)) return 'tool'
    if (reported !== undefined) return reported
  }
  if (name.endsWith('.mcp')) return 'mcp'
  return vectorStores.test(firstText(attributes, ['db.system']) ?? '') ? 'retriever' : undefined
}

/** The JavaScript instrumentation of LangChain reports its tool calls as tasks. */
function isToolCall(attributes: Attributes): boolean {
  return attributes.get('gen_ai.operation.name') === 'execute_tool'
}

function usage({ attributes }: DecodedSpan): ReportedUsage | undefined {
  if (!attributes.has('llm.request.type')) return undefined
  const provider = firstText(attributes, ['gen_ai.system']) ?? ''
  if (!/anthropic|bedrock/i.test(provider)) return undefined
  return toInclusiveUsage(attributes, keys, { cacheIsApart: true })
}
