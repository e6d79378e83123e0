import { findMembers } from '../domain/json-grammar.ts'
import type { WellKnownKind } from '../domain/kinds.ts'
import {
  firstAmount,
  firstJson,
  firstModel,
  firstText,
  parseMembers,
  unquoted,
} from './attribute-reading.ts'
import type { Convention, KeyTable } from './convention.ts'
import type { Attributes, AttributeValue, DecodedSpan } from './decoded-span.ts'
import { toInclusiveUsage } from './inclusive-usage.ts'
import { providerUsage } from './provider-usage.ts'
import type { ReportedUsage } from './reported-usage.ts'

/*
 * MLflow Tracing, sent over OTLP. Every attribute is JSON, so that text comes in quotes.
 */

const keys = {
  kind: ['mlflow.spanType'],
  model: [
    'mlflow.spanOutputs › model, generations › message › response_metadata › model_name',
    'mlflow.llm.model',
    'mlflow.spanInputs › model',
  ],
  tokensIn: [
    'mlflow.spanOutputs › usage › prompt_tokens, input_tokens',
    'mlflow.chat.tokenUsage › input_tokens',
  ],
  tokensOut: [
    'mlflow.spanOutputs › usage › completion_tokens, output_tokens',
    'mlflow.chat.tokenUsage › output_tokens',
  ],
  tokensTotal: [
    'mlflow.spanOutputs › usage › total_tokens',
    'mlflow.chat.tokenUsage › total_tokens',
  ],
  tokensCacheRead: [
    'mlflow.spanOutputs › usage › *cached_tokens, cache_read_input_tokens',
    'mlflow.chat.tokenUsage › cache_read_input_tokens',
  ],
  tokensCacheWrite: [
    'mlflow.spanOutputs › usage › cache_creation_input_tokens',
    'mlflow.chat.tokenUsage › cache_creation_input_tokens',
  ],
  tokensReasoning: ['mlflow.spanOutputs › usage › *reasoning_tokens'],
  costUsd: ['mlflow.llm.cost › total_cost'],
  valueIn: ['mlflow.spanInputs'],
  valueOut: ['mlflow.spanOutputs'],
} as const satisfies KeyTable

const members = {
  tokensIn: ['input_tokens'],
  tokensOut: ['output_tokens'],
  tokensTotal: ['total_tokens'],
  tokensCacheRead: ['cache_read_input_tokens'],
  tokensCacheWrite: ['cache_creation_input_tokens'],
  costUsd: ['total_cost'],
} as const satisfies KeyTable

const kindsByType: ReadonlyMap<string, WellKnownKind> = new Map([
  ['LLM', 'llm'],
  ['CHAT_MODEL', 'llm'],
  ['AGENT', 'agent'],
  ['TOOL', 'tool'],
  ['RETRIEVER', 'retriever'],
  ['EMBEDDING', 'embedding'],
  ['RERANKER', 'reranker'],
  ['MEMORY', 'memory'],
  ['GUARDRAIL', 'guardrail'],
  ['EVALUATOR', 'evaluator'],
  ['CHAIN', 'chain'],
  ['WORKFLOW', 'chain'],
  ['TASK', 'chain'],
  ['PARSER', 'chain'],
])

export const mlflow: Convention = {
  title: 'MLflow Tracing',
  about:
    'MLflow’s own spans as its OTLP exporter sends them. All values are JSON. Of model calls the provider’s response is read, also within LangChain’s results; its usage has more details than `mlflow.chat.tokenUsage`.',
  prefixes: ['mlflow.'],
  keys,
  kinds: kindsByType,
  kind: readKind,
  model,
  usage,
  costUsd: ({ attributes }) => {
    const cost = parseMembers(attributes.get('mlflow.llm.cost'))
    return cost && firstAmount(cost, members.costUsd)
  },
  valueIn: ({ attributes }) => firstJson(attributes, keys.valueIn),
  valueOut: ({ attributes }) => firstJson(attributes, keys.valueOut),
}

function readKind({ attributes }: DecodedSpan): WellKnownKind | undefined {
  return kindsByType.get(readText(attributes, keys.kind[0])?.toUpperCase() ?? '')
}

/** The model that answered, else the one requested, which is what `mlflow.llm.model` may be. */
function model(span: DecodedSpan): string | undefined {
  const { attributes } = span
  const reported = toModel(firstText(attributes, ['mlflow.llm.model']))
  const kind = readKind(span)
  if (kind !== 'llm' && kind !== 'embedding') return reported
  const response = readResponse(span)
  return (
    toModel(response.get('model_name')) ??
    toModel(response.get('model')) ??
    reported ??
    toModel(membersOf(attributes.get('mlflow.spanInputs'), ['model']).get('model'))
  )
}

/** The usage in the response comes first: MLflow’s counts do not show where Anthropic’s cache is counted. */
function usage(span: DecodedSpan): ReportedUsage | undefined {
  const response = readKind(span) === 'llm' ? readResponse(span) : undefined
  const ofProvider = parseMembers(response?.get('token_usage') ?? response?.get('usage'))
  const counts = parseMembers(span.attributes.get('mlflow.chat.tokenUsage'))
  return (ofProvider && providerUsage(ofProvider)) ?? (counts && toInclusiveUsage(counts, members))
}

const facts = ['model_name', 'model', 'token_usage', 'usage'] as const

/** Model and usage of the provider’s response, as JSON; of LangChain’s result, those of its first message. */
function readResponse({ attributes }: DecodedSpan): ReadonlyMap<string, string> {
  const response = membersOf(attributes.get('mlflow.spanOutputs'), [...facts, 'generations'])
  const first = response.get('generations')?.replace(/^[[\s]+/, '')
  const message = membersOf(first, ['message']).get('message')
  const metadata = membersOf(message, ['response_metadata']).get('response_metadata')
  return metadata === undefined ? response : membersOf(metadata, facts)
}

function membersOf(value: AttributeValue | undefined, names: readonly string[]) {
  return findMembers(typeof value === 'string' ? value : '', names)
}

function readText(attributes: Attributes, key: string): string | undefined {
  const text = firstText(attributes, [key])
  return text === undefined ? undefined : unquoted(text)
}

function toModel(json: string | undefined): string | undefined {
  const text = json === 'null' ? '' : unquoted(json ?? '')
  return firstModel(new Map([['model', text]]), ['model'])
}
