import type { JsonText } from '../domain/json-text.ts'
import { textJson, valueJson } from './attribute-json.ts'
import { firstText, jsonOrText, parseMembers, unquoted } from './attribute-reading.ts'
import type { Attributes } from './decoded-span.ts'
import { indexedItems } from './indexed-attributes.ts'
import { listJson, objectJson } from './message-json.ts'

/*
 * Messages that OpenInference spreads over keys, put together in the form of OpenTelemetry GenAI: a role and
 * parts. Written as text from the start, so that no key of the sender's becomes a member of an object.
 */

/** `<prefix><i>.message.…`; undefined when there are none. A message without a role gets `role`. */
export function readMessages(
  attributes: Attributes,
  prefix: string,
  role: string,
): JsonText | undefined {
  const messages = indexedItems(attributes, prefix).map((item) => messageJson(item, role))
  return messages.length === 0 ? undefined : listJson(messages)
}

/** `<prefix><i>.<key>`, the bare texts of completions. */
export function readTextMessages(
  attributes: Attributes,
  prefix: string,
  key: string,
  role: string,
): JsonText | undefined {
  const messages = indexedItems(attributes, prefix).map((item) =>
    objectJson({ role: textJson(role), parts: listJson(textParts(item, key)) }),
  )
  return messages.length === 0 ? undefined : listJson(messages)
}

function messageJson(item: Attributes, fallbackRole: string): string {
  const role = firstText(item, ['message.role']) ?? fallbackRole
  const isToolResult = role === 'tool' || firstText(item, ['message.tool_call_id']) !== undefined
  const parts = isToolResult
    ? [toolResultPart(item)]
    : [...messageParts(item), ...functionResultParts(item)]
  return objectJson({
    role: textJson(role),
    name: textOrNone(item, 'message.name'),
    parts: listJson(parts),
    finish_reason: textOrNone(item, 'message.finish_reason'),
  })
}

/** Text and tool calls are often reported twice: as content and among the contents. */
function messageParts(item: Attributes): string[] {
  const contents = indexedItems(item, 'message.contents.')
  const calls = indexedItems(item, 'message.tool_calls.')
  const texts = contents.some((content) => content.has('message_content.text'))
    ? []
    : textParts(item, 'message.content')
  return [
    ...texts,
    ...contents.filter((content) => calls.length === 0 || !isToolCall(content)).map(contentPart),
    ...calls.map(toolCallPart),
  ]
}

const toolCallType = /^tool[-_](?:call|use)$/

function isToolCall(content: Attributes): boolean {
  const type = firstText(content, ['message_content.type']) ?? ''
  return content.has('tool_call.function.name') || toolCallType.test(type)
}

function textParts(item: Attributes, key: string): string[] {
  const text = firstText(item, [key])
  return text === undefined ? [] : [objectJson({ type: '"text"', content: textJson(text) })]
}

function toolResultPart(item: Attributes): string {
  const texts = indexedItems(item, 'message.contents.').map((content) =>
    firstText(content, ['message_content.text']),
  )
  const response = item.get('message.content') ?? texts.join('\n')
  return objectJson({
    type: '"tool_call_response"',
    id: textOrNone(item, 'message.tool_call_id'),
    response: jsonOrText(response),
  })
}

/** AutoGen's results of tools: `function.<i>`, each JSON with its content. */
function functionResultParts(item: Attributes): string[] {
  return [...item].flatMap(([key, value]) => {
    if (!key.startsWith('function.')) return []
    const result = parseMembers(value, maxArgumentsLength)
    return objectJson({
      type: '"tool_call_response"',
      id: result && textOrNone(result, 'call_id'),
      response: jsonOrText(result?.get('content') ?? value),
    })
  })
}

// Longer arguments and results remain as sent.
const maxArgumentsLength = 262_144

function toolCallPart(item: Attributes): string {
  const reported = item.get('tool_call.function.arguments') ?? null
  return objectJson({
    type: '"tool_call"',
    id: textOrNone(item, 'tool_call.id'),
    name: textOrNone(item, 'tool_call.function.name'),
    // The AI SDK’s processor writes JSON as a JSON string.
    arguments: jsonOrText(
      typeof reported === 'string' ? unquoted(reported, maxArgumentsLength) : reported,
    ),
  })
}

function contentPart(item: Attributes): string {
  if (item.has('tool_call.function.name')) return toolCallPart(item)
  const type = firstText(item, ['message_content.type']) ?? 'text'
  const image = firstText(item, ['message_content.image.image.url'])
  if (image !== undefined) {
    return objectJson({ type: '"uri"', modality: '"image"', uri: textJson(image) })
  }
  const content = firstText(item, ['message_content.text'])
  if (content !== undefined) {
    const known = /^(?:input_|output_)?text$/.test(type) ? 'text' : type
    return objectJson({ type: textJson(known), content: textJson(content) })
  }
  // An unknown kind of part keeps all its members.
  const rest = new Map(
    [...item].map(([key, value]) => [key.replace('message_content.', ''), value]),
  )
  return valueJson(rest)
}

function textOrNone(item: Attributes, key: string): JsonText | undefined {
  const text = firstText(item, [key])
  return text === undefined ? undefined : textJson(text)
}
