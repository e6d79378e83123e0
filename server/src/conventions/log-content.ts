import type { JsonText } from '../domain/json-text.ts'
import type { SpanContent } from '../domain/log-record.ts'
import { textJson, valueJson } from './attribute-json.ts'
import { firstText, isEmptyJson, jsonOrText, parseMembers, toJson } from './attribute-reading.ts'
import type { DecodedLogRecord } from './decoded-signals.ts'
import type { Attributes, AttributeValue } from './decoded-span.ts'
import { withInstructions } from './system-instructions.ts'

/*
 * Log records with the input and output of a model call, from instrumentations of OpenTelemetry GenAI: one event
 * with everything since 1.37, one for each message before. Usage is read from the span, never here.
 */

const choice = 'gen_ai.choice'
const details = 'gen_ai.client.inference.operation.details'

/** Semantic Kernel sends bodies as JSON text. A longer one is no content of its span. */
const maxBodyLength = 262_144

const rolesByEvent: ReadonlyMap<string, string> = new Map([
  ['gen_ai.system.message', 'system'],
  ['gen_ai.user.message', 'user'],
  ['gen_ai.assistant.message', 'assistant'],
  ['gen_ai.tool.message', 'tool'],
])

/**
 * A field since OTLP 1.5, an attribute before. The attribute comes first: loggers for Rust set the field to the
 * source location of the event.
 */
export function readEventName({ eventName, attributes }: DecodedLogRecord): string {
  return firstText(attributes, ['event.name']) ?? eventName
}

/** Null where the record has no content, or its sender does not capture it. */
export function readContent(record: DecodedLogRecord, eventName: string): SpanContent | null {
  const content = reportedContent(record, eventName)
  return content === undefined || (content.input ?? content.output) === null ? null : content
}

function reportedContent(record: DecodedLogRecord, eventName: string): SpanContent | undefined {
  const { attributes } = record
  const role = rolesByEvent.get(eventName)
  if (role === undefined && eventName !== choice && eventName !== details) return undefined
  const body = toMembers(record.body)
  if (eventName === details) {
    const value = (key: string) => toList(attributes.get(key) ?? body?.get(key))
    const instructions = value('gen_ai.system_instructions') ?? undefined
    const messages = value('gen_ai.input.messages') ?? undefined
    return {
      input: withInstructions(instructions, messages) ?? null,
      output: value('gen_ai.output.messages'),
    }
  }
  if (body === undefined) return undefined
  if (role === undefined) {
    const message = toMembers(body.get('message'))
    const parts = message === undefined ? [] : toParts(message, 'assistant')
    return { input: null, output: messageList('assistant', parts, body.get('finish_reason')) }
  }
  return {
    input: messageList(firstText(body, ['role']) ?? role, toParts(body, role)),
    output: null,
  }
}

function toMembers(value: AttributeValue | undefined): Attributes | undefined {
  return parseMembers(value, maxBodyLength)
}

/** As a JSON list, from a list, the text of a list, or a single item. */
function toList(value: AttributeValue | undefined): JsonText | null {
  if (value === undefined || value === null) return null
  const json = toJson(value)
  if (isEmptyJson(json)) return null
  return json.trimStart().startsWith('[') ? json : (`[${json}]` as JsonText)
}

function messageList(
  role: string,
  parts: readonly string[],
  finishReason?: AttributeValue,
): JsonText | null {
  if (parts.length === 0) return null
  const reason =
    typeof finishReason === 'string' ? `,"finish_reason":${textJson(finishReason)}` : ''
  return `[{"role":${textJson(role)},"parts":[${parts.join(',')}]${reason}}]` as JsonText
}

function toParts(message: Attributes, role: string): string[] {
  const parts: string[] = []
  const content = message.get('content')
  if (content !== undefined && content !== null && content !== '') {
    parts.push(
      role === 'tool'
        ? `{"type":"tool_call_response"${member('id', message.get('id') ?? message.get('tool_call_id'))},"response":${jsonOrText(content)}}`
        : `{"type":"text","content":${valueJson(content)}}`,
    )
  }
  const calls = message.get('tool_calls')
  if (!Array.isArray(calls)) return parts
  for (const each of calls as readonly AttributeValue[]) {
    const call = toMembers(each)
    const called = toMembers(call?.get('function'))
    if (call === undefined) continue
    const reported = called?.get('arguments')
    const input = reported === undefined ? '' : `,"arguments":${toJson(reported)}`
    parts.push(
      `{"type":"tool_call"${member('id', call.get('id'))}${member('name', called?.get('name'))}${input}}`,
    )
  }
  return parts
}

function member(name: string, value: AttributeValue | undefined): string {
  return value === undefined || value === null ? '' : `,"${name}":${valueJson(value)}`
}
