import { parentPort } from 'node:worker_threads'
import { serveIntake } from '../src/features/ingest-otlp/serve-intake.ts'

/*
 * A thread for the tests of the intake: its rows are the spans' names, and some names make it misbehave.
 */

if (parentPort === null) throw new Error('intake-thread.ts starts a thread, not a process.')
serveIntake(parentPort, (spans) => {
  const names = spans.map(({ name }) => name)
  if (names.includes('die')) process.exit(1)
  if (names.includes('throw')) throw new TypeError('a defect of the packer')
  const bytes = new TextEncoder().encode(names.join())
  return {
    traceIds: spans.map(({ traceId }) => traceId),
    spanCount: spans.length,
    sizeBytes: bytes.length,
    parts: [Uint8Array.from(bytes), new Uint8Array()],
  }
})
