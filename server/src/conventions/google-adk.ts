import type { JsonText } from '../domain/json-text.ts'
import type { WellKnownKind } from '../domain/kinds.ts'
import { firstCount, firstJson, toJson } from './attribute-reading.ts'
import type { Convention, KeyTable } from './convention.ts'
import type { Attributes, AttributeValue, DecodedSpan } from './decoded-span.ts'
import type { ReportedUsage } from './reported-usage.ts'

/*
 * Google's Agent Development Kit in its format of before OpenTelemetry GenAI 1.44: content as the JSON of Gemini's
 * interface. Missing values are `{}` or `N/A`.
 */

const keys = {
  tokensIn: ['gen_ai.usage.input_tokens', 'gcp.vertex.agent.llm_response › prompt_token_count'],
  tokensOut: [
    'gen_ai.usage.output_tokens',
    'gcp.vertex.agent.llm_response › candidates_token_count, thoughts_token_count',
  ],
  tokensCacheRead: [
    'gen_ai.usage.cache_read.input_tokens',
    'gcp.vertex.agent.llm_response › cached_content_token_count',
  ],
  tokensReasoning: [
    'gen_ai.usage.reasoning.output_tokens',
    'gcp.vertex.agent.llm_response › thoughts_token_count',
  ],
  messagesIn: ['gcp.vertex.agent.llm_request'],
  messagesOut: ['gcp.vertex.agent.llm_response'],
  valueIn: ['gcp.vertex.agent.tool_call_args', 'gcp.vertex.agent.data'],
  valueOut: ['gcp.vertex.agent.tool_response'],
} as const satisfies KeyTable

export const googleAdk: Convention = {
  title: 'Google ADK',
  about:
    'Used beside OpenTelemetry GenAI, which version 2 uses alone. `{}` and `N/A` count as no value. The span `execute_tool (merged tools)` sums up calls that have spans of their own and is a chain.',
  prefixes: ['gcp.vertex.'],
  keys,
  kind,
  usage,
  messagesIn: ({ attributes }) => firstJson(attributes, keys.messagesIn),
  messagesOut: ({ attributes }) => toMessage(attributes.get(keys.messagesOut[0])),
  valueIn: ({ attributes }) => reportedJson(attributes, keys.valueIn),
  valueOut: ({ attributes }) => reportedJson(attributes, keys.valueOut),
}

function kind({ name }: DecodedSpan): WellKnownKind | undefined {
  if (name === 'call_llm') return 'llm'
  return name.endsWith('(merged tools)') || name === 'send_data' ? 'chain' : undefined
}

/** A response is one candidate, or an error in its place. */
function toMessage(response: AttributeValue | undefined): JsonText | undefined {
  return response === undefined || response === null || response === ''
    ? undefined
    : toJson(response)
}

function reportedJson(attributes: Attributes, of: readonly string[]): JsonText | undefined {
  return firstJson(
    attributes,
    of.filter((key) => attributes.get(key) !== 'N/A'),
  )
}

/** Each count from GenAI's keys, else from the response, which is not parsed because it holds all content. */
function usage({ attributes }: DecodedSpan): ReportedUsage | undefined {
  const response = attributes.get(keys.messagesOut[0])
  if (typeof response !== 'string') return undefined
  const count = (key: string, name: string) =>
    firstCount(attributes, [key]) ?? lastCount(response, `${name}_token_count`)
  const output = firstCount(attributes, [keys.tokensOut[0]])
  const reasoning = count(keys.tokensReasoning[0], 'thoughts')
  return {
    input: count(keys.tokensIn[0], 'prompt'),
    output: output ?? lastCount(response, 'candidates_token_count'),
    total: undefined,
    cacheRead: count(keys.tokensCacheRead[0], 'cached_content'),
    cacheWrite: undefined,
    reasoning,
    // Gemini counts its thoughts beside the candidates.
    reasoningIsApart: output === undefined,
    impliedOutput: reasoning === undefined ? undefined : 0,
  }
}

const countPattern = /\s*:\s*(\d{1,15})\b/y

/** The last of a member, not of text that only looks like one: within JSON text its quotes are escaped. */
function lastCount(json: string, member: string): number | undefined {
  const quoted = `"${member}"`
  for (let at = json.lastIndexOf(quoted); at >= 0; at = json.lastIndexOf(quoted, at - 1)) {
    countPattern.lastIndex = at + quoted.length
    const digits = json[at - 1] === '\\' ? undefined : countPattern.exec(json)?.[1]
    if (digits !== undefined) return Number(digits)
    if (at === 0) break
  }
  return undefined
}
