import { parentPort, workerData } from 'node:worker_threads'
import { packBatchWork } from './features/ingest-json/encode-in-worker.ts'
import { packBatch } from './features/ingest-json/prepare-batch.ts'
import {
  packLogsWork,
  packMetricsWork,
  packRequestWork,
} from './features/ingest-otlp/encode-in-worker.ts'
import { packRequest } from './features/ingest-otlp/pack-request.ts'
import { encodeLogs, encodeMetrics } from './features/ingest-otlp/pack-signals.ts'
import { packSample, packSampleWork } from './features/sample-data/pack-sample.ts'
import { readMessages, readMessagesWork } from './features/traces/trajectory-messages.ts'
import { serveIngestWorker, worker } from './ingest-workers/serve-ingest-worker.ts'
import { withPrices } from './models/priced-spans.ts'
import { encoderFor, signalEncodersFor } from './storage/telemetry/engines.ts'

/*
 * Where a thread of the intake starts: as main.ts for the process, it puts the parts together.
 */

if (parentPort === null) throw new Error('intake-worker.ts starts a thread, not a process.')
const { engine } = workerData as { readonly engine: Parameters<typeof encoderFor>[0] }
const encode = encoderFor(engine)
const signalEncoders = signalEncodersFor(engine)

serveIngestWorker(parentPort, [
  worker({
    work: packRequestWork,
    run: ({ body, priceRules }) => packRequest(body, withPrices(encode, priceRules)),
    parts: ({ packed }) => packed.parts,
  }),
  worker({
    work: packMetricsWork,
    run: ({ body }) => encodeMetrics(body, signalEncoders),
    parts: ({ metrics }) => metrics?.parts ?? [],
  }),
  worker({
    work: packLogsWork,
    run: ({ body, priceRules }) => encodeLogs(body, signalEncoders, withPrices(encode, priceRules)),
    parts: ({ logs, spans }) => [...(logs?.parts ?? []), ...(spans?.parts ?? [])],
  }),
  worker({
    work: packBatchWork,
    run: ({ bytes, priceRules }) => packBatch(bytes, withPrices(encode, priceRules)),
    parts: ({ packed }) => packed.parts,
  }),
  worker({ work: readMessagesWork, run: readMessages, parts: () => [] }),
  worker({
    work: packSampleWork,
    run: (task) => packSample(task, withPrices(encode, task.priceRules), signalEncoders),
    parts: ({ spans, logs, metrics }) =>
      [spans, logs, metrics].flatMap((packed) => packed?.parts ?? []),
  }),
])
