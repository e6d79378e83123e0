import fc from 'fast-check'
import protobuf from 'protobufjs'
import {
  type AttributeValue,
  type DecodedSpan,
  noAttributes,
  type SpanGroup,
} from '../src/conventions/decoded-span.ts'

/*
 * OTLP trace requests for tests: written in the JSON form, encoded either way, and decoded by an
 * independent protobuf library as the reference for our reader.
 */

/** What requests of all signals share. */
export const valueSchema = `
  syntax = "proto3";
  message Resource { repeated KeyValue attributes = 1; uint32 droppedAttributesCount = 2; }
  message Scope {
    string name = 1; string version = 2; repeated KeyValue attributes = 3;
    uint32 droppedAttributesCount = 4;
  }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue {
    oneof value {
      string stringValue = 1; bool boolValue = 2; int64 intValue = 3; double doubleValue = 4;
      ArrayValue arrayValue = 5; KeyValueList kvlistValue = 6; bytes bytesValue = 7;
    }
  }
  message ArrayValue { repeated AnyValue values = 1; }
  message KeyValueList { repeated KeyValue values = 1; }
`

/** Field numbers of opentelemetry-proto 1.11, as far as spans need them. */
const schema = `${valueSchema}
  message ExportTraceServiceRequest { repeated ResourceSpans resourceSpans = 1; }
  message ResourceSpans {
    Resource resource = 1; repeated ScopeSpans scopeSpans = 2; string schemaUrl = 3;
  }
  message ScopeSpans { Scope scope = 1; repeated Span spans = 2; string schemaUrl = 3; }
  message Span {
    bytes traceId = 1; bytes spanId = 2; string traceState = 3; bytes parentSpanId = 4;
    string name = 5; int32 kind = 6; fixed64 startTimeUnixNano = 7; fixed64 endTimeUnixNano = 8;
    repeated KeyValue attributes = 9; uint32 droppedAttributesCount = 10;
    repeated Event events = 11; uint32 droppedEventsCount = 12;
    repeated Link links = 13; uint32 droppedLinksCount = 14; Status status = 15;
    fixed32 flags = 16;
  }
  message Event {
    fixed64 timeUnixNano = 1; string name = 2; repeated KeyValue attributes = 3;
    uint32 droppedAttributesCount = 4;
  }
  message Link {
    bytes traceId = 1; bytes spanId = 2; string traceState = 3; repeated KeyValue attributes = 4;
    uint32 droppedAttributesCount = 5;
  }
  message Status { string message = 2; int32 code = 3; }
  message ExportTraceServiceResponse { PartialSuccess partialSuccess = 1; }
  message PartialSuccess { int64 rejectedSpans = 1; string errorMessage = 2; }
`

const { root } = protobuf.parse(schema, { keepCase: true })
const requestType = root.lookupType('ExportTraceServiceRequest')
const spanType = root.lookupType('Span')
export const responseType = root.lookupType('ExportTraceServiceResponse')

/**
 * A request in OTLP's JSON form: 64-bit integers as text, ids in hexadecimal. May be invalid on purpose.
 */
export interface OtlpRequest {
  readonly resourceSpans: readonly OtlpResourceSpans[]
}

export interface OtlpResourceSpans {
  readonly resource?: unknown
  readonly schemaUrl?: string
  readonly scopeSpans: readonly OtlpScopeSpans[]
}

export interface OtlpScopeSpans {
  readonly scope?: unknown
  readonly schemaUrl?: string
  readonly spans: readonly OtlpSpan[]
}

export interface OtlpSpan {
  readonly traceId?: unknown
  readonly spanId?: unknown
  readonly parentSpanId?: unknown
  readonly links?: readonly { readonly traceId?: unknown; readonly spanId?: unknown }[]
  readonly [member: string]: unknown
}

export function jsonBytes(request: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(request))
}

export function protobufBytes(request: OtlpRequest): Uint8Array<ArrayBuffer> {
  const withIds = {
    resourceSpans: request.resourceSpans.map((resourceSpans) => ({
      ...resourceSpans,
      scopeSpans: resourceSpans.scopeSpans.map((scopeSpans) => ({
        ...scopeSpans,
        spans: scopeSpans.spans.map(withBytesForIds),
      })),
    })),
  }
  return Uint8Array.from(requestType.encode(requestType.fromObject(withIds)).finish())
}

/** A single span, for requests assembled from `protobufField`s. */
export function protobufSpan(span: OtlpSpan): Uint8Array {
  return spanType.encode(spanType.fromObject(withBytesForIds(span))).finish()
}

/** A raw length-delimited field, for what protobufjs would not write. */
export function protobufField(number: number, payload: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.concat([varint(number * 8 + 2), varint(payload.length), payload]))
}

function varint(value: number): Uint8Array {
  const bytes = []
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return Uint8Array.from([...bytes, rest])
    bytes.push((rest & 0x7f) | 0x80)
  }
}

function withBytesForIds(span: OtlpSpan): Record<string, unknown> {
  const { traceId, spanId, parentSpanId } = span
  const links = span.links?.map((link) => ({ ...link, ...toBytes(link) }))
  return { ...span, ...toBytes({ traceId, spanId, parentSpanId }), links }
}

function toBytes(ids: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const reported = Object.entries(ids).filter(
    ([name, id]) => name.endsWith('Id') && id !== undefined,
  )
  return Object.fromEntries(reported.map(([name, id]) => [name, Buffer.from(String(id), 'hex')]))
}

export interface DecodedMessage {
  readonly [member: string]: unknown
}

/** What protobufjs reads from a request whose spans are all valid, as our type. */
export function groupsByProtobufjs(bytes: Uint8Array): SpanGroup[] {
  const options = { longs: String, bytes: String, defaults: true, arrays: true, oneofs: true }
  const request = requestType.toObject(requestType.decode(bytes), options)
  return list(request['resourceSpans']).flatMap((resourceSpans) =>
    list(resourceSpans['scopeSpans']).map((scopeSpans) => ({
      resource: {
        ...attributed(resourceSpans['resource']),
        schemaUrl: String(resourceSpans['schemaUrl']),
      },
      scope: {
        ...attributed(scopeSpans['scope']),
        name: text(scopeSpans['scope'], 'name'),
        version: text(scopeSpans['scope'], 'version'),
        schemaUrl: String(scopeSpans['schemaUrl']),
      },
      spans: list(scopeSpans['spans']).map(toSpan),
    })),
  )
}

function toSpan(span: DecodedMessage): DecodedSpan {
  const startedAt = BigInt(String(span['startTimeUnixNano']))
  return {
    traceId: hex(span['traceId']),
    spanId: hex(span['spanId']),
    parentSpanId: hex(span['parentSpanId']),
    traceState: String(span['traceState']),
    flags: Number(span['flags']),
    name: String(span['name']),
    kind: Number(span['kind']),
    startedAt,
    endedAt: BigInt(String(span['endTimeUnixNano'])) || startedAt,
    misplacedEnd: 0n,
    ...attributed(span),
    events: list(span['events']).map((event) => ({
      at: BigInt(String(event['timeUnixNano'])),
      name: String(event['name']),
      ...attributed(event),
    })),
    droppedEventsCount: Number(span['droppedEventsCount']),
    links: list(span['links']).map((link) => ({
      traceId: hex(link['traceId']),
      spanId: hex(link['spanId']),
      traceState: String(link['traceState']),
      ...attributed(link),
    })),
    droppedLinksCount: Number(span['droppedLinksCount']),
    statusCode: Number((span['status'] as DecodedMessage | null)?.['code'] ?? 0),
    statusMessage: text(span['status'], 'message'),
  }
}

export function list(value: unknown): readonly DecodedMessage[] {
  return value as readonly DecodedMessage[]
}

export function text(message: unknown, member: string): string {
  const reported = (message as DecodedMessage | null)?.[member]
  return typeof reported === 'string' ? reported : ''
}

export function hex(base64: unknown): string {
  return Buffer.from(String(base64), 'base64').toString('hex')
}

export function attributed(message: unknown) {
  const { attributes = [], droppedAttributesCount = 0 } = (message ?? {}) as DecodedMessage
  return {
    attributes: toAttributes(attributes),
    droppedAttributesCount: Number(droppedAttributesCount),
  }
}

function toAttributes(pairs: unknown): ReadonlyMap<string, AttributeValue> {
  const entries = list(pairs).map(
    (pair) =>
      [String(pair['key']).replaceAll('\0', '\uFFFD'), valueByProtobufjs(pair['value'])] as const,
  )
  return entries.length === 0 ? noAttributes : new Map(entries)
}

export function valueByProtobufjs(anyValue: unknown): AttributeValue {
  const reported = (anyValue ?? {}) as DecodedMessage
  const value = reported[String(reported['value'])]
  switch (reported['value']) {
    case 'intValue': {
      const exact = BigInt(String(value))
      return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact
    }
    case 'bytesValue':
      return Buffer.from(String(value), 'base64')
    case 'arrayValue':
      return list((value as DecodedMessage)['values']).map(valueByProtobufjs)
    case 'kvlistValue':
      return toAttributes((value as DecodedMessage)['values'])
    case undefined:
      return null
    default:
      return value as string | boolean | number
  }
}

export const anyHexId = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .filter((id) => id.some((byte) => byte !== 0))
    .map((id) => Buffer.from(id).toString('hex'))

export const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'gen_ai.input.messages',
    'llm.input_messages.0.x',
    '',
  ),
)

const count = fc.nat({ max: 0xffff_ffff })
const instant = fc.bigInt({ min: 1n, max: 2n ** 62n }).map(String)

/** As JSON.stringify writes them, except what JSON cannot represent. */
const double = fc.double().map((value) => {
  if (!Number.isFinite(value)) return String(value)
  return value === 0 ? 0 : value
})

const { anyValue } = fc.letrec<{ anyValue: unknown; keyValue: unknown }>((tie) => ({
  anyValue: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constant({}),
    fc.record({ stringValue: anyText }),
    fc.record({ boolValue: fc.boolean() }),
    fc.record({ intValue: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String) }),
    fc.record({ doubleValue: double }),
    fc.record({
      bytesValue: fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64')),
    }),
    fc.record({ arrayValue: fc.record({ values: fc.array(tie('anyValue'), { maxLength: 4 }) }) }),
    fc.record({ kvlistValue: fc.record({ values: fc.array(tie('keyValue'), { maxLength: 4 }) }) }),
  ),
  keyValue: fc.record({ key: anyText, value: tie('anyValue') }, { requiredKeys: ['key'] }),
}))

export const anyValues = anyValue

export const anyAttributes = fc.array(
  fc.record({ key: anyText, value: anyValue }, { requiredKeys: ['key'] }),
  { maxLength: 6 },
)

const attributes = anyAttributes

const span: fc.Arbitrary<OtlpSpan> = fc
  .record(
    {
      traceId: anyHexId(16),
      spanId: anyHexId(8),
      parentSpanId: anyHexId(8),
      traceState: anyText,
      flags: count,
      name: anyText,
      kind: fc.nat({ max: 5 }),
      startTimeUnixNano: instant,
      duration: fc.nat(),
      attributes,
      droppedAttributesCount: count,
      events: fc.array(
        fc.record(
          { timeUnixNano: instant, name: anyText, attributes, droppedAttributesCount: count },
          { requiredKeys: [] },
        ),
        { maxLength: 3 },
      ),
      droppedEventsCount: count,
      links: fc.array(
        fc.record({ traceId: anyHexId(16), spanId: anyHexId(8), traceState: anyText, attributes }),
        { maxLength: 3 },
      ),
      droppedLinksCount: count,
      status: fc.record({ code: fc.nat({ max: 2 }), message: anyText }, { requiredKeys: [] }),
    },
    { requiredKeys: ['traceId', 'spanId', 'startTimeUnixNano'] },
  )
  .map(({ duration, ...reported }) =>
    duration === undefined
      ? reported
      : {
          ...reported,
          endTimeUnixNano: String(BigInt(reported.startTimeUnixNano) + BigInt(duration)),
        },
  )

/** Requests with valid spans only, including everything legal but unusual. */
export const otlpRequests: fc.Arbitrary<OtlpRequest> = fc.record({
  resourceSpans: fc.array(
    fc.record(
      {
        resource: fc.record({ attributes, droppedAttributesCount: count }),
        schemaUrl: anyText,
        scopeSpans: fc.array(
          fc.record(
            {
              scope: fc.record({ name: anyText, version: anyText, attributes }),
              schemaUrl: anyText,
              spans: fc.array(span, { maxLength: 3 }),
            },
            { requiredKeys: ['spans'] },
          ),
          { maxLength: 2 },
        ),
      },
      { requiredKeys: ['scopeSpans'] },
    ),
    { maxLength: 2 },
  ),
})
