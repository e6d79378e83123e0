import type { Ingest, Recorded } from '../port/ingest.ts'
import { encodeSpansForClickHouse } from './encode-spans.ts'
import type { Engine } from './engine.ts'
import { openIdempotency } from './idempotency.ts'
import { openLargeWrites } from './large-writes.ts'
import { type Outcome, requesterOf, type SpanBatch } from './span-recording.ts'
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
  const recordLarge = openLargeWrites<SpanBatch, Outcome>((group) =>
    spans.recordLarge(
      group.map(({ batch }) => batch),
      now(),
    ),
  )
  const queue = openWriteQueue<SpanBatch, Outcome>(async (batches) => {
    const results = await spans.record(batches, now())
    return results.map((each) => ('storedSpans' in each ? recordLarge(each) : each))
  })
  const recordOnce = openIdempotency(idempotencyRecords, clock)
  return {
    encode: encodeSpansForClickHouse,
    record: (recording) =>
      write(async () => {
        const { projectId, idempotency } = recording
        const record = () => queue(requesterOf(recording), recording, recording.spans.sizeBytes)
        const recorded: Recorded =
          idempotency === undefined
            ? { ...(await record()), repeated: false, note: '' }
            : await recordOnce(projectId, idempotency, record)
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
