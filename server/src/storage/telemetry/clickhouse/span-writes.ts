import type { Ingest, Recorded } from '../port/ingest.ts'
import { encodeSpansForClickHouse } from './encode-spans.ts'
import type { Engine } from './engine.ts'
import { recordOnce } from './idempotency.ts'
import type { Outcome, SpanBatch } from './span-recording.ts'
import { openWriteQueue } from './write-queue.ts'

/** The operations of the port that record spans. */
export function spanWrites({
  recording: spans,
  idempotencyRecords,
  clock,
  now,
  notify,
  write,
}: Engine): Pick<Ingest, 'encode' | 'record'> {
  const queue = openWriteQueue<SpanBatch, Outcome>((batches) => spans.record(batches, now()))
  return {
    encode: encodeSpansForClickHouse,
    record: (recording) =>
      write(async () => {
        const { projectId, organizationId = projectId, idempotency } = recording
        const record = () =>
          queue([organizationId, projectId], recording, recording.spans.sizeBytes)
        const recorded: Recorded =
          idempotency === undefined
            ? { ...(await record()), repeated: false, note: '' }
            : await recordOnce(idempotencyRecords, clock, projectId, idempotency, record)
        const { traces, repeated } = recorded
        if (!repeated) {
          notify(
            projectId,
            traces.map(({ traceId }) => traceId),
          )
        }
        return recorded
      }),
  }
}
