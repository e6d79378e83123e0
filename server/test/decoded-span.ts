import {
  type AttributeValue,
  type DecodedSpan,
  noAttributes,
  type SpanGroup,
} from '../src/conventions/decoded-span.ts'
import { normalizeSpan } from '../src/conventions/normalize-span.ts'
import { readResourceAndScope } from '../src/conventions/resource-and-scope.ts'
import type { Span } from '../src/domain/span.ts'

export type AttributeTable = Readonly<Record<string, AttributeValue>>

/** A span with only these attributes and the given fields. */
export function decodedSpan(
  attributes: AttributeTable = {},
  members: Partial<DecodedSpan> = {},
): DecodedSpan {
  return {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    parentSpanId: '',
    traceState: '',
    flags: 0,
    name: 'span',
    kind: 0,
    startedAt: 1_795_170_484_075_000_000n,
    endedAt: 1_795_170_484_076_500_000n,
    misplacedEnd: 0n,
    attributes: new Map(Object.entries(attributes)),
    droppedAttributesCount: 0,
    events: [],
    droppedEventsCount: 0,
    links: [],
    droppedLinksCount: 0,
    statusCode: 0,
    statusMessage: '',
    ...members,
  }
}

export function event(name: string, attributes: AttributeTable): DecodedSpan['events'][number] {
  return {
    at: 0n,
    name,
    attributes: new Map(Object.entries(attributes)),
    droppedAttributesCount: 0,
  }
}

/** The same span as it is stored. */
export function normalized(
  attributes: AttributeTable = {},
  members: Partial<DecodedSpan> = {},
  from: { readonly resource?: AttributeTable; readonly scope?: Partial<SpanGroup['scope']> } = {},
): Span {
  const bare = { attributes: noAttributes, droppedAttributesCount: 0, schemaUrl: '' }
  const resource = { ...bare, attributes: new Map(Object.entries(from.resource ?? {})) }
  const scope = { ...bare, name: '', version: '', ...from.scope }
  return normalizeSpan(decodedSpan(attributes, members), readResourceAndScope({ resource, scope }))
}

/** Spans with an empty scope and resource. */
export function toGroup(spans: readonly DecodedSpan[]): SpanGroup {
  const bare = { attributes: noAttributes, droppedAttributesCount: 0, schemaUrl: '' }
  return { resource: bare, scope: { ...bare, name: '', version: '' }, spans }
}
