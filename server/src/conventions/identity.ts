import { limits } from '@assay/contract/limits.ts'
import { isDotSegment } from '@assay/contract/path-segments.ts'
import { isJson } from '../domain/json-grammar.ts'
import { type JsonText, toStorableText } from '../domain/json-text.ts'
import { firstText, type Keys, toText, unquoted } from './attribute-reading.ts'
import type { Attributes, AttributeValue } from './decoded-span.ts'

/*
 * Session, user, response and environment of a span, and tags and name of its trace. One table for all conventions: any of
 * them may appear beside the general keys of OpenTelemetry, which come first.
 */

export const identityKeys = {
  sessionId: [
    'session.id',
    'langfuse.session.id',
    'traceloop.association.properties.session_id',
    'ai.telemetry.metadata.sessionId',
    'mlflow.trace.session',
    'gcp.vertex.agent.session_id',
    'langsmith.metadata.session_id',
    'gen_ai.conversation.id',
    'langsmith.metadata.conversation_id',
    'langsmith.metadata.thread_id',
    'traceloop.association.properties.thread_id',
    'ai.telemetry.metadata.threadId',
    'conversation.id',
    'mastra.metadata.sessionId',
    'mastra.metadata.threadId',
    'sessionId',
    'threadId',
  ],
  userId: [
    'user.id',
    'langfuse.user.id',
    'enduser.id',
    'traceloop.association.properties.user_id',
    'ai.telemetry.metadata.userId',
    'langsmith.metadata.user_id',
    'gen_ai.request.user',
    'gen_ai.user',
    'llm.user',
    'mlflow.trace.user',
    'mastra.metadata.userId',
    'mastra.metadata.resourceId',
    'userId',
    'resourceId',
  ],
  responseId: ['gen_ai.response.id', 'ai.response.id'],
  environment: ['langfuse.environment', 'deployment.environment.name', 'deployment.environment'],
  tags: [
    'langfuse.trace.tags',
    'tag.tags',
    'langsmith.span.tags',
    'langsmith.metadata.tags',
    'ai.telemetry.metadata.tags',
    'traceloop.association.properties.tags',
    'logfire.tags',
    'mastra.tags',
  ],
  traceName: ['langfuse.trace.name'],
  service: ['service.name'],
  sdk: ['telemetry.sdk.name', 'telemetry.sdk.language', 'telemetry.sdk.version'],
} as const

const fields = [
  'sessionId',
  'userId',
  'responseId',
  'environment',
  'tags',
  'traceName',
] as const satisfies (keyof typeof identityKeys)[]

type Field = (typeof fields)[number]

type Identity = { readonly [Name in Field]: string | undefined } & {
  readonly tags: JsonText | undefined
}

const nothing: Identity = {
  sessionId: undefined,
  userId: undefined,
  responseId: undefined,
  environment: undefined,
  tags: undefined,
  traceName: undefined,
}

/** For each key the field it belongs to, as a bit. */
const bits: ReadonlyMap<string, number> = new Map(
  fields.flatMap((field, index) => identityKeys[field].map((key) => [key, 1 << index] as const)),
)

/** Only reads the fields that a key was found for, in one pass: most spans have few, and there are many keys. */
export function readIdentity(attributes: Attributes): Identity {
  let found = 0
  for (const key of attributes.keys()) found |= bits.get(key) ?? 0
  if (found === 0) return nothing
  const keysOf = (field: Field): Keys =>
    (found & (1 << fields.indexOf(field))) === 0 ? [] : identityKeys[field]
  return {
    sessionId: identified(attributes, keysOf('sessionId'), isSession),
    userId: identified(attributes, keysOf('userId')),
    responseId: identified(attributes, keysOf('responseId')),
    environment: firstText(attributes, keysOf('environment')),
    tags: readTags(attributes, keysOf('tags')),
    traceName: firstText(attributes, keysOf('traceName')),
  }
}

/**
 * The tags of the trace as a JSON list without repetitions: from lists, from JSON of them, or from single texts,
 * of all conventions on the span. Undefined for no tags; beyond the limits, the first tags and their beginnings:
 * the writer caches the tags of every span of a trace.
 */
function readTags(attributes: Attributes, keys: Keys): JsonText | undefined {
  const tags = new Set<string>()
  for (const key of keys) {
    const value = attributes.get(key)
    if (value === undefined || value === null) continue
    for (const text of toTexts(key, value)) for (const tag of toStorableTags(text)) tags.add(tag)
  }
  return tags.size === 0 ? undefined : firstTags([...tags].slice(0, limits.tagsPerTrace.value))
}

function firstTags(tags: readonly string[]): JsonText {
  let length = '[]'.length
  const first = tags.filter((tag) => {
    length += JSON.stringify(tag).length + 1
    return length <= limits.spanTagsLength.value
  })
  return JSON.stringify(first) as JsonText
}

/** More characters than the tags of a trace can have. */
const maxTagsLength = 2 * limits.tagsPerTrace.value * limits.tagLength.value

/** LangSmith joins its tags with commas. */
const joined = 'langsmith.span.tags'

function toTexts(key: string, value: AttributeValue): readonly string[] {
  if (Array.isArray(value)) return value.filter((each) => typeof each === 'string')
  if (typeof value !== 'string') return []
  if (key === joined) return value.slice(0, maxTagsLength).split(', ')
  if (!/^\s*\[/.test(value)) return [unquoted(value)]
  if (value.length > maxTagsLength || !isJson(value, limits.jsonDepth.value)) return []
  const list: unknown = JSON.parse(value)
  return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : []
}

function toStorableTags(text: string): readonly string[] {
  const tag = toStorableText(text.slice(0, limits.tagLength.value))
  return tag.trim() === '' ? [] : [tag]
}

/** Keys of Mastra before 1.0 without a prefix, which other senders may use for something else. */
const unprefixed: ReadonlySet<string> = new Set(['sessionId', 'threadId', 'userId', 'resourceId'])

/** Sessions have pages, and addresses cannot contain these: they count as absent, and the attribute is kept. */
export function isSession(text: string): boolean {
  return !isDotSegment(text)
}

/** The first that is accepted, as text; without the quotes of senders that write every attribute as JSON. */
function identified(
  attributes: Attributes,
  keys: Keys,
  isAccepted: (text: string) => boolean = () => true,
): string | undefined {
  for (const key of keys) {
    if (unprefixed.has(key) && !attributes.has('mastra.span_id')) continue
    const text = unquoted(toText(attributes.get(key)) ?? '')
    if (text !== '' && isAccepted(text)) return text
  }
  return undefined
}
