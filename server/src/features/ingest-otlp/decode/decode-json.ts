import { limits } from '@assay/contract/limits.ts'
import type {
  DecodedEvent,
  DecodedLink,
  DecodedResource,
  DecodedScope,
  DecodedSpan,
  SpanGroup,
} from '../../../conventions/decoded-span.ts'
import { Failure } from '../../../platform/failure.ts'
import { scanJson } from '../../../platform/json-scan.ts'
import { acceptSpan, newDraft, placed, type SpanDraft } from './accept-span.ts'
import { maxValueDepth, tooDeepValue, tooManySpans } from './bounds.ts'
import {
  arrayOf,
  countOf,
  enumOf,
  hexOf,
  instantOf,
  isObject,
  type JsonObject,
  objectOf,
  ShapeError,
  textOf,
} from './json-shapes.ts'
import { attributesOf, type Cut } from './json-values.ts'
import type { Problems } from './problems.ts'

/*
 * Reads an ExportTraceServiceRequest in OTLP's JSON form. Gives what decode-protobuf.ts gives for the same request.
 */

interface Reading {
  readonly problems: Problems
  readonly cut: Cut
  spans: number
}

/** Throws VALIDATION_ERROR for bytes that are no such request; what is wrong with single spans goes to `problems`. */
export function decodeJson(bytes: Uint8Array, problems: Problems): SpanGroup[] {
  const request = parsed(bytes)
  if (!isObject(request)) throw refused('it is not an object')
  remarkOnOtherKeys(request, problems)
  const reading: Reading = { problems, cut: { isCut: false }, spans: 0 }
  try {
    return groupsOf(request, reading)
  } catch (cause) {
    if (!(cause instanceof ShapeError)) throw cause
    throw refused(cause.message)
  }
}

function refused(reason: string): Failure {
  return new Failure('VALIDATION_ERROR', `The body is not OTLP JSON: ${reason}.`)
}

// Each level of an attribute's value takes three in this encoding, and the request around it takes twelve.
const maxDepth = 3 * maxValueDepth + 16

function parsed(bytes: Uint8Array): unknown {
  const maxContainers = limits.jsonContainers.value
  const scan = scanJson(bytes, { maxDepth, maxContainers })
  if (scan === 'too-deep') throw refused(`it nests deeper than ${maxDepth} levels`)
  if (scan === 'too-many') throw refused(`it holds more than ${maxContainers} objects and arrays`)
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch (cause) {
    // The parser's own message quotes the body; of it only the position may be told.
    const position = /at position (\d+)/.exec((cause as Error).message)?.[1]
    throw refused(position === undefined ? 'it cannot be parsed' : `syntax error at ${position}`)
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function remarkOnOtherKeys(request: JsonObject, { remark }: Problems): void {
  if (request['resourceSpans'] !== undefined) return
  if (request['resource_spans'] !== undefined) {
    remark('Nothing was stored: keys of OTLP JSON are in lowerCamelCase, resourceSpans and so on.')
  } else if (request['resourceLogs'] !== undefined) {
    remark('Nothing was stored: these are logs, sent to the address of traces.')
  } else if (request['resourceMetrics'] !== undefined) {
    remark('Nothing was stored: these are metrics, sent to the address of traces.')
  } else if (Object.keys(request).length > 0) {
    remark('Nothing was stored: the body has no resourceSpans.')
  }
}

function groupsOf(request: JsonObject, reading: Reading): SpanGroup[] {
  const groups: SpanGroup[] = []
  for (const item of arrayOf(request['resourceSpans'], 'resourceSpans')) {
    const resourceSpans = objectOf(item, 'an item of resourceSpans')
    const resource = resourceOf(resourceSpans)
    // Senders from before OTLP 0.15 call a scope an instrumentation library.
    const { scopeSpans, instrumentationLibrarySpans, scope_spans: misspelled } = resourceSpans
    if (scopeSpans === undefined && misspelled !== undefined) {
      reading.problems.remark('Keys of OTLP JSON are in lowerCamelCase: scope_spans was ignored.')
    }
    for (const inner of arrayOf(scopeSpans ?? instrumentationLibrarySpans, 'scopeSpans')) {
      groups.push(groupOf(objectOf(inner, 'an item of scopeSpans'), resource, reading))
    }
  }
  return groups
}

const unwarned: Cut = { isCut: false }

function resourceOf({ resource, schemaUrl }: JsonObject): DecodedResource {
  const { attributes, droppedAttributesCount } = objectOf(resource, 'resource')
  return {
    attributes: attributesOf(attributes, 'resource.attributes', unwarned),
    droppedAttributesCount: countOf(droppedAttributesCount),
    schemaUrl: textOf(schemaUrl, 'schemaUrl'),
  }
}

function groupOf(scopeSpans: JsonObject, resource: DecodedResource, reading: Reading): SpanGroup {
  const spans: DecodedSpan[] = []
  for (const item of arrayOf(scopeSpans['spans'], 'spans')) {
    const span = spanOf(item, reading)
    if (span !== undefined) spans.push(span)
  }
  return { resource, scope: scopeOf(scopeSpans), spans }
}

function scopeOf({ scope, instrumentationLibrary, schemaUrl }: JsonObject): DecodedScope {
  const told = objectOf(scope ?? instrumentationLibrary, 'scope')
  return {
    name: textOf(told['name'], 'scope.name'),
    version: textOf(told['version'], 'scope.version'),
    attributes: attributesOf(told['attributes'], 'scope.attributes', unwarned),
    droppedAttributesCount: countOf(told['droppedAttributesCount']),
    schemaUrl: textOf(schemaUrl, 'schemaUrl'),
  }
}

/** Undefined when the span is not stored: a member of the wrong type costs that span alone. */
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
    problems.reject(`In a span, ${error.message}`, placed(reading.spans))
    return undefined
  }
  if (!acceptSpan(draft, reading.spans, problems)) return undefined
  if (cut.isCut) problems.warn(tooDeepValue, draft.spanId)
  return draft
}

function readSpan(span: JsonObject, draft: SpanDraft, cut: Cut): void {
  draft.traceId = hexOf(span['traceId'])
  draft.spanId = hexOf(span['spanId'])
  draft.parentSpanId = parentOf(span['parentSpanId'])
  draft.traceState = textOf(span['traceState'], 'traceState')
  draft.flags = countOf(span['flags'])
  draft.name = textOf(span['name'], 'name')
  draft.kind = enumOf(span['kind'], kindNames)
  draft.startedAt = instantOf(span['startTimeUnixNano'], 'startTimeUnixNano')
  draft.endedAt = instantOf(span['endTimeUnixNano'], 'endTimeUnixNano')
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

/** A parent id that is none, base64 for one, must not read as "no parent told". */
function parentOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return ''
  const id = hexOf(value)
  return id === '' ? 'malformed' : id
}

function eventOf(item: unknown, cut: Cut): DecodedEvent {
  const event = objectOf(item, 'an event')
  return {
    at: instantOf(event['timeUnixNano'], 'timeUnixNano of an event'),
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
