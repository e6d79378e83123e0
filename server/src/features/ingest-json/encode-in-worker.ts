import type { IngestWorkers } from '../../ingest-workers/ingest-workers.ts'
import type { Work } from '../../ingest-workers/messages.ts'
import { countNewModels, withPrices } from '../../models/priced-spans.ts'
import type { Requester } from '../../platform/requester.ts'
import type { Encode } from '../../storage/telemetry/port/ingest.ts'
import { type EncodedIngestBatch, encodeBatch } from './prepare-batch.ts'

interface BatchTask {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The project's price rules, in the form that `pricerFor` accepts. */
  readonly priceRules: string
}

export const encodeBatchTask: Work<BatchTask, EncodedIngestBatch> = {
  name: 'encode a JSON batch',
}

/** Up to this size the round trip to the thread costs more than the work, and the work delays no other request. */
const smallBytes = 64 * 1024

/** Each can take a millisecond of the event loop. */
const newModelsMax = 10

class TooManyModels extends Error {}

/** The batch encoded for the store; a body that takes long is transferred to another thread. */
export async function encodeBatchInWorker(
  ingestWorkers: IngestWorkers,
  task: BatchTask,
  requester: Requester,
  encode: Encode,
): Promise<EncodedIngestBatch> {
  const { bytes, priceRules } = task
  if (bytes.byteLength <= smallBytes) {
    try {
      return encodeBatch(bytes, encodeHere(encode, priceRules))
    } catch (error) {
      if (!(error instanceof TooManyModels)) throw error
    }
  }
  const load = { requester, sizeBytes: bytes.byteLength, parts: [bytes] }
  return ingestWorkers.run(encodeBatchTask, task, load)
}

function encodeHere(encode: Encode, priceRules: string): Encode {
  return (spans) => {
    if (countNewModels(spans, priceRules) > newModelsMax) throw new TooManyModels()
    return withPrices(encode, priceRules)(spans)
  }
}
