import { type JsonText, toStorableText } from '../domain/json-text.ts'
import type { Attributes, AttributeValue } from './decoded-span.ts'

/*
 * Attributes as JSON text, written straight from their values: integers with all their digits, bytes as base64,
 * NaN and the infinities as strings. Keys are only ever written, so none of them can mean anything here.
 */

export function attributesJson(attributes: Attributes): JsonText {
  return `{${membersJson(attributes)}}` as JsonText
}

/** The inside of an object, without its braces. */
export function membersJson(attributes: Attributes): string {
  // Joining an array would copy long values once more.
  let members = ''
  for (const [key, value] of attributes) {
    members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${valueJson(value)}`
  }
  return members
}

export function valueJson(value: AttributeValue): JsonText {
  if (typeof value === 'string') return textJson(value)
  if (typeof value === 'number') {
    return (Number.isFinite(value) ? String(value) : `"${value}"`) as JsonText
  }
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value) as JsonText
  if (value === null) return 'null' as JsonText
  if (value instanceof Uint8Array) return `"${value.toBase64()}"` as JsonText
  return isList(value) ? listJson(value) : attributesJson(value)
}

export function textJson(text: string): JsonText {
  return JSON.stringify(toStorableText(text)) as JsonText
}

function listJson(values: readonly AttributeValue[]): JsonText {
  return `[${values.map(valueJson).join(',')}]` as JsonText
}

function isList(value: readonly AttributeValue[] | Attributes): value is readonly AttributeValue[] {
  return Array.isArray(value)
}
