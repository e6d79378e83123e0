import { limits } from '@assay/contract/limits.ts'
import { normalizeSpans } from '../../conventions/normalize-span.ts'
import type { Span } from '../../domain/span.ts'
import { inflated, otlpTooLarge } from '../../http/body-encoding.ts'
import type { OtlpBody } from '../../http/call.ts'
import type { Encode, EncodedBatch } from '../../storage/telemetry/port/ingest.ts'
import { decodeJson } from './decode/decode-json.ts'
import { decodeProtobuf } from './decode/decode-protobuf.ts'
import { newProblems } from './decode/problems.ts'
import type { ExportOutcome } from './encode-response.ts'

/*
 * All that is done with an OTLP body before it is stored. Pure, so that any thread can do it.
 */

export interface EncodedTraces extends ExportOutcome {
  readonly encoded: EncodedBatch
}

/** Throws VALIDATION_ERROR for a body that is no OTLP request; of a request, what can be stored is. */
export function encodeTraces(body: OtlpBody, encode: Encode): EncodedTraces {
  const { spans, ...outcome } = readRequest(body)
  return { encoded: encode(spans), ...outcome }
}

/** The spans of a request in their stored form, and what is to be told of the others. */
export function readRequest(body: OtlpBody): ExportOutcome & { readonly spans: readonly Span[] } {
  const bytes = inflated(body.bytes, body.compression, limits.otlpBodyBytes.value)
  const problems = newProblems()
  const decode = body.encoding === 'json' ? decodeJson : decodeProtobuf
  const spans = normalizeSpans(decode(bytes, problems))
  refuseInflation(spans)
  return { spans, ...problems.report() }
}

/** Eight times what a request may hold: escaping and the texts kept twice come to less than half of it. */
const maxTextLength = 8 * limits.otlpBodyBytes.value

/** Resource and scope are told once and kept with every span, which could make gigabytes of a small request. */
function refuseInflation(spans: readonly Span[]): void {
  let length = 0
  for (const { body } of spans) {
    length += body.resource.length + body.scope.length + body.attributes.length
    length += body.input.length + body.output.length + body.events.length + body.links.length
    if (length > maxTextLength) throw otlpTooLarge()
  }
}
