import { limits } from '@assay/contract/limits.ts'
import { gzipSize } from '../../http/body-encoding.ts'
import type { OtlpBody } from '../../http/call.ts'
import type { IngestWorkers } from '../../ingest-workers/ingest-workers.ts'
import type { Work } from '../../ingest-workers/messages.ts'
import type { Requester } from '../../platform/requester.ts'
import type { EncodedLogs, EncodedMetrics } from './encode-signals.ts'
import type { EncodedTraces } from './encode-traces.ts'

export interface OtlpTask {
  readonly body: OtlpBody
  /** The project's price rules, in the form that `pricerFor` accepts. */
  readonly priceRules: string
}

export const encodeTracesTask: Work<OtlpTask, EncodedTraces> = { name: 'encode OTLP traces' }
export const encodeMetricsTask: Work<OtlpTask, EncodedMetrics> = { name: 'encode OTLP metrics' }
export const encodeLogsTask: Work<OtlpTask, EncodedLogs> = { name: 'encode OTLP logs' }

/** The body encoded for the store by another thread, to which the body is transferred. */
export function encodeInWorker<Encoded>(
  ingestWorkers: IngestWorkers,
  work: Work<OtlpTask, Encoded>,
  task: OtlpTask,
  requester: Requester,
): Promise<Encoded> {
  const { body } = task
  const load = { requester, sizeBytes: inflatedBytes(body), parts: [body.bytes] }
  return ingestWorkers.run(work, task, load)
}

/**
 * An estimate: telemetry compresses at least about eight times, and no more than the limit is ever inflated. The size that
 * a gzip body ends with is a claim of its sender, so it can only raise the estimate.
 */
function inflatedBytes({ bytes, compression }: OtlpBody): number {
  if (compression === 'identity') return bytes.byteLength
  const claimed = compression === 'gzip' ? gzipSize(bytes) : 0
  return Math.min(Math.max(8 * bytes.byteLength, claimed), limits.otlpBodyBytes.value)
}
