import { limits } from '@assay/contract/limits.ts'
import { isJson } from '../domain/json-grammar.ts'
import { type JsonText, toStorableJson, toStorableText } from '../domain/json-text.ts'
import { textJson, valueJson } from './attribute-json.ts'
import type { Attributes, AttributeValue } from './decoded-span.ts'

/*
 * Reads the first attribute of several keys that has a value. Empty text, empty lists and objects, and invalid
 * numbers do not count: instrumentations write them for missing values.
 */

export type Keys = readonly string[]

export function firstText(attributes: Attributes, keys: Keys): string | undefined {
  for (const key of keys) {
    const text = toText(attributes.get(key))
    if (text !== undefined) return text
  }
  return undefined
}

/** Undefined where `firstText` reads the next key. */
export function toText(value: AttributeValue | undefined): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : toStorableText(value)
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined
}

/** What senders write where they have no model. */
const placeholders = /^(?:none|unknown)$/i

/** The name of a model. */
export function firstModel(attributes: Attributes, keys: Keys): string | undefined {
  for (const key of keys) {
    const name = toText(attributes.get(key))
    if (name !== undefined && !placeholders.test(name)) return name
  }
  return undefined
}

/** A whole number of something, at least 0. Some senders write counts as text or with a fraction. */
export function firstCount(attributes: Attributes, keys: Keys): number | undefined {
  const amount = firstAmount(attributes, keys)
  return amount === undefined ? undefined : Math.min(Math.round(amount), Number.MAX_SAFE_INTEGER)
}

/** A finite number, at least 0. */
export function firstAmount(attributes: Attributes, keys: Keys): number | undefined {
  for (const key of keys) {
    const value = attributes.get(key)
    const isReported =
      typeof value === 'string'
        ? value.trim() !== ''
        : typeof value === 'number' || typeof value === 'bigint'
    const amount = isReported ? Number(value) : Number.NaN
    if (Number.isFinite(amount) && amount >= 0) return amount
  }
  return undefined
}

/**
 * The first value as JSON; else the first that is present but empty, because an empty object may be the value.
 */
export function firstJson(attributes: Attributes, keys: Keys): JsonText | undefined {
  let empty: JsonText | undefined
  for (const key of keys) {
    const value = attributes.get(key)
    if (value === undefined || value === null || value === '') continue
    const json = toJson(value)
    if (!isEmptyJson(json)) return json
    empty ??= json
  }
  return empty
}

/** `{}`, `[]`, `""` or `null`. */
export function isEmptyJson(json: JsonText): boolean {
  return json.length < 16 && /^\s*(?:\{\s*\}|\[\s*\]|""|null)\s*$/.test(json)
}

/** A value that its convention writes as JSON: text that is JSON is kept as it is, other text becomes a JSON string. */
export function toJson(value: AttributeValue): JsonText {
  if (typeof value !== 'string') return valueJson(value)
  const text = toStorableText(value)
  return isJson(text, limits.jsonDepth.value) ? toStorableJson(text as JsonText) : textJson(text)
}

/** A value that may be plain text: only an object or a list counts as JSON. */
export function jsonOrText(value: AttributeValue): JsonText {
  if (typeof value === 'string' && !/^\s*[[{]/.test(value)) return textJson(value)
  return toJson(value)
}

const maxMembersLength = 20_000

/**
 * The members of an object that an attribute holds, as JSON or structured: counts, costs, one message. Undefined
 * for everything else and for what is longer than it may be, because it is parsed.
 */
export function parseMembers(
  value: AttributeValue | undefined,
  maxLength = maxMembersLength,
): Attributes | undefined {
  if (value instanceof Map) return value
  if (typeof value !== 'string' || value.length > maxLength) return undefined
  if (!value.trimStart().startsWith('{') || !isJson(value, limits.jsonDepth.value)) return undefined
  return toAttributeValue(JSON.parse(value)) as Attributes
}

/** The same of a dictionary of counts as Python prints it: `{'cache_read': 16, 'audio': None}`. */
export function parsePrintedMembers(text: string): Attributes | undefined {
  if (text.length > maxMembersLength) return undefined
  return parseMembers(text.replaceAll("'", '"').replaceAll(/\bNone\b/g, 'null'))
}

/** As a map, whatever its keys are called. */
function toAttributeValue(json: unknown): AttributeValue {
  if (Array.isArray(json)) return json.map(toAttributeValue)
  if (typeof json !== 'object' || json === null) return json as AttributeValue
  return new Map(
    Object.entries(json).map(([key, value]) => [toStorableText(key), toAttributeValue(value)]),
  )
}

const maxQuotedLength = 2000

/** Text that its sender wrote as JSON, quotes included: a name or an id. */
export function unquoted(text: string, maxLength = maxQuotedLength): string {
  const isQuoted = text.length <= maxLength && text.startsWith('"') && text.endsWith('"')
  return isQuoted && isJson(text, 1) ? toStorableText(JSON.parse(text) as string) : text
}
