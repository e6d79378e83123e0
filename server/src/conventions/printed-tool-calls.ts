import { limits } from '@assay/contract/limits.ts'
import { findItems, findMembers, isJson } from '../domain/json-grammar.ts'
import type { JsonText } from '../domain/json-text.ts'
import { objectJson } from './message-json.ts'

/*
 * OpenLLMetry for LangChain writes the content blocks of Anthropic that are tool calls as text, before the same calls in
 * the form of OpenTelemetry.
 */

const mark = '\\"tool_use\\"'

/** The messages with such texts as tool calls, once each. */
export function withToolCalls(messages: JsonText): JsonText {
  if (!messages.includes(mark)) return messages
  return replaceItems(messages, (message) => {
    const parts = findMembers(message, ['parts']).get('parts')
    if (parts === undefined || !parts.includes(mark)) return message
    const items = findItems(parts).map(([start, end]) => parts.slice(start, end))
    const ids = new Set(items.flatMap((item) => readCall(item, 'tool_call')?.id ?? []))
    const read = items.flatMap((item) => {
      const call = readPrinted(item)
      if (call === undefined) return [item]
      return call.id !== undefined && ids.has(call.id) ? [] : [call.json]
    })
    return message.replace(parts, () => `[${read.join(',')}]`)
  })
}

function replaceItems(list: JsonText, replace: (item: string) => string): JsonText {
  const items = findItems(list).map(([start, end]) => replace(list.slice(start, end)))
  return items.length === 0 ? list : (`[${items.join(',')}]` as JsonText)
}

interface Call {
  /** As JSON. */
  readonly id: string | undefined
  readonly json: string
}

function readPrinted(part: string): Call | undefined {
  const { type, content } = Object.fromEntries(findMembers(part, ['type', 'content']))
  if (type !== '"text"' || content === undefined || !content.startsWith('"{')) return undefined
  const text = JSON.parse(content) as string
  return isJson(text, limits.jsonDepth.value) ? readCall(text, 'tool_use') : undefined
}

function readCall(json: string, as: string): Call | undefined {
  const { type, id, name, input } = Object.fromEntries(
    findMembers(json, ['type', 'id', 'name', 'input']),
  )
  if (type !== `"${as}"`) return undefined
  return { id, json: objectJson({ type: '"tool_call"', id, name, arguments: input }) }
}
