import type { WellKnownKind } from '../domain/kinds.ts'
import { firstAmount, firstJson, firstText, parseMembers, unquoted } from './attribute-reading.ts'
import type { Convention, KeyTable } from './convention.ts'
import type { Attributes } from './decoded-span.ts'
import { toInclusiveUsage } from './inclusive-usage.ts'

/*
 * MLflow Tracing, sent over OTLP. Every attribute is JSON, so that text comes in quotes.
 */

const keys = {
  kind: ['mlflow.spanType'],
  model: ['mlflow.llm.model'],
  tokensIn: ['mlflow.chat.tokenUsage › input_tokens'],
  tokensOut: ['mlflow.chat.tokenUsage › output_tokens'],
  tokensTotal: ['mlflow.chat.tokenUsage › total_tokens'],
  tokensCacheRead: ['mlflow.chat.tokenUsage › cache_read_input_tokens'],
  tokensCacheWrite: ['mlflow.chat.tokenUsage › cache_creation_input_tokens'],
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
  about: 'MLflow’s own spans as its OTLP exporter sends them. All values are JSON.',
  prefixes: ['mlflow.'],
  keys,
  kinds: kindsByType,
  kind: ({ attributes }) =>
    kindsByType.get(readText(attributes, keys.kind[0])?.toUpperCase() ?? ''),
  model: ({ attributes }) => readText(attributes, keys.model[0]),
  usage: ({ attributes }) => {
    const usage = parseMembers(attributes.get('mlflow.chat.tokenUsage'))
    return usage && toInclusiveUsage(usage, members)
  },
  costUsd: ({ attributes }) => {
    const cost = parseMembers(attributes.get('mlflow.llm.cost'))
    return cost && firstAmount(cost, members.costUsd)
  },
  valueIn: ({ attributes }) => firstJson(attributes, keys.valueIn),
  valueOut: ({ attributes }) => firstJson(attributes, keys.valueOut),
}

function readText(attributes: Attributes, key: string): string | undefined {
  const text = firstText(attributes, [key])
  return text === undefined ? undefined : unquoted(text)
}
