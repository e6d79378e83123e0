import type { Instant } from '../domain/instant.ts'

/*
 * A span decoded from OTLP in either encoding: its ids and times are validated, its attributes not yet interpreted.
 * Attributes are maps and never objects: their keys are the sender's, `__proto__` among them.
 */

/** 64-bit integers are numbers where a number is exact, and bigints beyond. Null: no value. */
export type AttributeValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | Uint8Array
  | readonly AttributeValue[]
  | Attributes

/** Keys hold nothing that cannot be stored. */
export type Attributes = ReadonlyMap<string, AttributeValue>

export const noAttributes: Attributes = new Map()

export interface DecodedResource {
  readonly attributes: Attributes
  readonly droppedAttributesCount: number
  readonly schemaUrl: string
}

export interface DecodedScope {
  readonly name: string
  readonly version: string
  readonly attributes: Attributes
  readonly droppedAttributesCount: number
  readonly schemaUrl: string
}

export interface DecodedEvent {
  /** 0: not reported. */
  readonly at: Instant
  readonly name: string
  readonly attributes: Attributes
  readonly droppedAttributesCount: number
}

/** Ids as lower-case hexadecimal, unchecked. */
export interface DecodedLink {
  readonly traceId: string
  readonly spanId: string
  readonly traceState: string
  readonly attributes: Attributes
  readonly droppedAttributesCount: number
}

export interface DecodedSpan {
  /** 32 lower-case hexadecimal digits, not all zero. */
  readonly traceId: string
  /** 16 lower-case hexadecimal digits, not all zero. */
  readonly spanId: string
  /** Empty for a root. */
  readonly parentSpanId: string
  readonly traceState: string
  readonly flags: number
  readonly name: string
  /** `SpanKind` of OTLP: 0 unspecified, 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number
  readonly startedAt: Instant
  /** Never before `startedAt`. */
  readonly endedAt: Instant
  /** The reported end where it was before the start; else 0. */
  readonly misplacedEnd: Instant
  readonly attributes: Attributes
  readonly droppedAttributesCount: number
  readonly events: readonly DecodedEvent[]
  readonly droppedEventsCount: number
  readonly links: readonly DecodedLink[]
  readonly droppedLinksCount: number
  /** 0 unset, 1 OK, 2 error. */
  readonly statusCode: number
  readonly statusMessage: string
}

/** Spans of one scope of one resource, in the order they were sent. */
export interface SpanGroup {
  readonly resource: DecodedResource
  readonly scope: DecodedScope
  readonly spans: readonly DecodedSpan[]
}
