import { limits } from '@assay/contract/limits.ts'
import { spansOfLogs } from '../../conventions/coding-agents.ts'
import { normalizeLogs } from '../../conventions/normalize-logs.ts'
import { normalizeMetrics } from '../../conventions/normalize-metrics.ts'
import type { LogRecord } from '../../domain/log-record.ts'
import { inflated, otlpTooLarge } from '../../http/body-encoding.ts'
import type { OtlpBody } from '../../http/call.ts'
import {
  type Encode,
  type EncodedBatch,
  type EncodedSignals,
  signalsPerPart,
} from '../../storage/telemetry/port/ingest.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import { decodeLogsJson } from './decode/decode-logs-json.ts'
import { decodeLogsProtobuf } from './decode/decode-logs-protobuf.ts'
import { decodeMetricsJson } from './decode/decode-metrics-json.ts'
import { decodeMetricsProtobuf } from './decode/decode-metrics-protobuf.ts'
import { logRecordLabels, newProblems, type ProblemReport, pointLabels } from './decode/problems.ts'
import { maxTextLength, refuseInflation as refuseSpanInflation } from './encode-traces.ts'

/*
 * Converts a body of metrics or logs to rows, like encode-traces.ts.
 */

export interface EncodedMetrics extends ProblemReport {
  /** Null where there is nothing to store. */
  readonly metrics: EncodedSignals | null
}

export interface EncodedLogs extends ProblemReport {
  /** Null where there is nothing to store. */
  readonly logs: EncodedSignals | null
  /** Spans derived from the records of coding agents; null where there are none. */
  readonly spans: EncodedBatch | null
}

export type SignalEncoders = Pick<TelemetryStore, 'encodeMetrics' | 'encodeLogs'>

/** Throws VALIDATION_ERROR for a malformed body; items that cannot be stored are reported. */
export function encodeMetrics(
  body: OtlpBody,
  { encodeMetrics: encode }: SignalEncoders,
): EncodedMetrics {
  const problems = newProblems(pointLabels)
  const decode = body.encoding === 'json' ? decodeMetricsJson : decodeMetricsProtobuf
  const measurements = normalizeMetrics(decode(toBytes(body), problems))
  refuseInflation(measurements.map(({ series }) => series))
  return { metrics: measurements.length === 0 ? null : encode(measurements), ...problems.report() }
}

/** The same for logs. */
export function encodeLogs(
  body: OtlpBody,
  { encodeLogs: encode }: SignalEncoders,
  encodeSpans: Encode,
): EncodedLogs {
  const problems = newProblems(logRecordLabels)
  const decode = body.encoding === 'json' ? decodeLogsJson : decodeLogsProtobuf
  const groups = decode(toBytes(body), problems)
  const records = normalizeLogs(groups)
  refuseInflation(records)
  const spans = spansOfLogs(groups)
  refuseSpanInflation(spans)
  return {
    logs: records.length === 0 ? null : encode(records),
    spans: spans.length === 0 ? null : encodeSpans(spans),
    ...problems.report(),
  }
}

/**
 * Refuses what would expand to more than spans may: engines receive the resource and scope of a request, which may have
 * megabytes, once per `signalsPerPart` items.
 */
function refuseInflation(
  items: readonly Pick<LogRecord, 'resource' | 'scope' | 'attributes'>[],
): void {
  let length = 0
  for (const { resource, scope, attributes } of items) {
    length += attributes.length + (resource.length + scope.length) / signalsPerPart
    if (length > maxTextLength) throw otlpTooLarge()
  }
}

function toBytes({ bytes, compression }: OtlpBody): Uint8Array {
  return inflated(bytes, compression, limits.otlpBodyBytes.value)
}
