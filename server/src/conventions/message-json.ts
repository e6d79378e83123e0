import { emptyArray, type JsonText } from '../domain/json-text.ts'
import { isEmptyJson, jsonOrText, toJson } from './attribute-reading.ts'
import type { AttributeValue } from './decoded-span.ts'

/*
 * Messages written as text from the start, so that no key of a sender's becomes a member of an object.
 */

/** The members that are there. Names are ours, values are JSON. */
export function objectJson(members: Readonly<Record<string, string | undefined>>): string {
  let text = ''
  for (const name in members) {
    const json = members[name]
    if (json !== undefined) text += `${text === '' ? '' : ','}"${name}":${json}`
  }
  return `{${text}}`
}

export function listJson(items: readonly string[]): JsonText {
  return items.length === 0 ? emptyArray : (`[${items.join(',')}]` as JsonText)
}

/** Content as parts: text is one; a list holds the parts of its provider, which stay as they are. */
export function contentParts(content: AttributeValue | undefined): string[] {
  if (content === undefined || content === null || content === '') return []
  const json = jsonOrText(content)
  if (isEmptyJson(json)) return []
  if (json.trimStart().startsWith('[')) return [json.trim().slice(1, -1)]
  return [objectJson({ type: '"text"', content: json })]
}

/** Tool calls that are a list already, in the form of their provider; undefined for none. */
export function toolCallsJson(value: AttributeValue | undefined): JsonText | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const json = toJson(value)
  return isEmptyJson(json) || !json.trimStart().startsWith('[') ? undefined : json
}
