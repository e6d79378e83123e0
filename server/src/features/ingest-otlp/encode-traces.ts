import { limits } from '@assay/contract/limits.ts'
import { normalizeSpans } from '../../conventions/normalize-span.ts'
import type { Span } from '../../domain/span.ts'
import { inflated, otlpTooLarge } from '../../http/body-encoding.ts'
import type { OtlpBody } from '../../http/call.ts'
import type { Encode, EncodedBatch } from '../../storage/telemetry/port/ingest.ts'
import { decodeJson } from './decode/decode-json.ts'
import { decodeProtobuf } from './decode/decode-protobuf.ts'
import { newProblems, type ProblemReport } from './decode/problems.ts'

/*
 * Converts an OTLP body to rows. Pure, so that it can run on any thread.
 */

export interface EncodedTraces extends ProblemReport {
  readonly encoded: EncodedBatch
}

/** Throws VALIDATION_ERROR for a malformed body; spans that cannot be stored are reported. */
export function encodeTraces(body: OtlpBody, encode: Encode): EncodedTraces {
  const { spans, ...outcome } = readRequest(body)
  return { encoded: encode(spans), ...outcome }
}

/** The spans of a request in their stored form, and the report on the others. */
export function readRequest(body: OtlpBody): ProblemReport & { readonly spans: readonly Span[] } {
  const bytes = inflated(body.bytes, body.compression, limits.otlpBodyBytes.value)
  const problems = newProblems()
  const decode = body.encoding === 'json' ? decodeJson : decodeProtobuf
  const spans = normalizeSpans(decode(bytes, problems))
  refuseInflation(spans)
  return { spans, ...problems.report() }
}

/** Eight times the size limit of a request: escaping and repeated texts need less than half of it. */
export const maxTextLength = 8 * limits.otlpBodyBytes.value

/**
 * Resource and scope are sent once but stored with every span: a small request could expand to gigabytes.
 */
export function refuseInflation(spans: readonly Span[]): void {
  let length = 0
  for (const { body, tags } of spans) {
    length += tags?.length ?? 0
    length += body.resource.length + body.scope.length + body.attributes.length
    length += body.input.length + body.output.length + body.events.length + body.links.length
    if (length > maxTextLength) throw otlpTooLarge()
  }
}
