import { limits } from '@assay/contract/limits.ts'
import { isJson } from '../domain/json-grammar.ts'
import { type JsonText, toStorableText } from '../domain/json-text.ts'
import { firstText, type Keys, unquoted } from './attribute-reading.ts'
import type { Attributes, AttributeValue } from './decoded-span.ts'

/*
 * Whose a span is and where it ran. One table for all conventions, because any of them may stand beside keys
 * of OpenTelemetry at large, which count first.
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
  ],
  environment: ['langfuse.environment', 'deployment.environment.name', 'deployment.environment'],
  tags: [
    'langfuse.trace.tags',
    'tag.tags',
    'langsmith.span.tags',
    'langsmith.metadata.tags',
    'ai.telemetry.metadata.tags',
    'traceloop.association.properties.tags',
    'logfire.tags',
  ],
  service: ['service.name'],
  sdk: ['telemetry.sdk.name', 'telemetry.sdk.language', 'telemetry.sdk.version'],
} as const

/**
 * What the trace is tagged with, as a JSON list without repetitions: from a list, from JSON of one, or from one
 * text. Undefined where that is nothing; of more or longer tags than a trace has, the first and their beginnings.
 */
export function tagsOf(attributes: Attributes): JsonText | undefined {
  for (const key of identityKeys.tags) {
    const value = attributes.get(key)
    if (value === undefined || value === null) continue
    const tags = new Set(textsOf(key, value).flatMap(tagOf))
    if (tags.size > 0) {
      return JSON.stringify([...tags].slice(0, limits.tagsPerTrace.value)) as JsonText
    }
  }
  return undefined
}

/** Tags of so many characters are more than a trace may have. */
const maxTagsLength = 2 * limits.tagsPerTrace.value * limits.tagLength.value

/** LangSmith joins its tags with commas. */
const joined = 'langsmith.span.tags'

function textsOf(key: string, value: AttributeValue): readonly string[] {
  if (Array.isArray(value)) return value.filter((each) => typeof each === 'string')
  if (typeof value !== 'string') return []
  if (key === joined) return value.slice(0, maxTagsLength).split(', ')
  if (!/^\s*\[/.test(value)) return [unquoted(value)]
  if (value.length > maxTagsLength || !isJson(value, limits.jsonDepth.value)) return []
  const list: unknown = JSON.parse(value)
  return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : []
}

function tagOf(text: string): readonly string[] {
  const tag = toStorableText(text.slice(0, limits.tagLength.value))
  return tag.trim() === '' ? [] : [tag]
}

/** As text; without the quotes of those who write every attribute as JSON. */
export function identified(attributes: Attributes, keys: Keys): string | undefined {
  const text = firstText(attributes, keys)
  return text === undefined ? undefined : unquoted(text)
}
