import { parentPort, workerData } from 'node:worker_threads'
import { packBatch } from './features/ingest-json/prepare-batch.ts'
import { packBatchWork } from './features/ingest-json/take-batch.ts'
import { packRequest } from './features/ingest-otlp/pack-request.ts'
import { packLogs, packMetrics } from './features/ingest-otlp/pack-signals.ts'
import {
  packLogsWork,
  packMetricsWork,
  packRequestWork,
} from './features/ingest-otlp/take-request.ts'
import { packSample, packSampleWork } from './features/sample-data/pack-sample.ts'
import { readMessages, readMessagesWork } from './features/traces/trajectory-messages.ts'
import { serveIntake, worker } from './intake/serve-intake.ts'
import { withPrices } from './models/priced-spans.ts'
import { packerFor, signalPackersFor } from './storage/telemetry/engines.ts'

/*
 * Where a thread of the intake starts: as main.ts for the process, it puts the parts together.
 */

if (parentPort === null) throw new Error('intake-worker.ts starts a thread, not a process.')
const { engine } = workerData as { readonly engine: Parameters<typeof packerFor>[0] }
const pack = packerFor(engine)
const signalPackers = signalPackersFor(engine)

serveIntake(parentPort, [
  worker({
    work: packRequestWork,
    run: ({ body, priceRules }) => packRequest(body, withPrices(pack, priceRules)),
    parts: ({ packed }) => packed.parts,
  }),
  worker({
    work: packMetricsWork,
    run: ({ body }) => packMetrics(body, signalPackers),
    parts: ({ metrics }) => metrics?.parts ?? [],
  }),
  worker({
    work: packLogsWork,
    run: ({ body, priceRules }) => packLogs(body, signalPackers, withPrices(pack, priceRules)),
    parts: ({ logs, spans }) => [...(logs?.parts ?? []), ...(spans?.parts ?? [])],
  }),
  worker({
    work: packBatchWork,
    run: ({ bytes, priceRules }) => packBatch(bytes, withPrices(pack, priceRules)),
    parts: ({ packed }) => packed.parts,
  }),
  worker({ work: readMessagesWork, run: readMessages, parts: () => [] }),
  worker({
    work: packSampleWork,
    run: (task) => packSample(task, withPrices(pack, task.priceRules), signalPackers),
    parts: ({ spans, logs, metrics }) =>
      [spans, logs, metrics].flatMap((packed) => packed?.parts ?? []),
  }),
])
