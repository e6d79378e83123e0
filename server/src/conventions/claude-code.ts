import type { JsonText } from '../domain/json-text.ts'
import type { WellKnownKind } from '../domain/kinds.ts'
import { firstAmount, firstModel, firstText, jsonOrText } from './attribute-reading.ts'
import type { Convention, KeyTable } from './convention.ts'
import type { Attributes, DecodedSpan } from './decoded-span.ts'
import { toInclusiveUsage } from './inclusive-usage.ts'

/*
 * The spans of Claude Code and of the Claude Agent SDK. Their keys have no prefix, so the span's type or its name
 * identifies them. The cache is counted beside the input; models may be written in color.
 */

const keys = {
  kind: ['span.type'],
  model: ['model'],
  tokensIn: ['input_tokens'],
  tokensOut: ['output_tokens'],
  tokensCacheRead: ['cache_read_tokens'],
  tokensCacheWrite: ['cache_creation_tokens'],
  costUsd: ['cost_usd'],
  valueIn: ['user_prompt', 'tool_input', 'tool.input', 'full_command', 'file_path', 'new_context'],
  valueOut: [
    'response.model_output',
    'tool.output',
    'event tool.output › output',
    'event tool.output › content',
    'event tool.output › diff',
  ],
} as const satisfies KeyTable

const kindsByType: ReadonlyMap<string, WellKnownKind> = new Map([
  ['interaction', 'agent'],
  ['llm_request', 'llm'],
  ['tool', 'tool'],
  ['tool.execution', 'chain'],
  ['tool.blocked_on_user', 'chain'],
  ['hook', 'chain'],
])

const ownName = 'claude_code.'

export const claudeCode: Convention = {
  title: 'Claude Code and Claude Agent SDK',
  about:
    'Its spans, by `span.type` or a name of `claude_code.…`; `<REDACTED>` counts as no value. The cache is counted beside the input. Spans within a tool’s span belong to the same call and are chains. Log records and metrics of the same calls create no spans where the agent sends spans.',
  prefixes: [keys.kind[0]],
  spanNames: [ownName],
  keys,
  kinds: kindsByType,
  kind: (span) => kindsByType.get(readType(span) ?? ''),
  model: (span) => ifOwn(span, 'llm_request', ({ attributes }) => readModel(attributes)),
  usage: (span) =>
    ifOwn(span, 'llm_request', ({ attributes }) =>
      toInclusiveUsage(attributes, keys, { cacheIsApart: true }),
    ),
  costUsd: (span) =>
    ifOwn(span, 'llm_request', ({ attributes }) => firstAmount(attributes, keys.costUsd)),
  valueIn: (span) =>
    readType(span) === undefined ? undefined : reportedJson(span.attributes, keys.valueIn),
  valueOut,
}

/** Undefined for spans of other senders that use `span.type`. */
function readType({ name, attributes }: DecodedSpan): string | undefined {
  const type = firstText(attributes, keys.kind) ?? name
  const own = type.startsWith(ownName) ? type.slice(ownName.length) : type
  const isOwn = kindsByType.has(own) && (name.startsWith(ownName) || attributes.has('session.id'))
  return isOwn ? own : undefined
}

function ifOwn<T>(
  span: DecodedSpan,
  type: string,
  read: (span: DecodedSpan) => T | undefined,
): T | undefined {
  return readType(span) === type ? read(span) : undefined
}

const escapes = new RegExp(`${String.fromCodePoint(27)}\\[[0-9;]*[A-Za-z]`, 'g')

function readModel(attributes: Attributes): string | undefined {
  return firstModel(attributes, keys.model)?.replaceAll(escapes, '')
}

function valueOut(span: DecodedSpan): JsonText | undefined {
  if (readType(span) === undefined) return undefined
  const own = reportedJson(span.attributes, ['response.model_output', 'tool.output'])
  if (own !== undefined) return own
  const event = span.events.find(({ name }) => name === 'tool.output')
  return event && reportedJson(event.attributes, ['output', 'content', 'diff'])
}

function reportedJson(attributes: Attributes, of: readonly string[]): JsonText | undefined {
  const key = of.find((each) => {
    const value = attributes.get(each)
    return value !== undefined && value !== null && value !== '' && value !== '<REDACTED>'
  })
  return key === undefined ? undefined : jsonOrText(attributes.get(key) ?? null)
}
