import { type Conversation, type Message, parseConversation } from './conversation.ts'
import { isFields } from './message-parts.ts'

/*
 * What a trace's input and output say, for reading one trace after the other.
 */

/** The conversation in a value; a text alone, or as the one member of an object, counts as said by `role`. */
export function parseTurnMessages(
  value: unknown,
  role: 'user' | 'assistant',
): Conversation | undefined {
  const conversation = parseConversation(value)
  if (conversation !== undefined) return conversation
  const text = parseText(value)
  return text === undefined ? undefined : { messages: [{ role, parts: [{ is: 'text', text }] }] }
}

function parseText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (!isFields(value)) return undefined
  const [only, ...others] = Object.values(value)
  return typeof only === 'string' && others.length === 0 ? only : undefined
}

export interface TurnSplit {
  /** What the traces before have said already, and instructions. */
  readonly earlier: readonly Message[]
  readonly said: readonly Message[]
}

/** Parts what is new, from the last word of the user on, from what each call of a model repeats. */
export function splitHistory(messages: readonly Message[]): TurnSplit {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  if (at <= 0) return { earlier: [], said: messages }
  return { earlier: messages.slice(0, at), said: messages.slice(at) }
}
