import { limits } from '@assay/contract/limits.ts'
import {
  type DecodedEvent,
  type DecodedLink,
  type DecodedSpan,
  noAttributes,
  type SpanGroup,
} from '../../../conventions/decoded-span.ts'
import { acceptSpan, newDraft, placed, type SpanDraft } from './accept-span.ts'
import { tooDeepValue, tooManySpans } from './bounds.ts'
import { malformed, type Problems } from './problems.ts'
import { readProtobufRequest } from './protobuf-request.ts'
import { itemEnd, readAttribute, type ValueReading } from './protobuf-values.ts'
import { tag, WireError, WireReader } from './wire-reader.ts'

/*
 * Reads an ExportTraceServiceRequest in protobuf, in one pass. Field numbers are those of
 * opentelemetry-proto 1.11; unknown fields, groups, and fields of an unexpected wire type are skipped. The
 * last value of a non-repeated field wins.
 */

interface Reading extends ValueReading {
  readonly problems: Problems
  spans: number
}

/** Throws VALIDATION_ERROR for a malformed request; problems of single spans are added to `problems`. */
export function decodeProtobuf(bytes: Uint8Array, problems: Problems): SpanGroup[] {
  const wire = new WireReader(bytes)
  const reading: Reading = { wire, problems, items: 0, spans: 0, isCut: false }
  const groups = readProtobufRequest(reading, 'ExportTraceServiceRequest', (end) =>
    readSpan(reading, end),
  )
  return groups.map(({ resource, scope, items }) => ({ resource, scope, spans: items }))
}

/** Undefined when the span is not stored. A damaged span does not affect the others: its end is known. */
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
    problems.reject(malformed('Its bytes are not a protobuf Span'), placed(reading.spans))
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

type Mutable<T> = { -readonly [Member in keyof T]: T[Member] }

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
