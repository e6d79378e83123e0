import { findMembers } from '../domain/json-grammar.ts'
import type { JsonText } from '../domain/json-text.ts'
import type { WellKnownKind } from '../domain/kinds.ts'
import { firstJson, firstText, parseMembers, unquoted } from './attribute-reading.ts'
import type { Convention, KeyTable } from './convention.ts'
import type { Attributes, DecodedSpan } from './decoded-span.ts'
import { toInclusiveUsage } from './inclusive-usage.ts'
import { isProviderUsage, providerUsage } from './provider-usage.ts'
import type { ReportedUsage } from './reported-usage.ts'

/*
 * Genkit. Everything about a model call is in its output: Genkit's own counts, and the provider's response as `raw`,
 * of which Genkit for Go keeps the model as `custom`.
 */

const keys = {
  kind: ['genkit:metadata:subtype', 'genkit:type'],
  model: [
    'genkit:output › raw › model, modelVersion',
    'genkit:output › custom › model',
    'genkit:name',
  ],
  tokensIn: [
    'genkit:output › raw › usage › prompt_tokens, input_tokens',
    'genkit:output › usage › inputTokens',
  ],
  tokensOut: [
    'genkit:output › raw › usage › completion_tokens, output_tokens',
    'genkit:output › usage › outputTokens',
  ],
  tokensTotal: [
    'genkit:output › raw › usage › total_tokens',
    'genkit:output › usage › totalTokens',
  ],
  tokensCacheRead: [
    'genkit:output › raw › usage › *cached_tokens, cache_read_input_tokens',
    'genkit:output › usage › cachedContentTokens',
  ],
  tokensCacheWrite: ['genkit:output › raw › usage › cache_creation_input_tokens'],
  tokensReasoning: [
    'genkit:output › raw › usage › *reasoning_tokens',
    'genkit:output › usage › thoughtsTokens',
  ],
  valueIn: ['genkit:input'],
  valueOut: ['genkit:output', 'genkit:output › output'],
} as const satisfies KeyTable

const members = {
  tokensIn: ['inputTokens'],
  tokensOut: ['outputTokens'],
  tokensTotal: ['totalTokens'],
  tokensCacheRead: ['cachedContentTokens'],
  tokensReasoning: ['thoughtsTokens'],
} as const satisfies KeyTable

const kindsBySubtype: ReadonlyMap<string, WellKnownKind> = new Map([
  ['model', 'llm'],
  ['background-model', 'llm'],
  ['tool', 'tool'],
  ['tool.v2', 'tool'],
  ['embedder', 'embedding'],
  ['retriever', 'retriever'],
  ['reranker', 'reranker'],
  ['evaluator', 'evaluator'],
])

export const genkit: Convention = {
  title: 'Genkit',
  about:
    'Flows and all other spans are chains. The model is that of the provider’s response, else the part of `genkit:name` after the plugin.',
  prefixes: ['genkit:'],
  keys,
  kinds: kindsBySubtype,
  kind,
  model,
  usage,
  valueIn: ({ attributes }) => firstJson(attributes, keys.valueIn),
  valueOut,
}

function kind({ attributes }: DecodedSpan): WellKnownKind | undefined {
  const subtype = firstText(attributes, [keys.kind[0]]) ?? ''
  return kindsBySubtype.get(subtype) ?? (attributes.has(keys.kind[1]) ? 'chain' : undefined)
}

function model(span: DecodedSpan): string | undefined {
  const { attributes } = span
  const ownKind = kind(span)
  if (ownKind !== 'llm' && ownKind !== 'embedding') return undefined
  const output = readOutput(attributes)
  const response = findMembers(output.get('raw') ?? output.get('custom') ?? '', [
    'model',
    'modelVersion',
  ])
  const answering = unquoted(response.get('model') ?? response.get('modelVersion') ?? '')
  return answering === ''
    ? firstText(attributes, ['genkit:name'])?.replace(/^[^/]*\//, '')
    : answering
}

/** The provider's usage comes first: Genkit's own has no cache and reasoning for some providers. */
function usage(span: DecodedSpan): ReportedUsage | undefined {
  if (kind(span) !== 'llm') return undefined
  const output = readOutput(span.attributes)
  const raw = parseMembers(findMembers(output.get('raw') ?? '', ['usage']).get('usage'))
  if (raw !== undefined && isProviderUsage(raw)) return providerUsage(raw)
  const counts = parseMembers(output.get('usage'))
  // Gemini counts its thoughts beside the output.
  return counts && toInclusiveUsage(counts, members, { reasoningIsApart: true })
}

/** A tool of version 2 has its result in `output`, beside other content. */
function valueOut({ attributes }: DecodedSpan): JsonText | undefined {
  const output = firstJson(attributes, ['genkit:output'])
  if (output === undefined || firstText(attributes, [keys.kind[0]]) !== 'tool.v2') return output
  const response = findMembers(output, ['output', 'content'])
  const result = response.get('output')
  return result === undefined || response.has('content') ? output : (result as JsonText)
}

function readOutput(attributes: Attributes): ReadonlyMap<string, string> {
  const output = attributes.get('genkit:output')
  return findMembers(typeof output === 'string' ? output : '', ['usage', 'raw', 'custom'])
}
