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
  arrayOf,
  countOf,
  enumOf,
  hexOf,
  idOf,
  isObject,
  type JsonObject,
  objectOf,
  parseInstant,
  ShapeError,
  textOf,
} from './json-shapes.ts'
import { attributesOf, type Cut } from './json-values.ts'
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
  const groups = readJsonRequest(bytes, names, problems, (item) => spanOf(item, reading))
  return groups.map(({ resource, scope, items }) => ({ resource, scope, spans: items }))
}

const names: JsonNames = {
  resources: 'resourceSpans',
  scopes: 'scopeSpans',
  oldScopes: 'instrumentationLibrarySpans',
  items: 'spans',
}

/** Undefined if the span is not stored: a member of the wrong type affects only that span. */
function spanOf(item: unknown, reading: Reading): DecodedSpan | undefined {
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
  draft.traceId = hexOf(span['traceId'])
  draft.spanId = hexOf(span['spanId'])
  draft.parentSpanId = idOf(span['parentSpanId'])
  draft.traceState = textOf(span['traceState'], 'traceState')
  draft.flags = countOf(span['flags'])
  draft.name = textOf(span['name'], 'name')
  draft.kind = enumOf(span['kind'], kindNames)
  draft.startedAt = parseInstant(span['startTimeUnixNano'], 'startTimeUnixNano')
  draft.endedAt = parseInstant(span['endTimeUnixNano'], 'endTimeUnixNano')
  draft.attributes = attributesOf(span['attributes'], 'attributes', cut)
  draft.droppedAttributesCount = countOf(span['droppedAttributesCount'])
  draft.events = arrayOf(span['events'], 'events').map((item) => eventOf(item, cut))
  draft.droppedEventsCount = countOf(span['droppedEventsCount'])
  draft.links = arrayOf(span['links'], 'links').map((item) => linkOf(item, cut))
  draft.droppedLinksCount = countOf(span['droppedLinksCount'])
  const { code, message } = objectOf(span['status'], 'status')
  draft.statusCode = enumOf(code, statusNames)
  draft.statusMessage = textOf(message, 'status.message')
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

function eventOf(item: unknown, cut: Cut): DecodedEvent {
  const event = objectOf(item, 'an event')
  return {
    at: parseInstant(event['timeUnixNano'], 'timeUnixNano of an event'),
    name: textOf(event['name'], 'the name of an event'),
    attributes: attributesOf(event['attributes'], 'attributes of an event', cut),
    droppedAttributesCount: countOf(event['droppedAttributesCount']),
  }
}

function linkOf(item: unknown, cut: Cut): DecodedLink {
  const link = objectOf(item, 'a link')
  return {
    traceId: hexOf(link['traceId']),
    spanId: hexOf(link['spanId']),
    traceState: textOf(link['traceState'], 'traceState of a link'),
    attributes: attributesOf(link['attributes'], 'attributes of a link', cut),
    droppedAttributesCount: countOf(link['droppedAttributesCount']),
  }
}
