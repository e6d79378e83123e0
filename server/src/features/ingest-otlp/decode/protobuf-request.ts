import type { DecodedGroup } from '../../../conventions/decoded-signals.ts'
import {
  type Attributes,
  type DecodedResource,
  type DecodedScope,
  noAttributes,
} from '../../../conventions/decoded-span.ts'
import { Failure } from '../../../platform/failure.ts'
import { itemEnd, readAttribute, type ValueReading } from './protobuf-values.ts'
import { tag, WireError } from './wire-reader.ts'

/*
 * The common structure of the requests of all signals in protobuf: items within scopes within resources,
 * with the same field numbers in each signal.
 */

const requestTags = { resources: tag.bytes(1) }

/**
 * Throws VALIDATION_ERROR for a malformed request. `readItem` is called at the start of each item and must
 * read to its end; it returns undefined for items that are not stored.
 */
export function readProtobufRequest<Item>(
  reading: ValueReading,
  message: string,
  readItem: ReadItem<Item>,
): DecodedGroup<Item>[] {
  const { wire } = reading
  const groups: DecodedGroup<Item>[] = []
  try {
    while (wire.at < wire.length) {
      const field = wire.tag(wire.length)
      if (field === requestTags.resources) readInResource(reading, wire.length, readItem, groups)
      else wire.skip(field, wire.length)
    }
  } catch (cause) {
    if (!(cause instanceof WireError)) throw cause
    const reported = `The body is not a protobuf ${message}: ${cause.message}.`
    throw new Failure('VALIDATION_ERROR', reported, { cause })
  }
  return groups
}

type ReadItem<Item> = (enclosingEnd: number) => Item | undefined

const inResourceTags = { resource: tag.bytes(1), scopes: tag.bytes(2), schema: tag.bytes(3) }

function readInResource<Item>(
  reading: ValueReading,
  enclosingEnd: number,
  readItem: ReadItem<Item>,
  groups: DecodedGroup<Item>[],
): void {
  const { wire } = reading
  const end = itemEnd(reading, enclosingEnd)
  const resource = { attributes: noAttributes, droppedAttributesCount: 0, schemaUrl: '' }
  while (wire.at < end) {
    const field = wire.tag(end)
    if (field === inResourceTags.resource) readResource(reading, end, resource)
    else if (field === inResourceTags.scopes) {
      const group = readInScope(reading, end, resource, readItem)
      // A request may have a million empty scopes.
      if (group.items.length > 0) groups.push(group)
    } else if (field === inResourceTags.schema) resource.schemaUrl = wire.string(end)
    else wire.skip(field, end)
  }
}

const resourceTags = { attributes: tag.bytes(1), dropped: tag.varint(2) }

function readResource(
  reading: ValueReading,
  enclosingEnd: number,
  resource: { attributes: Attributes; droppedAttributesCount: number },
): void {
  const { wire } = reading
  const end = wire.lengthEnd(enclosingEnd)
  while (wire.at < end) {
    const field = wire.tag(end)
    if (field === resourceTags.attributes) {
      resource.attributes = readAttribute(reading, end, resource.attributes, 0)
    } else if (field === resourceTags.dropped) resource.droppedAttributesCount = wire.uint32(end)
    else wire.skip(field, end)
  }
}

const inScopeTags = { scope: tag.bytes(1), items: tag.bytes(2), schema: tag.bytes(3) }

function readInScope<Item>(
  reading: ValueReading,
  enclosingEnd: number,
  resource: DecodedResource,
  readItem: ReadItem<Item>,
): DecodedGroup<Item> {
  const { wire } = reading
  const end = itemEnd(reading, enclosingEnd)
  const items: Item[] = []
  const scope: { -readonly [Member in keyof DecodedScope]: DecodedScope[Member] } = {
    name: '',
    version: '',
    attributes: noAttributes,
    droppedAttributesCount: 0,
    schemaUrl: '',
  }
  while (wire.at < end) {
    const field = wire.tag(end)
    if (field === inScopeTags.items) {
      const item = readItem(end)
      if (item !== undefined) items.push(item)
    } else if (field === inScopeTags.scope) readScope(reading, end, scope)
    else if (field === inScopeTags.schema) scope.schemaUrl = wire.string(end)
    else wire.skip(field, end)
  }
  return { resource, scope, items }
}

const scopeTags = {
  name: tag.bytes(1),
  version: tag.bytes(2),
  attributes: tag.bytes(3),
  dropped: tag.varint(4),
}

function readScope(
  reading: ValueReading,
  enclosingEnd: number,
  scope: { -readonly [Member in keyof DecodedScope]: DecodedScope[Member] },
): void {
  const { wire } = reading
  const end = wire.lengthEnd(enclosingEnd)
  while (wire.at < end) {
    const field = wire.tag(end)
    if (field === scopeTags.name) scope.name = wire.string(end)
    else if (field === scopeTags.version) scope.version = wire.string(end)
    else if (field === scopeTags.attributes) {
      scope.attributes = readAttribute(reading, end, scope.attributes, 0)
    } else if (field === scopeTags.dropped) scope.droppedAttributesCount = wire.uint32(end)
    else wire.skip(field, end)
  }
}
