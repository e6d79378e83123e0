import { limits } from '@assay/contract/limits.ts'
import {
  type Attributes,
  type AttributeValue,
  type DecodedEvent,
  type DecodedLink,
  type DecodedResource,
  type DecodedScope,
  type DecodedSpan,
  noAttributes,
  type SpanGroup,
} from '../../../conventions/decoded-span.ts'
import { storable } from '../../../domain/json-text.ts'
import { Failure } from '../../../platform/failure.ts'
import { acceptSpan, newDraft, placed, type SpanDraft } from './accept-span.ts'
import { maxValueDepth, tooDeepValue, tooManyItems, tooManySpans } from './bounds.ts'
import type { Problems } from './problems.ts'
import { tag, WireError, WireReader } from './wire-reader.ts'

/*
 * Reads an ExportTraceServiceRequest in protobuf, in one pass. Field numbers are those of
 * opentelemetry-proto 1.11; fields that are not named here, groups, and fields of another type than
 * expected are passed over. Of a field that must not repeat the last one counts.
 */

interface Reading {
  readonly wire: WireReader
  readonly problems: Problems
  items: number
  spans: number
  /** Set while a value is cut at the depth limit. */
  isCut: boolean
}

/** Throws VALIDATION_ERROR for bytes that are no such request; what is wrong with single spans goes to `problems`. */
export function decodeProtobuf(bytes: Uint8Array, problems: Problems): SpanGroup[] {
  const wire = new WireReader(bytes)
  const reading: Reading = { wire, problems, items: 0, spans: 0, isCut: false }
  const groups: SpanGroup[] = []
  try {
    while (wire.at < wire.length) {
      const field = wire.tag(wire.length)
      if (field === requestTags.resourceSpans) readResourceSpans(reading, wire.length, groups)
      else wire.skip(field, wire.length)
    }
  } catch (cause) {
    if (!(cause instanceof WireError)) throw cause
    const message = `The body is not a protobuf ExportTraceServiceRequest: ${cause.message}.`
    throw new Failure('VALIDATION_ERROR', message, { cause })
  }
  return groups
}

const requestTags = { resourceSpans: tag.bytes(1) }

const resourceSpansTags = { resource: tag.bytes(1), scopeSpans: tag.bytes(2), schema: tag.bytes(3) }

function readResourceSpans(reading: Reading, enclosingEnd: number, groups: SpanGroup[]): void {
  const { wire } = reading
  const end = itemEnd(reading, enclosingEnd)
  const resource: Mutable<DecodedResource> = {
    attributes: noAttributes,
    droppedAttributesCount: 0,
    schemaUrl: '',
  }
  while (wire.at < end) {
    const field = wire.tag(end)
    if (field === resourceSpansTags.resource) readResource(reading, end, resource)
    else if (field === resourceSpansTags.scopeSpans) {
      groups.push(readScopeSpans(reading, end, resource))
    } else if (field === resourceSpansTags.schema) resource.schemaUrl = wire.string(end)
    else wire.skip(field, end)
  }
}

type Mutable<T> = { -readonly [Member in keyof T]: T[Member] }

/** The end of a repeated message that begins here; counts it. */
function itemEnd(reading: Reading, enclosingEnd: number): number {
  if (++reading.items > limits.otlpItems.value) throw tooManyItems()
  return reading.wire.lengthEnd(enclosingEnd)
}

const resourceTags = { attributes: tag.bytes(1), dropped: tag.varint(2) }

function readResource(
  reading: Reading,
  enclosingEnd: number,
  resource: Mutable<DecodedResource>,
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

const scopeSpansTags = { scope: tag.bytes(1), spans: tag.bytes(2), schema: tag.bytes(3) }

function readScopeSpans(
  reading: Reading,
  enclosingEnd: number,
  resource: DecodedResource,
): SpanGroup {
  const { wire } = reading
  const end = itemEnd(reading, enclosingEnd)
  const spans: DecodedSpan[] = []
  const scope: Mutable<DecodedScope> = {
    name: '',
    version: '',
    attributes: noAttributes,
    droppedAttributesCount: 0,
    schemaUrl: '',
  }
  while (wire.at < end) {
    const field = wire.tag(end)
    if (field === scopeSpansTags.spans) {
      const span = readSpan(reading, end)
      if (span !== undefined) spans.push(span)
    } else if (field === scopeSpansTags.scope) readScope(reading, end, scope)
    else if (field === scopeSpansTags.schema) scope.schemaUrl = wire.string(end)
    else wire.skip(field, end)
  }
  return { resource, scope, spans }
}

const scopeTags = {
  name: tag.bytes(1),
  version: tag.bytes(2),
  attributes: tag.bytes(3),
  dropped: tag.varint(4),
}

function readScope(reading: Reading, enclosingEnd: number, scope: Mutable<DecodedScope>): void {
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

/** Undefined when the span is not stored. Damage within a span is that span's alone: its end is known. */
function readSpan(reading: Reading, enclosingEnd: number): DecodedSpan | undefined {
  const { wire, problems } = reading
  const end = itemEnd(reading, enclosingEnd)
  if (++reading.spans > limits.otlpSpans.value) throw tooManySpans()
  reading.isCut = false
  const draft = newDraft()
  try {
    while (wire.at < end) readSpanField(reading, end, draft)
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    problems.reject('Its bytes are not a protobuf Span', placed(reading.spans))
    wire.at = end
    return undefined
  }
  if (!acceptSpan(draft, reading.spans, problems)) return undefined
  if (reading.isCut) problems.warn(tooDeepValue, draft.spanId)
  return draft
}

const spanTags = {
  traceId: tag.bytes(1),
  spanId: tag.bytes(2),
  traceState: tag.bytes(3),
  parentSpanId: tag.bytes(4),
  name: tag.bytes(5),
  kind: tag.varint(6),
  start: tag.fixed64(7),
  end: tag.fixed64(8),
  attributes: tag.bytes(9),
  droppedAttributes: tag.varint(10),
  events: tag.bytes(11),
  droppedEvents: tag.varint(12),
  links: tag.bytes(13),
  droppedLinks: tag.varint(14),
  status: tag.bytes(15),
  flags: tag.fixed32(16),
}

function readSpanField(reading: Reading, end: number, draft: SpanDraft): void {
  const { wire } = reading
  const field = wire.tag(end)
  if (field === spanTags.attributes) {
    draft.attributes = readAttribute(reading, end, draft.attributes, 0)
  } else if (field === spanTags.traceId) draft.traceId = wire.hex(end)
  else if (field === spanTags.spanId) draft.spanId = wire.hex(end)
  else if (field === spanTags.parentSpanId) draft.parentSpanId = wire.hex(end)
  else if (field === spanTags.name) draft.name = wire.string(end)
  else if (field === spanTags.kind) draft.kind = wire.uint32(end)
  else if (field === spanTags.start) draft.startedAt = wire.fixed64(end)
  else if (field === spanTags.end) draft.endedAt = wire.fixed64(end)
  else if (field === spanTags.status) readStatus(reading, end, draft)
  else if (field === spanTags.flags) draft.flags = wire.fixed32(end)
  else if (field === spanTags.events) draft.events.push(readEvent(reading, end))
  else if (field === spanTags.links) draft.links.push(readLink(reading, end))
  else if (field === spanTags.traceState) draft.traceState = wire.string(end)
  else if (field === spanTags.droppedAttributes) draft.droppedAttributesCount = wire.uint32(end)
  else if (field === spanTags.droppedEvents) draft.droppedEventsCount = wire.uint32(end)
  else if (field === spanTags.droppedLinks) draft.droppedLinksCount = wire.uint32(end)
  else wire.skip(field, end)
}

const statusTags = { message: tag.bytes(2), code: tag.varint(3) }

function readStatus({ wire }: Reading, enclosingEnd: number, draft: SpanDraft): void {
  const end = wire.lengthEnd(enclosingEnd)
  while (wire.at < end) {
    const field = wire.tag(end)
    if (field === statusTags.message) draft.statusMessage = wire.string(end)
    else if (field === statusTags.code) draft.statusCode = wire.uint32(end)
    else wire.skip(field, end)
  }
}

const eventTags = {
  at: tag.fixed64(1),
  name: tag.bytes(2),
  attributes: tag.bytes(3),
  dropped: tag.varint(4),
}

function readEvent(reading: Reading, enclosingEnd: number): DecodedEvent {
  const { wire } = reading
  const end = itemEnd(reading, enclosingEnd)
  const event: Mutable<DecodedEvent> = {
    at: 0n,
    name: '',
    attributes: noAttributes,
    droppedAttributesCount: 0,
  }
  while (wire.at < end) {
    const field = wire.tag(end)
    if (field === eventTags.at) event.at = wire.fixed64(end)
    else if (field === eventTags.name) event.name = wire.string(end)
    else if (field === eventTags.attributes) {
      event.attributes = readAttribute(reading, end, event.attributes, 0)
    } else if (field === eventTags.dropped) event.droppedAttributesCount = wire.uint32(end)
    else wire.skip(field, end)
  }
  return event
}

const linkTags = {
  traceId: tag.bytes(1),
  spanId: tag.bytes(2),
  traceState: tag.bytes(3),
  attributes: tag.bytes(4),
  dropped: tag.varint(5),
}

function readLink(reading: Reading, enclosingEnd: number): DecodedLink {
  const { wire } = reading
  const end = itemEnd(reading, enclosingEnd)
  const link: Mutable<DecodedLink> = {
    traceId: '',
    spanId: '',
    traceState: '',
    attributes: noAttributes,
    droppedAttributesCount: 0,
  }
  while (wire.at < end) {
    const field = wire.tag(end)
    if (field === linkTags.traceId) link.traceId = wire.hex(end)
    else if (field === linkTags.spanId) link.spanId = wire.hex(end)
    else if (field === linkTags.traceState) link.traceState = wire.string(end)
    else if (field === linkTags.attributes) {
      link.attributes = readAttribute(reading, end, link.attributes, 0)
    } else if (field === linkTags.dropped) link.droppedAttributesCount = wire.uint32(end)
    else wire.skip(field, end)
  }
  return link
}

const keyValueTags = { key: tag.bytes(1), value: tag.bytes(2) }

/** Adds the KeyValue that begins here to `attributes` and returns them; the first makes the map. Of equal keys the last counts. */
function readAttribute(
  reading: Reading,
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
  return map.set(storable(key), value)
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

/** `depth` counts the lists and objects around the AnyValue that begins here. */
function readValue(reading: Reading, enclosingEnd: number, depth: number): AttributeValue {
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
  reading: Reading,
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
