import type { JsonText } from '../domain/json-text.ts'
import { textJson } from './attribute-json.ts'
import { firstText, jsonOrText } from './attribute-reading.ts'
import type { Convention, KeyTable } from './convention.ts'
import type { Attributes } from './decoded-span.ts'
import { indexedItems } from './indexed-attributes.ts'
import { contentParts, listJson, objectJson } from './message-json.ts'

/*
 * Messages spread over indexed keys of `gen_ai`, as OpenLLMetry sent them until 2026 and others after it.
 */

const lists = { messagesIn: 'gen_ai.prompt.', messagesOut: 'gen_ai.completion.' } as const

const keys = {
  messagesIn: [
    `${lists.messagesIn}<i>.role`,
    `${lists.messagesIn}<i>.content`,
    `${lists.messagesIn}<i>.tool_calls.<j>.{id,name,arguments}`,
    `${lists.messagesIn}<i>.tool_call_id`,
  ],
  messagesOut: [
    `${lists.messagesOut}<i>.role`,
    `${lists.messagesOut}<i>.content`,
    `${lists.messagesOut}<i>.tool_calls.<j>.{id,name,arguments}`,
    `${lists.messagesOut}<i>.function_call.{name,arguments}`,
    `${lists.messagesOut}<i>.finish_reason`,
  ],
} as const satisfies KeyTable

export const genAiIndexed: Convention = {
  title: 'OpenLLMetry until 2026, and others in its form',
  about:
    'Only its messages; everything else is in the keys of OpenTelemetry GenAI and of OpenLLMetry.',
  prefixes: [lists.messagesIn, lists.messagesOut],
  keys,
  messagesIn: ({ attributes }) => readMessages(attributes, lists.messagesIn, 'user'),
  messagesOut: ({ attributes }) => readMessages(attributes, lists.messagesOut, 'assistant'),
}

function readMessages(attributes: Attributes, prefix: string, role: string): JsonText | undefined {
  const messages = indexedItems(attributes, prefix).map((item) => messageJson(item, role))
  return messages.length === 0 ? undefined : listJson(messages)
}

function messageJson(item: Attributes, fallbackRole: string): string {
  const role = firstText(item, ['role']) ?? fallbackRole
  const calls = indexedItems(item, 'tool_calls.').map((call) => callPart(call, ''))
  const single = item.has('function_call.name') ? [callPart(item, 'function_call.')] : []
  const parts =
    role === 'tool'
      ? [resultPart(item)]
      : [...contentParts(item.get('content')), ...calls, ...single]
  return objectJson({
    role: textJson(role),
    parts: listJson(parts),
    finish_reason: textOrNone(item, ['finish_reason']),
  })
}

function callPart(call: Attributes, prefix: string): string {
  return objectJson({
    type: '"tool_call"',
    id: textOrNone(call, [`${prefix}id`]),
    name: textOrNone(call, [`${prefix}name`]),
    arguments: jsonOrText(call.get(`${prefix}arguments`) ?? null),
  })
}

function resultPart(item: Attributes): string {
  return objectJson({
    type: '"tool_call_response"',
    id: textOrNone(item, ['tool_call_id']),
    response: jsonOrText(item.get('content') ?? null),
  })
}

function textOrNone(item: Attributes, names: readonly string[]): string | undefined {
  const text = firstText(item, names)
  return text === undefined ? undefined : textJson(text)
}
