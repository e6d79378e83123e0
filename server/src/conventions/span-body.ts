import { formatInstant } from '../domain/instant.ts'
import { emptyArray, type JsonText } from '../domain/json-text.ts'
import { attributesJson, membersJson, textJson, valueJson } from './attribute-json.ts'
import type { AttributeValue, DecodedEvent, DecodedLink, DecodedSpan } from './decoded-span.ts'

/*
 * The body of a span as JSON, complete. Members of an OTLP span without a field of their own become attributes under
 * the names that OpenTelemetry defines for systems without such members (`otel.status_code` and so on), unless the
 * sender has set those.
 */

export function serializeAttributes(span: DecodedSpan): JsonText {
  let text = membersJson(span.attributes)
  for (const [key, value] of otherMembers(span)) {
    if (span.attributes.has(key)) continue
    text += `${text === '' ? '' : ','}${textJson(key)}:${valueJson(value)}`
  }
  return `{${text}}` as JsonText
}

// Unspecified and internal are the default and left out.
const kindNames = ['', '', 'server', 'client', 'producer', 'consumer']
const statusNames = ['', 'OK', 'ERROR']

/** Flag bits: has-is-remote and is-remote. */
const remoteParent = 0x300

function otherMembers(span: DecodedSpan): (readonly [string, AttributeValue])[] {
  const members: (readonly [string, AttributeValue])[] = []
  const add = (key: string, value: AttributeValue) => {
    if (value !== '') members.push([key, value])
  }
  add('otel.span_kind', kindNames[span.kind] ?? '')
  add('otel.status_code', statusNames[span.statusCode] ?? '')
  add('otel.trace_state', span.traceState)
  add('otel.parent_is_remote', (span.flags & remoteParent) === remoteParent || '')
  add('otel.end_time_unix_nano', span.misplacedEnd === 0n ? '' : span.misplacedEnd)
  add('otel.dropped_attributes_count', span.droppedAttributesCount || '')
  add('otel.dropped_events_count', span.droppedEventsCount || '')
  add('otel.dropped_links_count', span.droppedLinksCount || '')
  return members
}

export function serializeEvents({ events }: DecodedSpan): JsonText {
  return events.length === 0 ? emptyArray : (`[${events.map(eventJson).join(',')}]` as JsonText)
}

function eventJson({ at, name, attributes, droppedAttributesCount }: DecodedEvent): string {
  const time = at === 0n ? 'null' : `"${formatInstant(at)}"`
  const reported = `"name":${textJson(name)},"time":${time},"attributes":${attributesJson(attributes)}`
  return `{${reported}${droppedJson(droppedAttributesCount)}}`
}

export function serializeLinks({ links }: DecodedSpan): JsonText {
  return links.length === 0 ? emptyArray : (`[${links.map(linkJson).join(',')}]` as JsonText)
}

function linkJson(link: DecodedLink): string {
  const ids = `"trace_id":"${link.traceId}","span_id":"${link.spanId}"`
  const state = link.traceState === '' ? '' : `,"trace_state":${textJson(link.traceState)}`
  const rest = `${state},"attributes":${attributesJson(link.attributes)}`
  return `{${ids}${rest}${droppedJson(link.droppedAttributesCount)}}`
}

function droppedJson(count: number): string {
  return count === 0 ? '' : `,"dropped_attributes_count":${count}`
}
