import type { WellKnownKind } from '../domain/kinds.ts'
import {
  firstCount,
  firstJson,
  firstText,
  parseMembers,
  parsePrintedMembers,
} from './attribute-reading.ts'
import type { Convention, KeyTable } from './convention.ts'
import type { Attributes, AttributeValue, DecodedSpan } from './decoded-span.ts'
import { toInclusiveUsage } from './inclusive-usage.ts'
import type { ReportedUsage } from './reported-usage.ts'

/*
 * LangSmith's export to OpenTelemetry. Its own kind comes before the operation of GenAI, which it derives
 * inexactly: a retriever reports `embeddings`, a prompt `chat`. `langsmith.trace.session_id` is a LangSmith project.
 */

const keys = {
  kind: ['langsmith.span.kind'],
  tokensIn: ['gen_ai.usage.input_tokens'],
  tokensOut: ['gen_ai.usage.output_tokens'],
  tokensTotal: ['gen_ai.usage.total_tokens'],
  tokensCacheRead: ['gen_ai.usage.input_token_details › cache_read'],
  tokensCacheWrite: [
    'gen_ai.usage.input_token_details › cache_creation, ephemeral_5m_input_tokens, ephemeral_1h_input_tokens',
  ],
  tokensReasoning: ['gen_ai.usage.output_token_details › reasoning'],
  valueIn: ['gen_ai.prompt'],
  valueOut: ['gen_ai.completion'],
} as const satisfies KeyTable

const members = {
  tokensIn: keys.tokensIn,
  tokensOut: keys.tokensOut,
  tokensTotal: keys.tokensTotal,
  tokensCacheRead: ['cache_read'],
  tokensCacheWrite: ['cache_creation'],
  tokensReasoning: ['reasoning'],
} as const satisfies KeyTable

/** Writes to the cache by lifetime. Where they are reported, `cache_creation` is 0 or missing. */
const writesByLifetime = ['ephemeral_5m_input_tokens', 'ephemeral_1h_input_tokens']

const kindsByRunType: ReadonlyMap<string, WellKnownKind> = new Map([
  ['llm', 'llm'],
  ['tool', 'tool'],
  ['chain', 'chain'],
  ['prompt', 'chain'],
  ['parser', 'chain'],
  ['retriever', 'retriever'],
  ['embedding', 'embedding'],
])

export const langSmith: Convention = {
  title: 'LangSmith',
  about:
    'LangSmith’s export to OpenTelemetry, of LangChain and LangGraph above all. The details of usage are JSON or printed by Python; they are also read from `langsmith.metadata.usage_metadata`.',
  prefixes: ['langsmith.'],
  keys,
  kinds: kindsByRunType,
  kind: ({ attributes }) => kindsByRunType.get(firstText(attributes, keys.kind) ?? ''),
  usage,
  valueIn: ({ attributes }) => firstJson(attributes, keys.valueIn),
  valueOut: ({ attributes }) => firstJson(attributes, keys.valueOut),
}

function usage({ attributes }: DecodedSpan): ReportedUsage | undefined {
  const metadata = parseMembers(attributes.get('langsmith.metadata.usage_metadata'))
  const details = ['input_token_details', 'output_token_details'].flatMap((name) => [
    ...(parseDetails(attributes.get(`gen_ai.usage.${name}`)) ??
      parseMembers(metadata?.get(name)) ??
      []),
  ])
  if (details.length === 0) return toInclusiveUsage(attributes, members)
  const reported = toInclusiveUsage(new Map([...attributes, ...details]), members)
  const writes = writesByLifetime.flatMap((name) => firstCount(new Map(details), [name]) ?? [])
  return reported === undefined || writes.length === 0
    ? reported
    : { ...reported, cacheWrite: reported.cacheWrite || writes.reduce((sum, each) => sum + each) }
}

/** JSON, or as Python prints a dictionary. */
function parseDetails(details: AttributeValue | undefined): Attributes | undefined {
  return typeof details === 'string' && details.startsWith("{'")
    ? parsePrintedMembers(details)
    : parseMembers(details)
}
