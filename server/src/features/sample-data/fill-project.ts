import type { IngestWorkers } from '../../ingest-workers/ingest-workers.ts'
import type { ProjectPrices } from '../../models/project-prices.ts'
import type { Requester } from '../../platform/requester.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import { encodeSampleTask, type SamplePart, samplePartCount } from './encode-sample.ts'
import { traceCount } from './planned-runs.ts'

export interface FillPorts {
  readonly telemetry: Pick<TelemetryStore, 'record' | 'recordLogs' | 'recordMetrics'>
  readonly ingestWorkers: IngestWorkers
  readonly prices: ProjectPrices
}

export interface SampleCounts {
  readonly traceCount: number
  readonly spanCount: number
  readonly logCount: number
  readonly pointCount: number
}

/** An estimate of the size of a part, for the budget of the ingest workers. */
const partBytes = 8 * 1024 * 1024

/** Stores the sample data part by part, so that other ingestion is interleaved. */
export async function fillProject(
  projectId: string,
  requester: Requester,
  nowMs: number,
  { telemetry, ingestWorkers, prices }: FillPorts,
): Promise<SampleCounts> {
  const priceRules = await prices.readRules(projectId)
  let spanCount = 0
  let logCount = 0
  let pointCount = 0
  for (let part = 0; part < samplePartCount; part += 1) {
    const task = { nowMs, part, priceRules }
    const load = { requester, sizeBytes: partBytes, parts: [] }
    const encoded = await ingestWorkers.run(encodeSampleTask, task, load)
    spanCount += encoded.spans?.spanCount ?? 0
    logCount += encoded.logCount
    pointCount += encoded.pointCount
    await store(projectId, requester[0], encoded, telemetry)
  }
  return { traceCount, spanCount, logCount, pointCount }
}

async function store(
  projectId: string,
  organizationId: string,
  { spans, logs, metrics }: SamplePart,
  telemetry: FillPorts['telemetry'],
): Promise<void> {
  // First, so that spans are complete with the contents of their log records when they appear.
  if (logs !== null) await telemetry.recordLogs(projectId, logs, organizationId)
  if (spans !== null) {
    await telemetry.record({ projectId, organizationId, source: 'otlp', spans })
  }
  if (metrics !== null) await telemetry.recordMetrics(projectId, metrics, organizationId)
}
