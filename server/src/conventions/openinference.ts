import type { JsonText } from '../domain/json-text.ts'
import type { WellKnownKind } from '../domain/kinds.ts'
import { valueJson } from './attribute-json.ts'
import {
  firstAmount,
  firstJson,
  firstModel,
  firstText,
  jsonOrText,
  parseMembers,
  toJson,
} from './attribute-reading.ts'
import type { Convention, KeyTable } from './convention.ts'
import type { Attributes, DecodedSpan } from './decoded-span.ts'
import { toInclusiveUsage } from './inclusive-usage.ts'
import { indexedItems } from './indexed-attributes.ts'
import { readMessages, readTextMessages } from './openinference-messages.ts'

/*
 * OpenInference, the vocabulary of Arize's instrumentations, as of its specification of August 2026. Lists
 * are spread over indexed keys: openinference-messages.ts puts them together.
 */

const lists = {
  messagesIn: 'llm.input_messages.',
  messagesOut: 'llm.output_messages.',
  promptsIn: 'llm.prompts.',
  choicesOut: 'llm.choices.',
  embeddings: 'embedding.embeddings.',
  documentsOut: ['retrieval.documents.', 'reranker.output_documents.'],
} as const

const keys = {
  kind: ['openinference.span.kind'],
  model: [
    'llm.response.model_name',
    'gen_ai.response.model',
    'llm.model_name',
    'llm.request.model_name',
    'embedding.model_name',
    'reranker.model_name',
  ],
  costUsd: ['llm.cost.total'],
  costParts: ['llm.cost.prompt', 'llm.cost.completion'],
  tokensIn: ['llm.token_count.prompt'],
  tokensOut: ['llm.token_count.completion'],
  tokensTotal: ['llm.token_count.total'],
  tokensCacheRead: ['llm.token_count.prompt_details.cache_read'],
  tokensCacheWrite: ['llm.token_count.prompt_details.cache_write'],
  tokensReasoning: ['llm.token_count.completion_details.reasoning'],
  instructions: ['llm.invocation_parameters › system'],
  messagesIn: [`${lists.messagesIn}<i>.message.*`, `${lists.promptsIn}<i>.prompt.text`],
  messagesOut: [`${lists.messagesOut}<i>.message.*`, `${lists.choicesOut}<i>.completion.text`],
  valueIn: [
    'input.value',
    'tool.parameters',
    'reranker.query',
    `${lists.embeddings}<i>.embedding.text`,
  ],
  valueOut: [
    'output.value',
    ...lists.documentsOut.map((prefix) => `${prefix}<i>.document.*`),
    `${lists.embeddings}<i>.embedding.vector`,
  ],
} as const satisfies KeyTable

const valuesIn = ['tool.parameters', 'reranker.query'] as const
const provider = ['llm.provider', 'llm.system'] as const

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
  title: 'OpenInference',
  about:
    'Arize’s instrumentations, of LangChain, LangGraph, LlamaIndex, CrewAI, smolagents, the OpenAI Agents SDK and many more. `input.mime_type` and `output.mime_type` show whether a value is JSON. Counts are those of the provider: where no total proves otherwise, Anthropic’s and Bedrock’s cache is counted beside the input.',
  prefixes: [
    'openinference.',
    'llm.',
    'input.',
    'output.',
    'tool.',
    'embedding.',
    'retrieval.',
    'reranker.',
  ],
  keys,
  kinds: kindsByWord,
  kind,
  model: ({ attributes }) => firstModel(attributes, keys.model),
  usage: ({ attributes }) =>
    toInclusiveUsage(attributes, keys, {
      cacheIsApart: /anthropic|bedrock|aws/i.test(firstText(attributes, provider) ?? ''),
    }),
  costUsd,
  partialCostUsd: ({ attributes }) => firstAmount(attributes, keys.costParts),
  instructions,
  messagesIn: ({ attributes }) =>
    readMessages(attributes, lists.messagesIn, 'user') ??
    readTextMessages(attributes, lists.promptsIn, 'prompt.text', 'user'),
  messagesOut: ({ attributes }) =>
    readMessages(attributes, lists.messagesOut, 'assistant') ??
    readTextMessages(attributes, lists.choicesOut, 'completion.text', 'assistant'),
  valueIn: ({ attributes }) =>
    typedValue(attributes, 'input') ??
    firstJson(attributes, valuesIn) ??
    embeddings(attributes, 'text'),
  valueOut: ({ attributes }) =>
    typedValue(attributes, 'output') ?? documents(attributes) ?? embeddings(attributes, 'vector'),
}

/** Of LlamaIndex, what prepares a call has the model, but calls nothing. */
const preparation = '._prepare_chat_with_tools'

function kind({ name, attributes }: DecodedSpan): WellKnownKind | undefined {
  const reported = kindsByWord.get(firstText(attributes, keys.kind)?.toUpperCase() ?? '')
  return reported === 'llm' && name.endsWith(preparation) ? 'chain' : reported
}

function costUsd({ attributes }: DecodedSpan): number | undefined {
  const total = firstAmount(attributes, keys.costUsd)
  if (total !== undefined) return total
  const costIn = firstAmount(attributes, [keys.costParts[0]])
  const costOut = firstAmount(attributes, [keys.costParts[1]])
  return costIn === undefined || costOut === undefined ? undefined : costIn + costOut
}

/** `input.value` or `output.value`, which a media type beside it declares to be JSON or text. */
function typedValue(attributes: Attributes, side: 'input' | 'output'): JsonText | undefined {
  const value = attributes.get(`${side}.value`)
  if (value === undefined || value === null || value === '') return undefined
  return attributes.get(`${side}.mime_type`) === 'application/json'
    ? toJson(value)
    : jsonOrText(value)
}

function embeddings(attributes: Attributes, member: 'text' | 'vector'): JsonText | undefined {
  const values = indexedItems(attributes, lists.embeddings).map(
    (item) => item.get(`embedding.${member}`) ?? null,
  )
  return values.every((value) => value === null) ? undefined : valueJson(values)
}

const maxParametersLength = 262_144

/** The system prompt of Anthropic, which is a parameter of the request and no message. */
function instructions({ attributes }: DecodedSpan): JsonText | undefined {
  // Where messages are hidden, so are their instructions.
  if (!attributes.has(`${lists.messagesIn}0.message.role`)) return undefined
  const parameters = attributes.get('llm.invocation_parameters')
  if (typeof parameters !== 'string' || !parameters.includes('"system"')) return undefined
  const system = parseMembers(parameters, maxParametersLength)?.get('system')
  return system === undefined || system === null ? undefined : valueJson(system)
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
