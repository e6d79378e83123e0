import type { Intake } from '../../intake/intake.ts'
import type { Work } from '../../intake/messages.ts'
import type { Pack } from '../../storage/telemetry/store.ts'
import { type PackedBatch, packBatch } from './prepare-batch.ts'

export const packBatchWork: Work<Uint8Array<ArrayBuffer>, PackedBatch> = {
  name: 'pack a JSON batch',
}

/** Up to this size the thread's round trip costs more than the work, and the work holds nobody up. */
const smallBytes = 64 * 1024

/** The batch, ready to be recorded; a large body is taken to another thread and belongs to it from then on. */
export async function takeBatch(
  intake: Intake,
  bytes: Uint8Array<ArrayBuffer>,
  pack: Pack,
): Promise<PackedBatch> {
  if (bytes.byteLength <= smallBytes) return packBatch(bytes, pack)
  return intake.run(packBatchWork, bytes, { sizeBytes: bytes.byteLength, parts: [bytes] })
}
