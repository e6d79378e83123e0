import { limits } from '@assay/contract/limits.ts'
import type {
  DecodedEvent,
  DecodedLink,
  DecodedSpan,
  SpanGroup,
} from '../../../conventions/decoded-span.ts'
import { acceptSpan, newDraft, placed, type SpanDraft } from './accept-span.ts'
import { tooDeepValue, tooManySpans } from './bounds.ts'
import { type JsonNames, readJsonRequest } from './json-request.ts'
import {
  isObject,
  type JsonObject,
  parseArray,
  parseCount,
  parseEnum,
  parseHex,
  parseId,
  parseInstant,
  parseObject,
  parseText,
  ShapeError,
} from './json-shapes.ts'
import { type Cut, parseAttributes } from './json-values.ts'
import { malformed, type Problems } from './problems.ts'

/*
 * Reads an ExportTraceServiceRequest in OTLP's JSON form. Returns the same as decode-protobuf.ts for the same request.
 */

interface Reading {
  readonly problems: Problems
  readonly cut: Cut
  spans: number
}

/** Throws VALIDATION_ERROR for a malformed request; problems of single spans are added to `problems`. */
export function decodeJson(bytes: Uint8Array, problems: Problems): SpanGroup[] {
  const reading: Reading = { problems, cut: { isCut: false }, spans: 0 }
  const groups = readJsonRequest(bytes, names, problems, (item) => parseSpan(item, reading))
  return groups.map(({ resource, scope, items }) => ({ resource, scope, spans: items }))
}

const names: JsonNames = {
  resources: 'resourceSpans',
  scopes: 'scopeSpans',
  oldScopes: 'instrumentationLibrarySpans',
  items: 'spans',
}

/** Undefined if the span is not stored: a member of the wrong type affects only that span. */
function parseSpan(item: unknown, reading: Reading): DecodedSpan | undefined {
  const { problems, cut } = reading
  if (++reading.spans > limits.otlpSpans.value) throw tooManySpans()
  cut.isCut = false
  const draft = newDraft()
  try {
    if (!isObject(item)) throw new ShapeError('a span', 'an object')
    readSpan(item, draft, cut)
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error
    problems.reject(malformed(`In a span, ${error.message}`), placed(reading.spans))
    return undefined
  }
  if (!acceptSpan(draft, reading.spans, problems)) return undefined
  if (cut.isCut) problems.warn(tooDeepValue, draft.spanId)
  return draft
}

function readSpan(span: JsonObject, draft: SpanDraft, cut: Cut): void {
  draft.traceId = parseHex(span['traceId'])
  draft.spanId = parseHex(span['spanId'])
  draft.parentSpanId = parseId(span['parentSpanId'])
  draft.traceState = parseText(span['traceState'], 'traceState')
  draft.flags = parseCount(span['flags'])
  draft.name = parseText(span['name'], 'name')
  draft.kind = parseEnum(span['kind'], kindNames)
  draft.startedAt = parseInstant(span['startTimeUnixNano'], 'startTimeUnixNano')
  draft.endedAt = parseInstant(span['endTimeUnixNano'], 'endTimeUnixNano')
  draft.attributes = parseAttributes(span['attributes'], 'attributes', cut)
  draft.droppedAttributesCount = parseCount(span['droppedAttributesCount'])
  draft.events = parseArray(span['events'], 'events').map((item) => parseEvent(item, cut))
  draft.droppedEventsCount = parseCount(span['droppedEventsCount'])
  draft.links = parseArray(span['links'], 'links').map((item) => parseLink(item, cut))
  draft.droppedLinksCount = parseCount(span['droppedLinksCount'])
  const { code, message } = parseObject(span['status'], 'status')
  draft.statusCode = parseEnum(code, statusNames)
  draft.statusMessage = parseText(message, 'status.message')
}

const kindNames = [
  'SPAN_KIND_UNSPECIFIED',
  'SPAN_KIND_INTERNAL',
  'SPAN_KIND_SERVER',
  'SPAN_KIND_CLIENT',
  'SPAN_KIND_PRODUCER',
  'SPAN_KIND_CONSUMER',
]

const statusNames = ['STATUS_CODE_UNSET', 'STATUS_CODE_OK', 'STATUS_CODE_ERROR']

function parseEvent(item: unknown, cut: Cut): DecodedEvent {
  const event = parseObject(item, 'an event')
  return {
    at: parseInstant(event['timeUnixNano'], 'timeUnixNano of an event'),
    name: parseText(event['name'], 'the name of an event'),
    attributes: parseAttributes(event['attributes'], 'attributes of an event', cut),
    droppedAttributesCount: parseCount(event['droppedAttributesCount']),
  }
}

function parseLink(item: unknown, cut: Cut): DecodedLink {
  const link = parseObject(item, 'a link')
  return {
    traceId: parseHex(link['traceId']),
    spanId: parseHex(link['spanId']),
    traceState: parseText(link['traceState'], 'traceState of a link'),
    attributes: parseAttributes(link['attributes'], 'attributes of a link', cut),
    droppedAttributesCount: parseCount(link['droppedAttributesCount']),
  }
}
