import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'

/*
 * OTLP/HTTP ingestion. Source: interface specification, "OTLP endpoints"; OTLP specification 1.11.
 */

/** The responses in JSON; protobuf requests get protobuf responses. */
const rejectedCount = z.string().optional().describe('64-bit count as a decimal string')
const errorMessage = z.string().optional()

export const exportTraceResponse = z.object({
  partialSuccess: z.object({ rejectedSpans: rejectedCount, errorMessage }).optional(),
})
export const exportMetricsResponse = z.object({
  partialSuccess: z.object({ rejectedDataPoints: rejectedCount, errorMessage }).optional(),
})
export const exportLogsResponse = z.object({
  partialSuccess: z.object({ rejectedLogRecords: rejectedCount, errorMessage }).optional(),
})

export const exportTraces = endpoint({
  method: 'POST',
  path: '/traces',
  // Langfuse's SDKs.
  compatiblePath: '/api/public/otel/v1/traces',
  tag: 'Ingestion',
  summary: 'OTLP traces (`ExportTraceServiceRequest`), protobuf or JSON',
  description:
    'Body `application/x-protobuf` or `application/json`, optionally `Content-Encoding: gzip` or `deflate`. Spans that cannot be stored are counted in `partialSuccess`; the others are stored and readable before the response. Langfuse’s SDKs send the same to `/api/public/otel/v1/traces`, with the tracing key as the user name or the password of Basic authentication.',
  access: { by: 'tracing-key' },
  cost: 'expensive',
  body: { as: 'otlp', maxBytes: limits.otlpBodyBytes.value },
  reply: 'otlp',
  success: { status: 200, data: exportTraceResponse },
  errors: ['VALIDATION_ERROR 415'],
})

export const exportMetrics = endpoint({
  method: 'POST',
  path: '/metrics',
  tag: 'Ingestion',
  summary: 'OTLP metrics (`ExportMetricsServiceRequest`), protobuf or JSON',
  description:
    'Like `POST /traces`. Gauges, sums, histograms, exponential histograms and summaries are stored with their exemplars. A data point is identified by its series and its time: resending it replaces it. Data points that cannot be stored are counted in `partialSuccess`.',
  access: { by: 'tracing-key' },
  cost: 'expensive',
  body: { as: 'otlp', maxBytes: limits.otlpBodyBytes.value },
  reply: 'otlp',
  success: { status: 200, data: exportMetricsResponse },
  errors: ['VALIDATION_ERROR 415'],
})

export const exportLogs = endpoint({
  method: 'POST',
  path: '/logs',
  tag: 'Ingestion',
  summary: 'OTLP logs (`ExportLogsServiceRequest`), protobuf or JSON',
  description:
    'Like `POST /traces`. A log record is identified by all of its content: resending it changes nothing. Records of the OpenTelemetry GenAI conventions with the messages of a model call fill in a missing input and output of their span; records of Claude Code, Codex CLI and Gemini CLI that belong to no trace become traces. Records that cannot be stored are counted in `partialSuccess`.',
  access: { by: 'tracing-key' },
  cost: 'expensive',
  body: { as: 'otlp', maxBytes: limits.otlpBodyBytes.value },
  reply: 'otlp',
  success: { status: 200, data: exportLogsResponse },
  errors: ['VALIDATION_ERROR 415'],
})
