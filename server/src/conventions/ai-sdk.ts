import { type JsonText, toStorableText } from '../domain/json-text.ts'
import type { WellKnownKind } from '../domain/kinds.ts'
import { textJson } from './attribute-json.ts'
import {
  firstCount,
  firstJson,
  firstModel,
  firstText,
  parseMembers,
  toJson,
} from './attribute-reading.ts'
import type { Convention, KeyTable } from './convention.ts'
import type { Attributes, AttributeValue, DecodedSpan } from './decoded-span.ts'
import { toInclusiveUsage } from './inclusive-usage.ts'
import { listJson, objectJson, toolCallsJson } from './message-json.ts'
import type { ReportedUsage } from './reported-usage.ts'

/*
 * The Vercel AI SDK's format of before 7 (and of its LegacyOpenTelemetry since): pairs of spans, the outer for
 * what the application asked, the inner for each call of the provider. Its newer format is OpenTelemetry GenAI.
 */

const values = {
  in: ['ai.toolCall.args', 'ai.prompt', 'ai.value'],
  out: [
    'ai.toolCall.result',
    'ai.response.object',
    'ai.result.object',
    'ai.result.text',
    'ai.embedding',
  ],
} as const

/** Lists of JSON texts. */
const lists = { in: 'ai.values', out: 'ai.embeddings' } as const

const keys = {
  kind: ['ai.operationId'],
  model: ['ai.response.model', 'gen_ai.response.model', 'ai.model.id', 'gen_ai.request.model'],
  tokensIn: ['ai.usage.inputTokens', 'ai.usage.promptTokens', 'ai.usage.tokens'],
  tokensOut: ['ai.usage.outputTokens', 'ai.usage.completionTokens'],
  tokensTotal: ['ai.usage.totalTokens'],
  tokensCacheRead: ['ai.usage.inputTokenDetails.cacheReadTokens', 'ai.usage.cachedInputTokens'],
  tokensCacheWrite: ['ai.usage.inputTokenDetails.cacheWriteTokens'],
  tokensReasoning: ['ai.usage.outputTokenDetails.reasoningTokens', 'ai.usage.reasoningTokens'],
  messagesIn: ['ai.prompt.messages'],
  messagesOut: ['ai.response.text', 'ai.response.toolCalls', 'ai.response.reasoning'],
  valueIn: [...values.in, lists.in],
  valueOut: [...values.out, lists.out],
} as const satisfies KeyTable

const kindsByOperation: ReadonlyMap<string, WellKnownKind> = new Map([
  ['ai.toolCall', 'tool'],
  ['ai.generateText', 'agent'],
  ['ai.streamText', 'agent'],
  ['ai.generateText.doGenerate', 'llm'],
  ['ai.streamText.doStream', 'llm'],
  ['ai.generateObject', 'chain'],
  ['ai.streamObject', 'chain'],
  ['ai.generateObject.doGenerate', 'llm'],
  ['ai.streamObject.doStream', 'llm'],
  ['ai.embed', 'chain'],
  ['ai.embedMany', 'chain'],
  ['ai.embed.doEmbed', 'embedding'],
  ['ai.embedMany.doEmbed', 'embedding'],
  ['ai.rerank', 'chain'],
  ['ai.rerank.doRerank', 'reranker'],
])

export const aiSdk: Convention = {
  title: 'Vercel AI SDK, format of before 7',
  about:
    'Also what AI SDK 7 sends through `LegacyOpenTelemetry`; its own format is OpenTelemetry GenAI. Where Anthropic’s or Bedrock’s counts come without `ai.usage.inputTokenDetails.noCacheTokens`, the cache is counted beside the input and read from `ai.response.providerMetadata`.',
  prefixes: ['ai.'],
  keys,
  kinds: kindsByOperation,
  kind: ({ attributes }) => kindsByOperation.get(firstText(attributes, keys.kind) ?? ''),
  model: ({ attributes }) => firstModel(attributes, keys.model),
  usage,
  messagesIn: ({ attributes }) => firstJson(attributes, keys.messagesIn),
  messagesOut,
  valueIn: ({ attributes }) =>
    firstJson(attributes, values.in) ?? listOfTexts(attributes.get(lists.in)),
  valueOut: ({ attributes }) =>
    firstJson(attributes, values.out) ?? listOfTexts(attributes.get(lists.out)),
}

function usage({ attributes }: DecodedSpan): ReportedUsage | undefined {
  const isSettled = attributes.has('ai.usage.inputTokenDetails.noCacheTokens')
  const provider = firstText(attributes, ['ai.model.provider', 'gen_ai.system']) ?? ''
  if (isSettled || !/anthropic|bedrock/i.test(provider)) return toInclusiveUsage(attributes, keys)
  // The total is the sum of input and output here and proves nothing about the cache.
  const { tokensTotal: _total, ...others } = keys
  const reported = toInclusiveUsage(attributes, others)
  if (reported === undefined) return undefined
  const ofProvider = providerCounts(attributes)
  // Counts of several calls are those of the SDK: the metadata is that of the last one.
  const isLastCall = reported.input !== undefined && ofProvider?.input === reported.input
  const inclusive = ofProvider && sum(ofProvider.input, ofProvider.read, ofProvider.written)
  const isInclusive = reported.input !== undefined && inclusive === reported.input
  const own = isLastCall || isInclusive || ofProvider?.input === undefined ? ofProvider : undefined
  return {
    ...reported,
    cacheRead: reported.cacheRead ?? own?.read,
    cacheWrite: reported.cacheWrite ?? own?.written,
    cacheIsApart: isLastCall || !isInclusive,
  }
}

interface ProviderCounts {
  /** Without the cache. */
  readonly input: number | undefined
  readonly read: number | undefined
  readonly written: number | undefined
}

/** Those in the metadata of Anthropic, as its API names them or in camel case, or of Bedrock. */
function providerCounts(attributes: Attributes): ProviderCounts | undefined {
  const metadata = parseMembers(attributes.get('ai.response.providerMetadata'))
  const reported =
    parseMembers(metadata?.get('anthropic')) ?? parseMembers(metadata?.get('bedrock'))
  if (reported === undefined) return undefined
  const counts = parseMembers(reported.get('usage')) ?? reported
  const { read, writtenBeside, written, input } = providerKeys
  return {
    input: firstCount(counts, input),
    read: firstCount(counts, read),
    written: firstCount(counts, writtenBeside) ?? firstCount(reported, written),
  }
}

const providerKeys = {
  input: ['input_tokens'],
  read: ['cache_read_input_tokens', 'cacheReadInputTokens'],
  writtenBeside: ['cache_creation_input_tokens', 'cacheWriteInputTokens'],
  written: ['cacheCreationInputTokens'],
} as const

function sum(...counts: readonly (number | undefined)[]): number {
  return counts.reduce<number>((total, count) => total + (count ?? 0), 0)
}

function listOfTexts(value: AttributeValue | undefined): JsonText | undefined {
  if (value === undefined || value === null) return undefined
  return Array.isArray(value) ? listJson(value.map(toJson)) : toJson(value)
}

/** One message with the response. Its text is empty where the model only calls tools. */
function messagesOut({ attributes }: DecodedSpan): JsonText | undefined {
  const text = firstText(attributes, ['ai.response.text'])
  const calls = toolCallsJson(attributes.get('ai.response.toolCalls'))
  const reasoning = firstText(attributes, ['ai.response.reasoning'])
  if ((text ?? calls ?? reasoning) === undefined) return undefined
  const reason =
    firstText(attributes, ['ai.response.finishReason']) ?? finishReasonOfGenAi(attributes)
  const message = objectJson({
    role: '"assistant"',
    reasoning: reasoning === undefined ? undefined : textJson(reasoning),
    content: text === undefined ? undefined : textJson(text),
    tool_calls: calls,
    finish_reason: reason === undefined ? undefined : textJson(reason),
  })
  return listJson([message])
}

/** One reason for each choice: the SDK has one. */
function finishReasonOfGenAi(attributes: Attributes): string | undefined {
  const reasons = attributes.get('gen_ai.response.finish_reasons')
  const [reason] = Array.isArray(reasons) ? reasons : []
  return typeof reason === 'string' && reason !== '' ? toStorableText(reason) : undefined
}
