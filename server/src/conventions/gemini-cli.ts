import type { JsonText } from '../domain/json-text.ts'
import { textJson, valueJson } from './attribute-json.ts'
import { firstText, parseMembers } from './attribute-reading.ts'
import type { Convention } from './convention.ts'
import type { Attributes, AttributeValue, DecodedSpan } from './decoded-span.ts'
import { listJson, objectJson } from './message-json.ts'

/*
 * Gemini CLI sends a span and a log record of each model call, in different traces. Only the record has the cache
 * and all of the output, so the model call is made from it (coding-agents.ts) and the span is a chain around it.
 */

const call = 'llm_call'

export const geminiCli: Convention = {
  title: 'Gemini CLI',
  about:
    'Its spans `llm_call` are chains without tokens: the model calls are made from the log records `gemini_cli.api_response`, because only these have the cache and the reasoning. Everything else is OpenTelemetry GenAI.',
  prefixes: [],
  spanNames: [call],
  keys: {},
  kind: (span) => (isCall(span) ? 'chain' : undefined),
  usage: (span) => (isCall(span) ? 'running-total' : undefined),
}

function isCall({ name, attributes }: DecodedSpan): boolean {
  return name === call && firstText(attributes, ['gen_ai.agent.name']) === 'gemini-cli'
}

const maxResponseLength = 262_144

/** From the responses of a stream, as JSON: one message. Undefined where the text is something else. */
export function readGeminiMessages(responses: string): JsonText | undefined {
  const chunks = parseMembers(`{"chunks":${responses}}`, maxResponseLength)?.get('chunks')
  const parts = listOf(chunks).flatMap((chunk) =>
    listOf(member(chunk, 'candidates')).flatMap((candidate) =>
      listOf(member(member(candidate, 'content'), 'parts')),
    ),
  )
  if (parts.length === 0) return undefined
  return `[${objectJson({ role: '"assistant"', parts: listJson(joinedTexts(parts)) })}]` as JsonText
}

/** A stream splits texts. */
function joinedTexts(parts: readonly AttributeValue[]): string[] {
  const read: { type: string; text?: string; json: string }[] = []
  for (const part of parts) {
    const text = member(part, 'text')
    const last = read.at(-1)
    if (typeof text !== 'string') {
      read.push({ type: 'other', json: callJson(part) })
      continue
    }
    const type = member(part, 'thought') === true ? 'reasoning' : 'text'
    const whole = last?.type === type ? `${last.text}${text}` : text
    if (last?.type === type) read.pop()
    const json = objectJson({ type: `"${type}"`, content: textJson(whole) })
    read.push({ type, text: whole, json })
  }
  return read.map(({ json }) => json)
}

/** Other parts as they are. */
function callJson(part: AttributeValue): string {
  const call = member(part, 'functionCall')
  if (!(call instanceof Map)) return valueJson(part)
  const jsonOf = (name: string) => (call.has(name) ? valueJson(member(call, name)) : undefined)
  return objectJson({
    ...{ type: '"tool_call"', id: jsonOf('id'), name: jsonOf('name') },
    arguments: jsonOf('args'),
  })
}

function listOf(value: AttributeValue | undefined): readonly AttributeValue[] {
  return Array.isArray(value) ? value : []
}

function member(value: AttributeValue, name: string): AttributeValue {
  return value instanceof Map ? ((value as Attributes).get(name) ?? null) : null
}
