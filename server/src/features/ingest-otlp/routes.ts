import { exportLogs, exportMetrics, exportTraces } from '@assay/contract/otlp.ts'
import type { Bind } from '../../http/call.ts'
import type { IngestWorkers } from '../../ingest-workers/ingest-workers.ts'
import type { ProjectPrices } from '../../models/project-prices.ts'
import type { TelemetryStore } from '../../storage/telemetry/store.ts'
import {
  encodeInWorker,
  packLogsWork,
  packMetricsWork,
  packRequestWork,
} from './encode-in-worker.ts'
import { encodeResponse } from './encode-response.ts'

export interface IngestOtlpPorts {
  readonly bind: Bind
  readonly telemetry: TelemetryStore
  readonly ingestWorkers: IngestWorkers
  readonly prices: ProjectPrices
}

export function registerIngestOtlp({
  bind,
  telemetry,
  ingestWorkers,
  prices,
}: IngestOtlpPorts): void {
  bind(exportTraces, async ({ body, caller: { projectId } }) => {
    // Read before the body goes to another thread, and what belongs to it with it.
    const { encoding } = body
    const priceRules = await prices.rulesOf(projectId)
    const { packed, ...outcome } = await encodeInWorker(
      ingestWorkers,
      packRequestWork,
      body,
      priceRules,
    )
    if (packed.spanCount > 0) await telemetry.record({ projectId, source: 'otlp', spans: packed })
    return { bytes: encodeResponse(encoding, outcome) }
  })

  bind(exportMetrics, async ({ body, caller: { projectId } }) => {
    const { encoding } = body
    const { metrics, ...outcome } = await encodeInWorker(ingestWorkers, packMetricsWork, body, '')
    if (metrics !== null) await telemetry.recordMetrics(projectId, metrics)
    return { bytes: encodeResponse(encoding, outcome, 'rejectedDataPoints') }
  })

  bind(exportLogs, async ({ body, caller: { projectId } }) => {
    const { encoding } = body
    const priceRules = await prices.rulesOf(projectId)
    const { logs, spans, ...outcome } = await encodeInWorker(
      ingestWorkers,
      packLogsWork,
      body,
      priceRules,
    )
    // Each may be stored without the other when the second fails: the sender is told to send both again, which
    // changes nothing of the first.
    if (logs !== null) await telemetry.recordLogs(projectId, logs)
    if (spans !== null) await telemetry.record({ projectId, source: 'otlp', spans })
    return { bytes: encodeResponse(encoding, outcome, 'rejectedLogRecords') }
  })
}
