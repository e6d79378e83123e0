import type { JsonText } from '../domain/json-text.ts'
import { isEmptyJson } from './attribute-reading.ts'

/*
 * System instructions that were told apart from the messages, put in front of them, so that whoever reads the
 * input of a call reads all of it.
 */

/** The messages with the instructions as their first message. What is already text of messages stays as it is. */
export function withInstructions(
  instructions: JsonText | undefined,
  messages: JsonText | undefined,
): JsonText | undefined {
  if (instructions === undefined || isEmptyJson(instructions)) return messages
  const first = instructionMessages(instructions)
  const rest = messages === undefined ? '' : itemsOf(messages)
  return `[${first}${rest === '' ? '' : ','}${rest}]` as JsonText
}

/** The items of a list as text; what is no list is one item. */
function itemsOf(json: JsonText): string {
  const text = json.trim()
  return text.startsWith('[') ? text.slice(1, -1).trim() : text
}

/** Instructions longer than this are not looked into: they are taken for a list of parts, as the convention has them. */
const lookedIntoLength = 1_000_000

// A list of parts is the convention. Whole messages, a bare part and bare text are in use as well.
function instructionMessages(instructions: JsonText): string {
  const items = itemsOf(instructions)
  const first = instructions.length > lookedIntoLength ? {} : firstOf(JSON.parse(instructions))
  if (typeof first === 'string') return systemMessage(textParts(instructions))
  return hasRole(first) ? items : systemMessage(`[${items}]`)
}

function firstOf(parsed: unknown): unknown {
  return Array.isArray(parsed) ? parsed[0] : parsed
}

function hasRole(item: unknown): boolean {
  return (
    typeof item === 'object' && item !== null && 'role' in item && typeof item.role === 'string'
  )
}

function systemMessage(parts: string): string {
  return `{"role":"system","parts":${parts}}`
}

function textParts(instructions: JsonText): string {
  const texts = [JSON.parse(instructions) as unknown].flat()
  return JSON.stringify(texts.map((content) => ({ type: 'text', content })))
}
