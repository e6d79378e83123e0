import { type Message, parseConversation } from '@assay/contract/conversation.ts'
import { type Fields, isFields, type Part, parsed, toParts } from '@assay/contract/message-parts.ts'
import { textOf } from './canonical-json.ts'
import { readToolDefinitions } from './read-tool-definitions.ts'
import type { ModelCall, SpanText, ViewMessage, ViewSpan } from './trace-view.ts'

/*
 * Messages of model calls and of the root span.
 */

/** The messages in the input or output of a span; a value that contains none is one message of `role`. */
export function readMessages(span: ViewSpan, of: 'input' | 'output', role: string): ViewMessage[] {
  const value = span[of]
  if (value === null || value === undefined || value === '') return []
  const conversation = parseConversation(value)
  if (conversation !== undefined) {
    return conversation.messages.map((message) => toViewMessage(span, message))
  }
  const text = Array.isArray(value) && value.length === 0 ? '' : plainText(value)
  return text === '' ? [] : [toViewMessage(span, { role, parts: toParts(text) })]
}

function toViewMessage({ spanId }: ViewSpan, message: Message): ViewMessage {
  return { ...message, spanId, text: joinTexts(message.parts) }
}

function joinTexts(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.is === 'text' ? [part.text] : [])).join('\n')
}

/** Members that hold the text of an input or output without messages. */
const textNames = [
  'text',
  'content',
  'output',
  'answer',
  'response',
  'result',
  'input',
  'query',
  'question',
  'prompt',
]

/** Empty for an object that has no such member: its JSON is nothing that anybody said. */
function plainText(value: unknown): string {
  if (!isFields(value)) return textOf(value)
  const texts = textNames.map((name) => value[name]).filter((one) => typeof one === 'string')
  return texts[0] ?? ''
}

export function readModelCall(span: ViewSpan): ModelCall {
  const response = readMessages(span, 'output', 'assistant')
  const answers = response.filter(({ role }) => role === 'assistant')
  return {
    span,
    messages: readMessages(span, 'input', 'user'),
    response,
    text: answers.map(({ text }) => text).join('\n'),
    finishReasons: readFinishReasons(span),
    tools: readToolDefinitions(span),
    responseFormat: readResponseFormat(span),
  }
}

const finishAttributes = [
  'gen_ai.response.finish_reasons',
  'gen_ai.response.finish_reason',
  'ai.response.finishReason',
  'llm.finish_reason',
]

function readFinishReasons({ attributes, output }: ViewSpan): readonly string[] {
  const reported = finishAttributes.map((name) => attributes[name]).find((one) => one !== undefined)
  const own = listOf(parsed(reported)).map(textOf)
  const inside = [output, ...listOf(output), ...(isFields(output) ? nestedIn(output) : [])]
  const found = inside
    .filter(isFields)
    .flatMap((item) => [item['finish_reason'], item['finishReason'], item['stop_reason']])
    .filter((reason) => typeof reason === 'string')
  return [...new Set([...own, ...found].map((reason) => reason.toLowerCase()))].filter(Boolean)
}

function nestedIn(output: Fields): unknown[] {
  return ['messages', 'choices', 'candidates'].flatMap((name) => listOf(output[name]))
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return value === null || value === undefined ? [] : [value]
}

function readResponseFormat({ input, attributes }: ViewSpan): unknown {
  const own = isFields(input) ? input['response_format'] : undefined
  if (own !== undefined && own !== null) return own
  const type = attributes['gen_ai.output.type'] ?? attributes['gen_ai.request.response_format']
  return type === 'json' || type === 'json_object' ? { type: 'json_object' } : undefined
}

/** Of several conversations the one with the most messages; of equal ones the last. */
export function longestConversation(
  root: ViewSpan | undefined,
  modelCalls: readonly ModelCall[],
): readonly ViewMessage[] {
  const ofRoot =
    root === undefined
      ? []
      : [...readMessages(root, 'input', 'user'), ...readMessages(root, 'output', 'assistant')]
  let longest: readonly ViewMessage[] = []
  for (const { messages, response } of modelCalls) {
    const all = [...messages, ...response]
    if (all.length >= longest.length) longest = all
  }
  return ofRoot.length > longest.length ? ofRoot : longest
}

export function lastOfRole(messages: readonly ViewMessage[], role: string): SpanText | undefined {
  const found = messages.findLast((message) => message.role === role && message.text.trim() !== '')
  return found && { spanId: found.spanId, text: found.text }
}
