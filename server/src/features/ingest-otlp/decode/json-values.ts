import {
  type Attributes,
  type AttributeValue,
  noAttributes,
} from '../../../conventions/decoded-span.ts'
import { toStorableText } from '../../../domain/json-text.ts'
import { maxValueDepth } from './bounds.ts'
import { arrayOf, objectOf, ShapeError, textOf } from './json-shapes.ts'

/*
 * Attributes in OTLP JSON: lists of KeyValue, whose values have one member, named by their type.
 */

/** Set when a value was cut at the depth limit. */
export interface Cut {
  isCut: boolean
}

/** The last of equal keys wins. */
export function attributesOf(value: unknown, member: string, cut: Cut, depth = 0): Attributes {
  const list = arrayOf(value, member)
  if (list.length === 0) return noAttributes
  const attributes = new Map<string, AttributeValue>()
  for (const item of list) {
    const pair = objectOf(item, `an item of ${member}`)
    attributes.set(
      toStorableText(textOf(pair['key'], `a key of ${member}`)),
      valueOf(pair['value'], cut, depth),
    )
  }
  return attributes
}

export function valueOf(value: unknown, cut: Cut, depth: number): AttributeValue {
  const anyValue = objectOf(value, 'an attribute value')
  for (const member in anyValue) {
    const inner = anyValue[member]
    if (inner === null) continue
    switch (member) {
      case 'stringValue':
        return textOf(inner, member)
      case 'boolValue':
        return booleanOf(inner)
      case 'intValue':
        return integerOf(inner)
      case 'doubleValue':
        return doubleOf(inner)
      case 'arrayValue':
        return listOf(inner, cut, depth + 1)
      case 'kvlistValue':
        return membersOf(inner, cut, depth + 1)
      case 'bytesValue':
        // Both alphabets of base64, padded or not.
        return Buffer.from(textOf(inner, member), 'base64')
    }
  }
  return null
}

function booleanOf(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw new ShapeError('boolValue', 'a boolean')
}

const minInt64 = -(2n ** 63n)
const maxInt64 = 2n ** 63n - 1n

export function integerOf(value: unknown, member = 'intValue'): number | bigint {
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

export function doubleOf(value: unknown, member = 'doubleValue'): number {
  if (typeof value === 'number') return value
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return Number(value)
  if (typeof value === 'string' && /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value)) {
    return Number(value)
  }
  throw new ShapeError(member, 'a number')
}

function listOf(value: unknown, cut: Cut, depth: number): AttributeValue {
  const values = arrayOf(objectOf(value, 'arrayValue')['values'], 'arrayValue.values')
  if (depth > maxValueDepth) return cutOff(cut)
  return values.map((item) => valueOf(item, cut, depth))
}

function membersOf(value: unknown, cut: Cut, depth: number): AttributeValue {
  const { values } = objectOf(value, 'kvlistValue')
  if (depth > maxValueDepth) return cutOff(cut)
  return attributesOf(values, 'kvlistValue.values', cut, depth)
}

function cutOff(cut: Cut): null {
  cut.isCut = true
  return null
}
