import {
  type Attributes,
  type AttributeValue,
  noAttributes,
} from '../../../conventions/decoded-span.ts'
import { toStorableText } from '../../../domain/json-text.ts'
import { maxValueDepth } from './bounds.ts'
import { parseArray, parseObject, parseText, ShapeError } from './json-shapes.ts'

/*
 * Attributes in OTLP JSON: lists of KeyValue, whose values have one member, named by their type.
 */

/** Set when a value was cut at the depth limit. */
export interface Cut {
  isCut: boolean
}

/** The last of equal keys wins. */
export function parseAttributes(value: unknown, member: string, cut: Cut, depth = 0): Attributes {
  const list = parseArray(value, member)
  if (list.length === 0) return noAttributes
  const attributes = new Map<string, AttributeValue>()
  for (const item of list) {
    const pair = parseObject(item, `an item of ${member}`)
    attributes.set(
      toStorableText(parseText(pair['key'], `a key of ${member}`)),
      parseValue(pair['value'], cut, depth),
    )
  }
  return attributes
}

export function parseValue(value: unknown, cut: Cut, depth: number): AttributeValue {
  const anyValue = parseObject(value, 'an attribute value')
  for (const member in anyValue) {
    const inner = anyValue[member]
    if (inner === null) continue
    switch (member) {
      case 'stringValue':
        return parseText(inner, member)
      case 'boolValue':
        return parseBoolean(inner)
      case 'intValue':
        return parseInteger(inner)
      case 'doubleValue':
        return parseDouble(inner)
      case 'arrayValue':
        return parseList(inner, cut, depth + 1)
      case 'kvlistValue':
        return parseMembers(inner, cut, depth + 1)
      case 'bytesValue':
        // Both alphabets of base64, padded or not.
        return Buffer.from(parseText(inner, member), 'base64')
    }
  }
  return null
}

function parseBoolean(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw new ShapeError('boolValue', 'a boolean')
}

const minInt64 = -(2n ** 63n)
const maxInt64 = 2n ** 63n - 1n

export function parseInteger(value: unknown, member = 'intValue'): number | bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  const isInteger =
    typeof value === 'number' ? Number.isInteger(value) : /^-?\d{1,19}$/.test(String(value))
  if (isInteger) {
    const exact = BigInt(value as number | string)
    const nearest = Number(exact)
    if (Number.isSafeInteger(nearest)) return nearest
    if (exact >= minInt64 && exact <= maxInt64) return exact
  }
  throw new ShapeError(member, 'a 64-bit integer')
}

export function parseDouble(value: unknown, member = 'doubleValue'): number {
  if (typeof value === 'number') return value
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return Number(value)
  if (typeof value === 'string' && /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value)) {
    return Number(value)
  }
  throw new ShapeError(member, 'a number')
}

function parseList(value: unknown, cut: Cut, depth: number): AttributeValue {
  const values = parseArray(parseObject(value, 'arrayValue')['values'], 'arrayValue.values')
  if (depth > maxValueDepth) return cutOff(cut)
  return values.map((item) => parseValue(item, cut, depth))
}

function parseMembers(value: unknown, cut: Cut, depth: number): AttributeValue {
  const { values } = parseObject(value, 'kvlistValue')
  if (depth > maxValueDepth) return cutOff(cut)
  return parseAttributes(values, 'kvlistValue.values', cut, depth)
}

function cutOff(cut: Cut): null {
  cut.isCut = true
  return null
}
