import { parentPort, workerData } from 'node:worker_threads'
import { maskTextsTask } from './chat-content/mask-texts.ts'
import { scan, scanTextTask } from './chat-content/scan-text.ts'
import { scanTurnTask, scanTurnTexts } from './chat-content/scan-turn.ts'
import { maskBlocking } from './detection/mask-findings.ts'
import { encodeTurnTask, toTurnSpans } from './features/chat-stream/turn-spans.ts'
import { encodeBatchTask } from './features/ingest-json/encode-in-worker.ts'
import { encodeBatch } from './features/ingest-json/prepare-batch.ts'
import {
  encodeLogsTask,
  encodeMetricsTask,
  encodeTracesTask,
} from './features/ingest-otlp/encode-in-worker.ts'
import { encodeLogs, encodeMetrics } from './features/ingest-otlp/encode-signals.ts'
import { encodeTraces } from './features/ingest-otlp/encode-traces.ts'
import { encodeSample, encodeSampleTask } from './features/sample-data/encode-sample.ts'
import { readMessages, readMessagesTask } from './features/traces/trajectory-messages.ts'
import { checkLargeJson, checkLargeJsonTask } from './http/large-json.ts'
import { serveIngestWorker, worker } from './ingest-workers/serve-ingest-worker.ts'
import { withPrices } from './models/priced-spans.ts'
import { runBelowMainThread } from './platform/thread-priority.ts'
import { loadEncoders, type TelemetryEngine } from './storage/telemetry/engines.ts'

/*
 * The entry point of an ingest worker: it composes the parts of the thread, as main.ts does for the process.
 */

if (parentPort === null) throw new Error('ingest-worker.ts starts a thread, not a process.')
const { engine } = workerData as { readonly engine: TelemetryEngine }
const signalEncoders = await loadEncoders(engine)
const { encode } = signalEncoders

runBelowMainThread()
serveIngestWorker(parentPort, [
  worker({
    work: encodeTracesTask,
    run: ({ body, priceRules }) => encodeTraces(body, withPrices(encode, priceRules)),
    parts: ({ encoded }) => encoded.parts,
  }),
  worker({
    work: encodeMetricsTask,
    run: ({ body }) => encodeMetrics(body, signalEncoders),
    parts: ({ metrics }) => metrics?.parts ?? [],
  }),
  worker({
    work: encodeLogsTask,
    run: ({ body, priceRules }) => encodeLogs(body, signalEncoders, withPrices(encode, priceRules)),
    parts: ({ logs, spans }) => [...(logs?.parts ?? []), ...(spans?.parts ?? [])],
  }),
  worker({
    work: encodeBatchTask,
    run: ({ bytes, priceRules }) => encodeBatch(bytes, withPrices(encode, priceRules)),
    parts: ({ encoded }) => encoded.parts,
  }),
  worker({ work: checkLargeJsonTask, run: checkLargeJson, parts: () => [] }),
  worker({ work: scanTextTask, run: scan, parts: () => [] }),
  worker({ work: scanTurnTask, run: scanTurnTexts, parts: () => [] }),
  worker({ work: maskTextsTask, run: maskBlocking, parts: () => [] }),
  worker({
    work: encodeTurnTask,
    run: (facts) => encode(toTurnSpans(facts)),
    parts: ({ parts }) => parts,
  }),
  worker({ work: readMessagesTask, run: readMessages, parts: (json) => [json] }),
  worker({
    work: encodeSampleTask,
    run: (task) => encodeSample(task, withPrices(encode, task.priceRules), signalEncoders),
    parts: ({ spans, logs, metrics }) =>
      [spans, logs, metrics].flatMap((encoded) => encoded?.parts ?? []),
  }),
])
