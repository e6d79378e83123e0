import type { JsonText } from '../domain/json-text.ts'
import type { WellKnownKind } from '../domain/kinds.ts'
import { valueJson } from './attribute-json.ts'
import {
  firstAmount,
  firstCount,
  firstJson,
  firstText,
  jsonOf,
  jsonOrText,
} from './attribute-reading.ts'
import type { Convention } from './convention.ts'
import type { Attributes, DecodedSpan } from './decoded-span.ts'
import { inclusiveUsage } from './inclusive-usage.ts'
import { indexedItems } from './indexed-attributes.ts'
import { messagesOf, textMessagesOf } from './openinference-messages.ts'

/*
 * OpenInference, the vocabulary of Arize's instrumentations, as of its specification of August 2026. Lists
 * are spread over indexed keys: openinference-messages.ts puts them together.
 */

const keys = {
  kind: ['openinference.span.kind'],
  model: [
    'llm.response.model_name',
    'llm.model_name',
    'llm.request.model_name',
    'embedding.model_name',
    'reranker.model_name',
  ],
  provider: ['llm.provider', 'llm.system'],
  costUsd: ['llm.cost.total'],
  costIn: ['llm.cost.prompt'],
  costOut: ['llm.cost.completion'],
  tokensIn: ['llm.token_count.prompt'],
  tokensOut: ['llm.token_count.completion'],
  tokensTotal: ['llm.token_count.total'],
  tokensCacheRead: ['llm.token_count.prompt_details.cache_read'],
  tokensCacheWrite: ['llm.token_count.prompt_details.cache_write'],
  tokensReasoning: ['llm.token_count.completion_details.reasoning'],
  valueIn: ['tool.parameters', 'reranker.query'],
} as const

const lists = {
  messagesIn: 'llm.input_messages.',
  messagesOut: 'llm.output_messages.',
  promptsIn: 'llm.prompts.',
  choicesOut: 'llm.choices.',
  embeddings: 'embedding.embeddings.',
  documentsOut: ['retrieval.documents.', 'reranker.output_documents.'],
} as const

const kindsByWord: ReadonlyMap<string, WellKnownKind> = new Map([
  ['LLM', 'llm'],
  ['EMBEDDING', 'embedding'],
  ['RERANKER', 'reranker'],
  ['RETRIEVER', 'retriever'],
  ['TOOL', 'tool'],
  ['AGENT', 'agent'],
  ['CHAIN', 'chain'],
  ['PROMPT', 'chain'],
  ['GUARDRAIL', 'guardrail'],
  ['EVALUATOR', 'evaluator'],
])

export const openInference: Convention = {
  namespaces: 'openinference llm input output tool embedding retrieval reranker'.split(' '),
  kind: ({ attributes }) => kindsByWord.get(firstText(attributes, keys.kind)?.toUpperCase() ?? ''),
  model: ({ attributes }) => firstText(attributes, keys.model),
  usage: ({ attributes }) =>
    inclusiveUsage({
      input: firstCount(attributes, keys.tokensIn),
      output: firstCount(attributes, keys.tokensOut),
      total: firstCount(attributes, keys.tokensTotal),
      cacheRead: firstCount(attributes, keys.tokensCacheRead),
      cacheWrite: firstCount(attributes, keys.tokensCacheWrite),
      reasoning: firstCount(attributes, keys.tokensReasoning),
      // Counts pass through as the provider gives them, and these give the cache apart.
      cacheIsApart: /anthropic|bedrock|aws/i.test(firstText(attributes, keys.provider) ?? ''),
    }),
  costUsd,
  sessionId: () => undefined,
  userId: () => undefined,
  messagesIn: ({ attributes }) =>
    messagesOf(attributes, lists.messagesIn, 'user') ??
    textMessagesOf(attributes, lists.promptsIn, 'prompt.text', 'user'),
  messagesOut: ({ attributes }) =>
    messagesOf(attributes, lists.messagesOut, 'assistant') ??
    textMessagesOf(attributes, lists.choicesOut, 'completion.text', 'assistant'),
  valueIn: ({ attributes }) =>
    typedValue(attributes, 'input') ??
    firstJson(attributes, keys.valueIn) ??
    embeddedTexts(attributes),
  valueOut: ({ attributes }) => typedValue(attributes, 'output') ?? documents(attributes),
}

function costUsd({ attributes }: DecodedSpan): number | undefined {
  const total = firstAmount(attributes, keys.costUsd)
  if (total !== undefined) return total
  const costIn = firstAmount(attributes, keys.costIn)
  const costOut = firstAmount(attributes, keys.costOut)
  return costIn === undefined && costOut === undefined ? undefined : (costIn ?? 0) + (costOut ?? 0)
}

/** `input.value` or `output.value`, which a media type beside it declares to be JSON or text. */
function typedValue(attributes: Attributes, side: 'input' | 'output'): JsonText | undefined {
  const value = attributes.get(`${side}.value`)
  if (value === undefined || value === null || value === '') return undefined
  return attributes.get(`${side}.mime_type`) === 'application/json'
    ? jsonOf(value)
    : jsonOrText(value)
}

function embeddedTexts(attributes: Attributes): JsonText | undefined {
  const texts = indexedItems(attributes, lists.embeddings).map((item) => item.get('embedding.text'))
  return texts.length === 0 ? undefined : valueJson(texts.map((text) => text ?? null))
}

function documents(attributes: Attributes): JsonText | undefined {
  const items = lists.documentsOut.flatMap((prefix) => indexedItems(attributes, prefix))
  return items.length === 0 ? undefined : (`[${items.map(documentJson).join(',')}]` as JsonText)
}

function documentJson(item: Attributes): string {
  const members = [...item].map(([key, value]) => {
    const name = key.replace(/^document\./, '')
    return `${valueJson(name)}:${name === 'metadata' ? jsonOrText(value) : valueJson(value)}`
  })
  return `{${members.join(',')}}`
}
