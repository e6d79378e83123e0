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
import { serveIntake, worker } from './intake/serve-intake.ts'
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
    run: (body) => packRequest(body, pack),
    parts: ({ packed }) => packed.parts,
  }),
  worker({
    work: packMetricsWork,
    run: (body) => packMetrics(body, signalPackers),
    parts: ({ metrics }) => metrics?.parts ?? [],
  }),
  worker({
    work: packLogsWork,
    run: (body) => packLogs(body, signalPackers, pack),
    parts: ({ logs, spans }) => [...(logs?.parts ?? []), ...(spans?.parts ?? [])],
  }),
  worker({
    work: packBatchWork,
    run: (bytes) => packBatch(bytes, pack),
    parts: ({ packed }) => packed.parts,
  }),
])
