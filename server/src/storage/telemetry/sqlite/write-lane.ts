import type { Instant } from '../../../domain/instant.ts'
import { Unavailable } from '../../../platform/failure.ts'
import type { Recorded, RecordedChange, Recording } from '../store.ts'
import { errorOf, type Trouble } from './engine-errors.ts'
import { startThread } from './thread.ts'
import type { Outcome } from './writer.ts'
import type { FromWriter, ToWriter, WriterSettings } from './writer-thread.ts'

/*
 * The main thread's end of the writer. It passes batches on as they come, without looking into them.
 */

export interface WriteLane {
  record(recording: Recording, at: Instant): Promise<Recorded>
  /** Resolves when everything passed on has been answered and the file has been let go of. */
  close(): Promise<void>
}

export interface WriteLaneEvents {
  /** Told once a group: a change for each project in it. */
  onRecorded(changes: readonly RecordedChange[]): void
  onUpkeepFailed(trouble: Trouble): void
  onFatal(error: Error): void
}

interface Waiting {
  readonly projectId: string
  readonly sizeBytes: number
  readonly resolve: (recorded: Recorded) => void
  readonly reject: (error: Error) => void
}

/** Of batches that have been passed on and not been answered. */
const waitingBytesMax = 256 * 1024 * 1024

export async function openWriteLane(file: string, events: WriteLaneEvents): Promise<WriteLane> {
  const waiting = openWaiting()
  let lastId = 0
  const settings: WriterSettings = { file }
  const thread = await startThread<ToWriter, FromWriter>(
    new URL('./writer-thread.ts', import.meta.url),
    settings,
    {
      onMessage(message) {
        if (message.type === 'upkeep-failed') events.onUpkeepFailed(message.trouble)
        else events.onRecorded(settle(message.outcomes, waiting))
      },
      onEnd: (fault) => waiting.rejectAll(fault),
      onFatal: (error) => events.onFatal(error),
    },
  )
  return {
    async record({ projectId, source, spans, labels = null, receipt = null }, at) {
      if (thread.fault !== undefined) throw thread.fault
      // A batch larger than the whole budget may still go alone.
      if (waiting.bytes > 0 && waiting.bytes + spans.sizeBytes > waitingBytesMax) {
        throw new Unavailable('Too many spans are waiting to be stored.', 1)
      }
      const [rows, bodies] = spans.parts
      if (rows === undefined || bodies === undefined) {
        throw new TypeError('These spans were not packed for SQLite.')
      }
      const { traceIds, sizeBytes } = spans
      return await new Promise((resolve, reject) => {
        const id = ++lastId
        const batch = { projectId, source, traceIds, rows, bodies, labels, receipt }
        // Throws where the spans have been passed on before; then there is nothing to wait for.
        thread.post({ id, batch, at }, [rows.buffer, bodies.buffer])
        waiting.add(id, { projectId, sizeBytes, resolve, reject })
      })
    },

    async close() {
      await waiting.end()
      await thread.end()
    },
  }
}

/** Answers the batches of a group; gives back what has changed. */
function settle(
  outcomes: readonly (readonly [id: number, Outcome])[],
  waiting: WaitingBatches,
): RecordedChange[] {
  const changes = new Map<string, Set<string>>()
  for (const [id, outcome] of outcomes) {
    const batch = waiting.take(id)
    if (batch === undefined) continue
    if ('retryAfterSeconds' in outcome) {
      batch.reject(errorOf(outcome))
      continue
    }
    batch.resolve(outcome)
    if (outcome.repeated) continue
    const traceIds = changes.get(batch.projectId) ?? new Set()
    changes.set(batch.projectId, traceIds)
    for (const { traceId } of outcome.traces) traceIds.add(traceId)
  }
  return [...changes].map(([projectId, traceIds]) => ({ projectId, traceIds: [...traceIds] }))
}

interface WaitingBatches {
  readonly bytes: number
  add(id: number, batch: Waiting): void
  take(id: number): Waiting | undefined
  rejectAll(error: Error): void
  /** Resolves when none waits any more. */
  end(): Promise<void>
}

function openWaiting(): WaitingBatches {
  const batches = new Map<number, Waiting>()
  const ended = Promise.withResolvers<void>()
  let isEnding = false
  let bytes = 0

  const take = (id: number) => {
    const batch = batches.get(id)
    batches.delete(id)
    bytes -= batch?.sizeBytes ?? 0
    if (isEnding && batches.size === 0) ended.resolve()
    return batch
  }
  return {
    get bytes() {
      return bytes
    },
    add(id, batch) {
      bytes += batch.sizeBytes
      batches.set(id, batch)
    },
    take,
    rejectAll(error) {
      for (const id of batches.keys()) take(id)?.reject(error)
    },
    end() {
      isEnding = true
      if (batches.size === 0) ended.resolve()
      return ended.promise
    },
  }
}
