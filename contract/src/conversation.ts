import {
  callPart,
  type Fields,
  first,
  isFields,
  mediaPart,
  type Part,
  parsed,
  resultPart,
  toParts,
} from './message-parts.ts'

/*
 * Recognizes conversations in span inputs and outputs, in the formats of common instrumentations.
 */

export interface Message {
  readonly role: string
  readonly name?: string
  readonly parts: readonly Part[]
}

export interface Conversation {
  readonly messages: readonly Message[]
  /** Fields next to the messages: settings, tool definitions, usage. */
  readonly rest?: Fields
}

/** Undefined if the value is not a conversation. */
export function parseConversation(value: unknown): Conversation | undefined {
  const read = parsed(value)
  if (Array.isArray(read)) {
    const messages = messagesIn(read)
    return messages && { messages }
  }
  if (!isFields(read)) return undefined
  const single = messageFrom(read)
  return single === undefined ? besideOthers(read) : { messages: [single] }
}

/** Fields that may contain messages, most specific first. */
const messageFields = [
  'messages',
  'input_messages',
  'output_messages',
  'contents',
  'choices',
  'candidates',
  'output',
  'input',
  'prompt',
]
const systemHolders = ['system', 'system_instructions', 'systemInstruction', 'instructions']

function besideOthers(value: Fields): Conversation | undefined {
  for (const name of messageFields) {
    const candidate = parsed(value[name])
    const messages = Array.isArray(candidate) ? messagesIn(candidate) : undefined
    if (messages === undefined) continue
    const system = systemHolders.find((one) => value[one] !== undefined && value[one] !== null)
    const used = new Set([name, system])
    const rest = Object.fromEntries(Object.entries(value).filter(([one]) => !used.has(one)))
    return {
      messages: system === undefined ? messages : [...systemMessages(value[system]), ...messages],
      ...(Object.keys(rest).length === 0 ? {} : { rest }),
    }
  }
  return undefined
}

/** System instructions can be text, parts, or whole messages. */
function systemMessages(value: unknown): readonly Message[] {
  const read = parsed(value)
  const whole = Array.isArray(read) ? messagesIn(read) : isFields(read) && messageFrom(read)
  if (Array.isArray(whole)) return whole
  const content = isFields(read) && Array.isArray(read['parts']) ? read['parts'] : read
  return [{ role: 'system', parts: toParts(content) }]
}

/** Undefined unless every item is a message. Some clients nest the list in a list. */
function messagesIn(items: readonly unknown[]): readonly Message[] | undefined {
  const flat = items.length === 1 && Array.isArray(items[0]) ? (items[0] as unknown[]) : items
  const messages: Message[] = []
  for (const item of flat) {
    const message = isFields(item) ? messageFrom(item) : undefined
    if (message === undefined) return undefined
    messages.push(message)
  }
  return messages.length === 0 ? undefined : messages
}

function messageFrom(item: Fields): Message | undefined {
  const inner = unwrapped(item)
  const role = readRole(inner)
  if (role === undefined) return responseItem(inner)
  const parts = [
    ...toParts(textReasoning(inner)),
    ...(role === 'tool' || role === 'function' ? toolParts(inner) : contentParts(inner)),
    ...spokenAnswer(inner),
    ...toolCalls(inner),
  ]
  if (parts.length === 0 && !contentNames.some((name) => name in inner)) return undefined
  const { name } = inner
  return { role, ...(typeof name === 'string' && role !== 'tool' ? { name } : {}), parts }
}

const contentNames = ['content', 'parts', 'contents', 'tool_calls', 'function_call']

/** Unwraps messages from OpenInference, OpenAI choices, Gemini candidates and LangChain. */
function unwrapped(item: Fields): Fields {
  const { message, content, kwargs, data } = item
  if (isFields(message)) return unwrapped(message)
  if (isFields(content) && Array.isArray(content['parts'])) return { role: 'model', ...content }
  if (isFields(kwargs) && Array.isArray(item['id'])) return { type: item['id'].at(-1), ...kwargs }
  if (isFields(data) && typeof item['type'] === 'string') return { ...data, type: item['type'] }
  if (typeof item['message.role'] !== 'string') return item
  const shortened = Object.entries(item).map(([name, one]) => [name.replace(/^message\./, ''), one])
  return Object.fromEntries(shortened) as Fields
}

const rolesByType: Readonly<Record<string, string>> = {
  human: 'user',
  HumanMessage: 'user',
  ai: 'assistant',
  AIMessage: 'assistant',
  AIMessageChunk: 'assistant',
  system: 'system',
  SystemMessage: 'system',
  tool: 'tool',
  ToolMessage: 'tool',
}

function readRole({ role, type }: Fields): string | undefined {
  if (typeof role === 'string' && role !== '') return role === 'model' ? 'assistant' : role
  return typeof type === 'string' ? rolesByType[type] : undefined
}

/** Items of the OpenAI Responses API that are not messages. */
function responseItem(item: Fields): Message | undefined {
  if (item['type'] === 'function_call') return { role: 'assistant', parts: [callPart(item)] }
  if (item['type'] === 'function_call_output') return { role: 'tool', parts: [resultPart(item)] }
  if (item['type'] === 'reasoning') return { role: 'assistant', parts: toParts(item) }
  return undefined
}

function contentParts(message: Fields): readonly Part[] {
  return toParts(first(message, ['parts', 'content', 'contents']))
}

/** A tool message is one result, unless it has explicit parts. */
function toolParts(message: Fields): readonly Part[] {
  const parts = contentParts(message)
  const hasResult = parts.some(({ is }) => is === 'result') || Array.isArray(message['parts'])
  return hasResult ? parts : [resultPart(message)]
}

/** OpenAI sends an answer as a recording with its transcript, next to an empty content. */
function spokenAnswer({ audio }: Fields): readonly Part[] {
  if (!isFields(audio) || typeof audio['data'] !== 'string') return []
  return [...toParts(audio['transcript']), mediaPart({ type: 'audio', ...audio })]
}

function textReasoning(message: Fields): unknown {
  const text = first(message, ['reasoning_content', 'reasoning'])
  return typeof text === 'string' && text !== '' ? { type: 'reasoning', content: text } : undefined
}

function toolCalls(message: Fields): readonly Part[] {
  const { tool_calls: list, function_call: single } = message
  const known = contentParts(message).some(({ is }) => is === 'call')
  if (Array.isArray(list) && !known) return list.filter(isFields).map(callPart)
  return isFields(single) ? [callPart(single)] : []
}
