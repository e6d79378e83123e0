import { parentPort } from 'node:worker_threads'
import type { Span } from '../src/domain/span.ts'
import { encodeTracesTask } from '../src/features/ingest-otlp/encode-in-worker.ts'
import { encodeTraces } from '../src/features/ingest-otlp/encode-traces.ts'
import { serveIngestWorker, worker } from '../src/ingest-workers/serve-ingest-worker.ts'
import type { EncodedBatch } from '../src/storage/telemetry/port/ingest.ts'

/*
 * A worker for tests: its rows are the span names, and some names make it fail.
 */

if (parentPort === null) throw new Error('ingest-worker-thread.ts must run in a worker thread.')
serveIngestWorker(parentPort, [
  worker({
    work: encodeTracesTask,
    run: ({ body }) => encodeTraces(body, encodeNames),
    parts: ({ encoded }) => encoded.parts,
  }),
])

function encodeNames(spans: readonly Span[]): EncodedBatch {
  const names = spans.map(({ name }) => name)
  if (names.includes('die')) process.exit(1)
  while (names.includes('hang'));
  if (names.includes('throw')) throw new TypeError('a defect of the work')
  const bytes = new TextEncoder().encode(names.join())
  return {
    traceIds: spans.map(({ traceId }) => traceId),
    spanCount: spans.length,
    sizeBytes: bytes.length,
    parts: [Uint8Array.from(bytes), new Uint8Array()],
  }
}
