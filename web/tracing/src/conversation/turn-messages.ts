import { type Conversation, type Message, parseConversation } from '@assay/contract/conversation.ts'
import { isFields } from '@assay/contract/message-parts.ts'

/*
 * The messages of a span, and of a trace within a session.
 */

/** A plain text, or an object with a single text field, counts as one message by `role`. */
export function parseTurnMessages(
  value: unknown,
  role: 'user' | 'assistant',
): Conversation | undefined {
  const conversation = parseConversation(value)
  if (conversation !== undefined) return conversation
  const text = parseText(value)
  return text === undefined ? undefined : { messages: [{ role, parts: [{ is: 'text', text }] }] }
}

export interface SpanMessages {
  readonly input: Conversation | undefined
  readonly output: Conversation | undefined
}

/** Undefined unless the input or the output of a span is a conversation. A text on the other side is then a message, too. */
export function parseSpanMessages(input: unknown, output: unknown): SpanMessages | undefined {
  if ((parseConversation(input) ?? parseConversation(output)) === undefined) return undefined
  return { input: parseTurnMessages(input, 'user'), output: parseTurnMessages(output, 'assistant') }
}

function parseText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (!isFields(value)) return undefined
  const [only, ...others] = Object.values(value)
  return typeof only === 'string' && others.length === 0 ? only : undefined
}

export interface TurnSplit {
  /** History repeated from earlier traces, and system messages. */
  readonly earlier: readonly Message[]
  readonly current: readonly Message[]
}

/** Splits at the last message by the user, because every model call repeats the history. */
export function splitHistory(messages: readonly Message[]): TurnSplit {
  const at = messages.findLastIndex(isQuestion)
  if (at <= 0) return { earlier: [], current: messages }
  return { earlier: messages.slice(0, at), current: messages.slice(at) }
}

/** Anthropic and Pydantic AI send tool results with the role of the user. */
export function isQuestion({ role, parts }: Message): boolean {
  return role === 'user' && (parts.length === 0 || parts.some(({ is }) => is !== 'result'))
}

/** The messages of an input without the answer at their end: agents that report all messages repeat it as output. */
export function withoutAnswer(
  input: Conversation | undefined,
  output: Conversation | undefined,
): readonly Message[] {
  const { messages } = input ?? { messages: [] }
  const answer = toText(output?.messages.at(-1))
  const last = messages.at(-1)
  const isAnswer = last?.role === 'assistant' && answer !== '' && toText(last) === answer
  return isAnswer ? messages.slice(0, -1) : messages
}

export function toText(message: Message | undefined): string {
  return message?.parts.map((part) => (part.is === 'text' ? part.text : '')).join('') ?? ''
}
