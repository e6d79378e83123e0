import type { DecodedGroup, DecodedLogRecord } from '../../conventions/decoded-signals.ts'
import { noAttributes, type SpanGroup } from '../../conventions/decoded-span.ts'
import { normalizeLogs } from '../../conventions/normalize-logs.ts'
import { normalizeMetrics } from '../../conventions/normalize-metrics.ts'
import { normalizeSpans } from '../../conventions/normalize-span.ts'
import type { Work } from '../../ingest-workers/messages.ts'
import type { Encode, EncodedBatch, EncodedSignals } from '../../storage/telemetry/port/ingest.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import { buildSampleTraces } from './build-sample-traces.ts'
import { traceCount } from './planned-runs.ts'
import { sampleMetrics } from './sample-metrics.ts'
import type { Run, SampleTrace } from './sample-trace.ts'

/*
 * Encodes the sample data for the store, in parts small enough not to block ingestion. From the decoded
 * span on, it takes the same path as OTLP data: the same conventions, the same prices.
 */

export interface SampleTask {
  readonly nowMs: number
  /** From 0 up to, but not including, `samplePartCount`. */
  readonly part: number
  readonly priceRules: string
}

export interface SamplePart {
  /** Null in the last part. */
  readonly spans: EncodedBatch | null
  readonly logs: EncodedSignals | null
  readonly logCount: number
  /** Null in all but the last part. */
  readonly metrics: EncodedSignals | null
  readonly pointCount: number
}

export const encodeSampleTask: Work<SampleTask, SamplePart> = { name: 'encode sample data' }

const tracesPerPart = 40
/** The parts with traces; metrics are one more. */
const tracePartCount = traceCount / tracesPerPart
export const samplePartCount = tracePartCount + 1

type SignalEncoders = Pick<TelemetryStore, 'encodeMetrics' | 'encodeLogs'>

export function encodeSample(
  { nowMs, part }: Omit<SampleTask, 'priceRules'>,
  encodeSpans: Encode,
  { encodeLogs, encodeMetrics }: SignalEncoders,
): SamplePart {
  const nothing = { spans: null, logs: null, logCount: 0, metrics: null, pointCount: 0 }
  if (part === tracePartCount) {
    const measurements = normalizeMetrics(
      sampleMetrics(nowMs, buildSampleTraces(nowMs)).map(({ run, items }) => toGroup(run, items)),
    )
    return { ...nothing, metrics: encodeMetrics(measurements), pointCount: measurements.length }
  }
  const traces = buildSampleTraces(nowMs, part * tracesPerPart, (part + 1) * tracesPerPart)
  const logs = normalizeLogs(toLogGroups(traces))
  return {
    ...nothing,
    spans: encodeSpans(normalizeSpans(traces.map(toSpanGroup))),
    logs: encodeLogs(logs),
    logCount: logs.length,
  }
}

type Emitter = Pick<Run, 'service' | 'version' | 'environment'>

function toSpanGroup({ run, spans }: SampleTrace): SpanGroup {
  return { ...toResourceAndScope(run), spans }
}

function toLogGroups(traces: readonly SampleTrace[]): DecodedGroup<DecodedLogRecord>[] {
  return traces.map(({ run, logs }) => toGroup(run, logs))
}

function toGroup<Item>(emitter: Emitter, items: readonly Item[]): DecodedGroup<Item> {
  return { ...toResourceAndScope(emitter), items }
}

function toResourceAndScope({ service, version, environment }: Emitter): Omit<SpanGroup, 'spans'> {
  const rest = { droppedAttributesCount: 0, schemaUrl: '' }
  return {
    resource: {
      attributes: new Map([
        ['service.name', service],
        ['service.version', version],
        ['deployment.environment.name', environment],
        ['telemetry.sdk.language', 'nodejs'],
      ]),
      ...rest,
    },
    scope: { name: `${service}-agent`, version, attributes: noAttributes, ...rest },
  }
}
