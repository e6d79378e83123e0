import type { JsonText } from '../domain/json-text.ts'
import { isEmptyJson } from './attribute-reading.ts'

/*
 * System instructions that are reported apart from the messages go in front of them, so that the input of a call
 * is complete.
 */

/** The messages with the instructions as the first one, unless they have a system message already. */
export function withInstructions(
  instructions: JsonText | undefined,
  messages: JsonText | undefined,
): JsonText | undefined {
  if (instructions === undefined || isEmptyJson(instructions)) return messages
  if (messages !== undefined && systemMessage.test(messages)) return messages
  const first = instructionMessages(instructions)
  const rest = messages === undefined ? '' : toItems(messages)
  return `[${first}${rest === '' ? '' : ','}${rest}]` as JsonText
}

// In text within the JSON the quotes are escaped.
const systemMessage = /"role"\s*:\s*"(?:system|developer)"/

/** The items of a list as text; anything else is one item. */
function toItems(json: JsonText): string {
  const text = json.trim()
  return text.startsWith('[') ? text.slice(1, -1).trim() : text
}

// The convention is a list of parts; whole messages, a single part and plain text are in use as well. The start
// distinguishes them: parsing could take seconds for hostile input.
const firstIsMessage = /^\{\s*"role"\s*:/

function instructionMessages(instructions: JsonText): string {
  const items = toItems(instructions)
  if (firstIsMessage.test(items)) return items
  const parts = items.startsWith('{') ? items : `{"type":"text","content":${instructions}}`
  return `{"role":"system","parts":[${parts}]}`
}
