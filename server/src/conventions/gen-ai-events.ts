import type { JsonText } from '../domain/json-text.ts'
import { textJson } from './attribute-json.ts'
import { firstJson, firstText, jsonOrText, parseMembers } from './attribute-reading.ts'
import { bedrockParts } from './bedrock-blocks.ts'
import type { Attributes, AttributeValue, DecodedEvent, DecodedSpan } from './decoded-span.ts'
import { contentParts, listJson, objectJson, toolCallsJson } from './message-json.ts'

/*
 * The input and output of a call as events of its span, as in OpenTelemetry GenAI before 1.37:
 * an event a message, or one event each for all of the prompt and all of the completion.
 */

const rolesByEvent: ReadonlyMap<string, string> = new Map([
  ['gen_ai.system.message', 'system'],
  ['gen_ai.user.message', 'user'],
  ['gen_ai.assistant.message', 'assistant'],
  ['gen_ai.tool.message', 'tool'],
])
const choiceEvent = 'gen_ai.choice'

// A longer message remains text.
const maxMessageLength = 262_144

export function messageEventsIn({ events }: DecodedSpan): JsonText | undefined {
  const messages = events.flatMap(({ name, attributes }) => {
    const role = rolesByEvent.get(name)
    return role === undefined ? [] : [messageJson(attributes, 'content', role)]
  })
  return messages.length === 0 ? undefined : listJson(messages)
}

/** The message of a choice is JSON of the whole message, blocks, or text. */
export function messageEventsOut({ events }: DecodedSpan): JsonText | undefined {
  const messages = events
    .filter(({ name }) => name === choiceEvent)
    .map(({ attributes }) => {
      const message = parseMembers(attributes.get('message'), maxMessageLength)
      const reason = firstText(attributes, ['finish_reason'])
      return message === undefined
        ? messageJson(
            attributes,
            attributes.has('message') ? 'message' : 'content',
            'assistant',
            reason,
          )
        : messageJson(message, 'content', 'assistant', reason)
    })
  return messages.length === 0 ? undefined : listJson(messages)
}

/** The arguments of a tool call, which are the content of a message to the tool. */
export function toolEventIn({ events }: DecodedSpan): JsonText | undefined {
  return readEventMember(events, 'gen_ai.tool.message', 'content')
}

export function toolEventOut({ events }: DecodedSpan): JsonText | undefined {
  return readEventMember(events, choiceEvent, 'message')
}

export function contentEventsIn({ events }: DecodedSpan): JsonText | undefined {
  return readEventMember(events, 'gen_ai.content.prompt', 'gen_ai.prompt')
}

export function contentEventsOut({ events }: DecodedSpan): JsonText | undefined {
  return readEventMember(events, 'gen_ai.content.completion', 'gen_ai.completion')
}

function readEventMember(
  events: readonly DecodedEvent[],
  name: string,
  key: string,
): JsonText | undefined {
  const event = events.find((each) => each.name === name)
  return event && firstJson(event.attributes, [key])
}

function messageJson(
  message: Attributes,
  contentKey: string,
  fallbackRole: string,
  finishReason?: string,
): string {
  const role = firstText(message, ['role']) ?? fallbackRole
  const content = message.get(contentKey) ?? null
  const parts =
    bedrockParts(content) ??
    (role === 'tool' ? [toolResultPart(message, content)] : contentParts(content))
  const calls = toolCallsJson(message.get('tool_calls'))
  return objectJson({
    role: textJson(role),
    parts: listJson(parts),
    tool_calls: calls,
    finish_reason: finishReason === undefined ? undefined : textJson(finishReason),
  })
}

function toolResultPart(message: Attributes, content: AttributeValue): string {
  const id = firstText(message, ['id', 'tool_call_id'])
  return objectJson({
    type: '"tool_call_response"',
    id: id === undefined ? undefined : textJson(id),
    response: jsonOrText(content),
  })
}
