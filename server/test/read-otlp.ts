import { expect } from 'vitest'
import type { Span } from '../src/domain/span.ts'
import { readRequest } from '../src/features/ingest-otlp/encode-traces.ts'
import { jsonBytes, type OtlpRequest, type OtlpSpan, protobufBytes } from './otlp-request.ts'

/*
 * Reads OTLP requests of traces as the ingest does, up to the spans to store.
 */

export const traceId = '0af7651916cd43dd8448eb211c80319c'
export const start = '1795170484075000000'
export const end = '1795170484076500000'

export function spanWith(members: OtlpSpan = {}): OtlpSpan {
  return {
    traceId,
    spanId: 'b7ad6b7169203331',
    name: 'chat',
    startTimeUnixNano: start,
    endTimeUnixNano: end,
    ...members,
  }
}

export function toRequest(...spans: unknown[]): OtlpRequest {
  return { resourceSpans: [{ scopeSpans: [{ spans: spans as OtlpSpan[] }] }] }
}

export function fromJson(request: unknown) {
  return readRequest({ bytes: jsonBytes(request), encoding: 'json', compression: 'identity' })
}

export function fromProtobuf(request: OtlpRequest) {
  const bytes = protobufBytes(request)
  return readRequest({ bytes, encoding: 'protobuf', compression: 'identity' })
}

/** Decodes both encodings, which must agree. */
export function fromBoth(request: OtlpRequest) {
  const response = fromJson(request)
  expect(fromProtobuf(request)).toEqual(response)
  return response
}

export function only(response: { readonly spans: readonly Span[] }): Span {
  expect(response.spans).toHaveLength(1)
  return response.spans[0] as Span
}

export function readAttributes(span: Span): unknown {
  return JSON.parse(span.body.attributes)
}
