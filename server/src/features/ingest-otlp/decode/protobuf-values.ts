import { limits } from '@assay/contract/limits.ts'
import {
  type Attributes,
  type AttributeValue,
  noAttributes,
} from '../../../conventions/decoded-span.ts'
import { toStorableText } from '../../../domain/json-text.ts'
import { maxValueDepth, tooManyItems } from './bounds.ts'
import { tag, type WireReader } from './wire-reader.ts'

/*
 * Attributes and their values in protobuf, the same in the requests of all signals.
 */

export interface ValueReading {
  readonly wire: WireReader
  items: number
  /** Set while a value is cut at the depth limit. */
  isCut: boolean
}

/** The end of the repeated message that starts here; counts it. */
export function itemEnd(reading: ValueReading, enclosingEnd: number): number {
  if (++reading.items > limits.otlpItems.value) throw tooManyItems()
  return reading.wire.lengthEnd(enclosingEnd)
}

const keyValueTags = { key: tag.bytes(1), value: tag.bytes(2) }

/**
 * Adds the KeyValue that starts here to `attributes` and returns them; creates the map if undefined. The
 * last of equal keys wins.
 */
export function readAttribute(
  reading: ValueReading,
  enclosingEnd: number,
  attributes: Attributes,
  depth: number,
): Attributes {
  const { wire } = reading
  const end = itemEnd(reading, enclosingEnd)
  let key = ''
  let value: AttributeValue = null
  while (wire.at < end) {
    const field = wire.tag(end)
    if (field === keyValueTags.key) key = wire.string(end)
    else if (field === keyValueTags.value) value = readValue(reading, end, depth)
    else wire.skip(field, end)
  }
  const map =
    attributes === noAttributes
      ? new Map<string, AttributeValue>()
      : (attributes as Map<string, AttributeValue>)
  return map.set(toStorableText(key), value)
}

const valueTags = {
  string: tag.bytes(1),
  bool: tag.varint(2),
  int: tag.varint(3),
  double: tag.fixed64(4),
  array: tag.bytes(5),
  keyValueList: tag.bytes(6),
  bytes: tag.bytes(7),
}

/** `depth` counts the lists and objects around the AnyValue that starts here. */
export function readValue(
  reading: ValueReading,
  enclosingEnd: number,
  depth: number,
): AttributeValue {
  const { wire } = reading
  const end = wire.lengthEnd(enclosingEnd)
  let value: AttributeValue = null
  while (wire.at < end) {
    const field = wire.tag(end)
    if (field === valueTags.string) value = wire.string(end)
    else if (field === valueTags.int) value = wire.int64(end)
    else if (field === valueTags.bool) value = wire.bool(end)
    else if (field === valueTags.double) value = wire.double(end)
    else if (field === valueTags.bytes) value = wire.bytes(end)
    else if (field === valueTags.array || field === valueTags.keyValueList) {
      value = readNested(reading, end, field, depth + 1)
    } else wire.skip(field, end)
  }
  return value
}

const listTags = { values: tag.bytes(1) }

function readNested(
  reading: ValueReading,
  enclosingEnd: number,
  form: number,
  depth: number,
): AttributeValue {
  const { wire } = reading
  const end = wire.lengthEnd(enclosingEnd)
  if (depth > maxValueDepth) {
    reading.isCut = true
    wire.at = end
    return null
  }
  const list: AttributeValue[] = []
  let members: Attributes = noAttributes
  while (wire.at < end) {
    const field = wire.tag(end)
    if (field !== listTags.values) wire.skip(field, end)
    else if (form === valueTags.keyValueList) members = readAttribute(reading, end, members, depth)
    else {
      if (++reading.items > limits.otlpItems.value) throw tooManyItems()
      list.push(readValue(reading, end, depth))
    }
  }
  return form === valueTags.array ? list : members
}
