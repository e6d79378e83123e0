import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'

/*
 * The OTLP/HTTP way in. Source: interface specification, "OTLP endpoints"; OTLP specification 1.11.
 */

/** `ExportTraceServiceResponse` in its JSON form; a protobuf sender gets the same in protobuf. */
export const exportTraceResponse = z.object({
  partialSuccess: z
    .object({
      rejectedSpans: z.string().optional().describe('64-bit count as a decimal string'),
      errorMessage: z.string().optional(),
    })
    .optional(),
})

export const exportTraces = endpoint({
  method: 'POST',
  path: '/traces',
  tag: 'Ingestion',
  summary: 'OTLP traces (`ExportTraceServiceRequest`), protobuf or JSON',
  description:
    'Body `application/x-protobuf` or `application/json`, optionally `Content-Encoding: gzip` or `deflate`. Spans that cannot be stored are counted in `partialSuccess`; the others are stored and readable before the answer.',
  access: { by: 'tracing-key' },
  body: { as: 'otlp', maxBytes: limits.otlpBodyBytes.value },
  reply: 'otlp',
  success: { status: 200, data: exportTraceResponse },
  errors: ['VALIDATION_ERROR 415'],
})
