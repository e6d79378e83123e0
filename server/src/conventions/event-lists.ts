import { findItems, findMembers } from '../domain/json-grammar.ts'
import type { JsonText } from '../domain/json-text.ts'

/*
 * The attribute `events` of Logfire's integrations and of Pydantic AI's format 1: the messages of a call as a JSON list
 * of OpenTelemetry's events of before 1.37, the answer last.
 */

export interface Exchange {
  readonly messagesIn: JsonText | undefined
  readonly messagesOut: JsonText | undefined
}

/** The answer is what follows the last message of the system, the user or a tool. */
export function splitEvents(events: JsonText): Exchange {
  const items = findItems(events)
  const lastIn = items.findLastIndex(([start, end]) => isInput(events.slice(start, end)))
  const input = items[lastIn]
  const output = items[lastIn + 1]
  const isWhole = output === undefined
  return {
    messagesIn: input && (isWhole ? events : (`${events.slice(0, input[1])}]` as JsonText)),
    messagesOut: output && (`[${events.slice(output[0])}` as JsonText),
  }
}

const rolesOfInput: ReadonlySet<string | undefined> = new Set(
  ['system', 'developer', 'user', 'tool'].map((role) => JSON.stringify(role)),
)

function isInput(event: string): boolean {
  return rolesOfInput.has(findMembers(event, ['role']).get('role'))
}
