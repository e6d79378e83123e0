import { exportLogs, exportMetrics, exportTraces } from '@assay/contract/otlp.ts'
import type { CountRejections } from '../../domain/rejection.ts'
import type { Bind } from '../../http/call.ts'
import type { IngestWorkers } from '../../ingest-workers/ingest-workers.ts'
import type { ProjectPrices } from '../../models/project-prices.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import {
  encodeInWorker,
  encodeLogsTask,
  encodeMetricsTask,
  encodeTracesTask,
} from './encode-in-worker.ts'
import { encodeResponse, withRefusedSpans } from './encode-response.ts'

export interface IngestOtlpPorts {
  readonly bind: Bind
  readonly telemetry: TelemetryStore
  readonly ingestWorkers: IngestWorkers
  readonly prices: ProjectPrices
  readonly countRejections: CountRejections
}

export function registerIngestOtlp({
  bind,
  telemetry,
  ingestWorkers,
  prices,
  countRejections,
}: IngestOtlpPorts): void {
  bind(exportTraces, async ({ body, caller, readOptions: { requester } }) => {
    const { organizationId, projectId } = caller
    // Read before the body is transferred to another thread.
    const { encoding } = body
    const priceRules = await prices.readRules(projectId)
    const task = { body, priceRules }
    const { encoded, ...outcome } = await encodeInWorker(
      ingestWorkers,
      encodeTracesTask,
      task,
      requester,
    )
    countRejections('traces', outcome.rejections)
    if (encoded.spanCount === 0) return { bytes: encodeResponse(encoding, outcome) }
    const { refusedSpans } = await telemetry.record({
      ...{ projectId, organizationId, source: 'otlp', spans: encoded },
    })
    countRejections('traces', { trace_full: refusedSpans })
    return { bytes: encodeResponse(encoding, withRefusedSpans(outcome, refusedSpans)) }
  })

  bind(exportMetrics, async ({ body, caller, readOptions: { requester } }) => {
    const { organizationId, projectId } = caller
    const { encoding } = body
    const task = { body, priceRules: '' }
    const { metrics, ...outcome } = await encodeInWorker(
      ingestWorkers,
      encodeMetricsTask,
      task,
      requester,
    )
    countRejections('metrics', outcome.rejections)
    if (metrics !== null) await telemetry.recordMetrics(projectId, metrics, organizationId)
    return { bytes: encodeResponse(encoding, outcome, 'rejectedDataPoints') }
  })

  bind(exportLogs, async ({ body, caller, readOptions: { requester } }) => {
    const { organizationId, projectId } = caller
    const { encoding } = body
    const priceRules = await prices.readRules(projectId)
    const task = { body, priceRules }
    const { logs, spans, ...outcome } = await encodeInWorker(
      ingestWorkers,
      encodeLogsTask,
      task,
      requester,
    )
    countRejections('logs', outcome.rejections)
    // If the second write fails, the first is already stored. The sender resends both, and the first is
    // stored once.
    if (logs !== null) await telemetry.recordLogs(projectId, logs, organizationId)
    const recorded =
      spans === null
        ? null
        : await telemetry.record({ projectId, organizationId, source: 'otlp', spans })
    const refusedSpans = recorded?.refusedSpans ?? 0
    countRejections('traces', { trace_full: refusedSpans })
    // The log records are stored, so none of them counts as rejected.
    const { errorMessage } = withRefusedSpans(outcome, refusedSpans)
    return { bytes: encodeResponse(encoding, { ...outcome, errorMessage }, 'rejectedLogRecords') }
  })
}
