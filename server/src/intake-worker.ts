import { parentPort, workerData } from 'node:worker_threads'
import { serveIntake } from './features/ingest-otlp/serve-intake.ts'
import { packerFor } from './storage/telemetry/engines.ts'

/*
 * Where a thread of the intake starts: as main.ts for the process, it puts the parts together.
 */

if (parentPort === null) throw new Error('intake-worker.ts starts a thread, not a process.')
const { engine } = workerData as { readonly engine: Parameters<typeof packerFor>[0] }
serveIntake(parentPort, packerFor(engine))
