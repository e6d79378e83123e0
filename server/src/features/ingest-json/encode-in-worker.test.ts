import { expect, test } from 'vitest'
import type { Span } from '../../domain/span.ts'
import type { IngestWorkers } from '../../ingest-workers/ingest-workers.ts'
import { loadEncoders } from '../../storage/telemetry/engines.ts'
import { encodeBatchInWorker } from './encode-in-worker.ts'

function batchOf(...models: readonly string[]): Uint8Array<ArrayBuffer> {
  const spans = models.map((model, n) => ({
    ...{ span_id: `${n}`, name: 'call', kind: 'llm', model },
    ...{ started_at: '2026-01-01T00:00:00Z', tokens_in: 1 },
  }))
  return new TextEncoder().encode(JSON.stringify({ trace_id: 't', spans }))
}

/** Where the batch is encoded. */
async function encodedBy(bytes: Uint8Array<ArrayBuffer>): Promise<readonly string[]> {
  const places: string[] = []
  const encoders = await loadEncoders('sqlite')
  const encode = (spans: readonly Span[]) => {
    places.push('event loop')
    return encoders.encode(spans)
  }
  const workers: IngestWorkers = {
    run: () => Promise.resolve(places.push('worker') as never),
    close: () => Promise.resolve(),
  }
  await encodeBatchInWorker(workers, { bytes, priceRules: '' }, ['o', 'p'], encode)
  return places
}

test('a small batch is encoded on the event loop, unless it is the first with many models', async () => {
  const names = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${prefix}-${n}`)
  const few = names('few', 10)
  expect(await encodedBy(batchOf(...few))).toEqual(['event loop'])
  expect(await encodedBy(batchOf(...names('many', 11)))).toEqual(['worker'])
  expect(await encodedBy(batchOf(...few, ...names('other', 10), ...few))).toEqual(['event loop'])
})
