import type { DataOf } from '@assay/contract/endpoint.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { limits } from '@assay/contract/limits.ts'
import type { CountRejections } from '../../domain/rejection.ts'
import type { SpanStatus } from '../../domain/span.ts'
import type { Bind } from '../../http/call.ts'
import { invalidField } from '../../http/check.ts'
import type { IngestWorkers } from '../../ingest-workers/ingest-workers.ts'
import type { ProjectPrices } from '../../models/project-prices.ts'
import { Failure } from '../../platform/failure.ts'
import type { Recorded } from '../../storage/telemetry/port/ingest.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import { encodeBatchInWorker } from './encode-in-worker.ts'

export interface IngestJsonPorts {
  readonly bind: Bind
  readonly telemetry: TelemetryStore
  readonly ingestWorkers: IngestWorkers
  readonly prices: ProjectPrices
  readonly countRejections: CountRejections
}

export function registerIngestJson({
  bind,
  telemetry,
  ingestWorkers,
  prices,
  countRejections,
}: IngestJsonPorts): void {
  bind.unparsed(
    ingestTrace,
    async ({ body, headers, caller: { organizationId, projectId }, readOptions }) => {
      const task = { bytes: body, priceRules: await prices.readRules(projectId) }
      const { encoded, labels, reportedStatus } = await encodeBatchInWorker(
        ingestWorkers,
        task,
        readOptions.requester,
        telemetry.encode,
      ).catch((error: unknown) => {
        if (error instanceof Failure)
          countRejections('traces', { invalid_batch: error.rejectedSpans })
        throw error
      })
      // Read before the batch is passed to the store.
      const { spanCount } = encoded
      const key = headers['idempotency-key']
      const recorded = await telemetry.record({
        projectId,
        organizationId,
        source: 'json',
        spans: encoded,
        labels,
        ...(key === undefined ? {} : { idempotency: { key, note: reportedStatus ?? '' } }),
      })
      if (recorded.refusedSpans > 0) {
        countRejections('traces', { trace_full: spanCount })
        throw traceFull()
      }
      return toResponse(projectId, recorded, reportedStatus)
    },
  )
}

function traceFull(): Failure {
  const most = limits.spansPerTrace.value.toLocaleString('en-US')
  return invalidField(ingestTrace, 'spans', `must not bring the trace above ${most} spans`)
}

/** A repeated key returns the response of the first batch, including the status that its sender set. */
function toResponse(
  projectId: string,
  { traces: [trace], repeated, note }: Recorded,
  reportedStatus: SpanStatus | null,
): DataOf<typeof ingestTrace> {
  if (trace === undefined) throw new Error('a batch with spans changed no trace')
  const reported = repeated ? (note as SpanStatus | '') : reportedStatus
  return {
    trace_id: trace.traceId,
    project_id: projectId,
    span_count: trace.spanCount,
    status: reported === null || reported === '' ? trace.status : reported,
  }
}
