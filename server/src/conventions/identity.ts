import { limits } from '@assay/contract/limits.ts'
import { isJson } from '../domain/json-grammar.ts'
import { type JsonText, toStorableText } from '../domain/json-text.ts'
import { firstText, type Keys, unquoted } from './attribute-reading.ts'
import type { Attributes, AttributeValue } from './decoded-span.ts'

/*
 * Session, user, response and environment of a span, and tags and name of its trace. One table for all conventions: any of them may appear beside
 * the general keys of OpenTelemetry, which come first.
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

/**
 * The tags of the trace as a JSON list without repetitions: from lists, from JSON of them, or from single texts,
 * of all conventions on the span. Undefined for no tags; beyond the limits, the first tags and their beginnings:
 * the writer caches the tags of every span of a trace.
 */
export function readTags(attributes: Attributes): JsonText | undefined {
  const tags = new Set<string>()
  for (const key of identityKeys.tags) {
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

/** As text; without the quotes of senders that write every attribute as JSON. */
export function identified(attributes: Attributes, keys: Keys): string | undefined {
  for (const key of keys) {
    if (unprefixed.has(key) && !attributes.has('mastra.span_id')) continue
    const text = unquoted(firstText(attributes, [key]) ?? '')
    if (text !== '') return text
  }
  return undefined
}
