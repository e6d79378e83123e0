import type { Instant } from '../../../domain/instant.ts'
import type { TraceChange } from '../port/change-feed.ts'
import type { EncodedSignals, Recorded, Recording } from '../port/ingest.ts'
import type { Change, ChangeResult } from './changes.ts'
import { openPendingBatches, type PendingBatches } from './pending-batches.ts'
import { fromStorageError, type StorageError } from './storage-errors.ts'
import { startThread } from './thread.ts'
import type { Batch, Outcome, Signal } from './writer.ts'
import type { FromWriter, ToWriter, WriterSettings } from './writer-thread.ts'

/*
 * The main thread's end of the writer. Sends batches to the thread, which decides on their order, without inspecting
 * them.
 */

export interface WriteQueue {
  record(recording: Recording, at: Instant): Promise<Recorded>
  recordSignals(
    projectId: string,
    signal: Signal,
    encoded: EncodedSignals,
    at: Instant,
  ): Promise<Recorded>
  change(change: Change, at: Instant): Promise<ChangeResult>
  /** Resolves when all batches have their outcome and the file is closed. */
  close(): Promise<void>
}

export interface WriteQueueEvents {
  /** Called once per group, with a change for each of its projects. */
  onRecorded(changes: readonly TraceChange[]): void
  onMaintenanceFailed(storageError: StorageError): void
  /** Called at the start when the search index is not up to date. */
  onSearchBehind(): void
  onFatal(error: Error): void
}

export async function openWriteQueue(
  settings: WriterSettings,
  events: WriteQueueEvents,
): Promise<WriteQueue> {
  const pendingBatches = openPendingBatches()
  const pendingChanges = openPendingChanges()
  let lastId = 0
  const thread = await startThread<ToWriter, FromWriter>(
    new URL('./writer-thread.ts', import.meta.url),
    settings,
    {
      onMessage(message) {
        if (message.type === 'maintenance-failed') events.onMaintenanceFailed(message.storageError)
        else if (message.type === 'search-behind') events.onSearchBehind()
        else if (message.type === 'changed') pendingChanges.settle(message.id, message.result)
        else events.onRecorded(settle(message.outcomes, pendingBatches))
      },
      onEnd(fault) {
        pendingBatches.rejectAll(fault)
        pendingChanges.rejectAll(fault)
      },
      onFatal: (error) => events.onFatal(error),
    },
  )
  const enqueue = async (batch: Batch, sizeBytes: number, at: Instant): Promise<Recorded> => {
    if (thread.fault !== undefined) throw thread.fault
    const { projectId, rows, bodies } = batch
    pendingBatches.reserve(projectId, sizeBytes)
    return await new Promise((resolve, reject) => {
      const id = ++lastId
      try {
        // Throws if the batch was sent before; then there is no outcome to wait for.
        thread.post({ id, batch, at }, [rows.buffer, bodies.buffer])
      } catch (error) {
        pendingBatches.release(projectId, sizeBytes)
        throw error
      }
      pendingBatches.add(id, { projectId, sizeBytes, resolve, reject })
    })
  }
  return {
    async record({ projectId, source, spans, labels = null, idempotency = null }, at) {
      const [rows, bodies] = spans.parts
      if (rows === undefined || bodies === undefined) {
        throw new TypeError('These spans are not encoded for SQLite.')
      }
      const { traceIds, sizeBytes } = spans
      const batch = { projectId, source, traceIds, rows, bodies, labels, idempotency }
      return await enqueue({ signal: 'spans', ...batch }, sizeBytes, at)
    },

    async recordSignals(projectId, signal, { sizeBytes, parts: [rows] }, at) {
      if (rows === undefined) throw new TypeError(`These ${signal} are not encoded for SQLite.`)
      const none = { traceIds: [], labels: null, idempotency: null, bodies: new Uint8Array() }
      return await enqueue({ signal, projectId, source: 'otlp', rows, ...none }, sizeBytes, at)
    },

    async change(change, at) {
      if (thread.fault !== undefined) throw thread.fault
      const id = ++lastId
      const changed = pendingChanges.wait(id)
      thread.post({ id, change, at })
      return await changed
    },

    async close() {
      await pendingBatches.drain()
      await pendingChanges.end()
      await thread.end()
    },
  }
}

/** Settles the batches of a group and returns the changes. */
function settle(
  outcomes: readonly (readonly [id: number, Outcome])[],
  pendingBatches: PendingBatches,
): TraceChange[] {
  const changes = new Map<string, Set<string>>()
  for (const [id, outcome] of outcomes) {
    const pending = pendingBatches.end(id)
    if (pending === undefined) continue
    if ('retryAfterSeconds' in outcome) {
      pending.reject(fromStorageError(outcome))
      continue
    }
    pending.resolve(outcome)
    if (outcome.repeated || outcome.traces.length === 0) continue
    const { projectId } = pending
    const traceIds = changes.get(projectId) ?? new Set()
    changes.set(projectId, traceIds)
    for (const { traceId } of outcome.traces) traceIds.add(traceId)
  }
  return [...changes].map(([projectId, traceIds]) => ({ projectId, traceIds: [...traceIds] }))
}

function openPendingChanges() {
  const pending = new Map<number, PromiseWithResolvers<ChangeResult>>()
  return {
    wait(id: number): Promise<ChangeResult> {
      const one = Promise.withResolvers<ChangeResult>()
      pending.set(id, one)
      return one.promise
    },
    settle(id: number, result: ChangeResult | StorageError): void {
      const one = pending.get(id)
      pending.delete(id)
      if ('traceIds' in result) one?.resolve(result)
      else one?.reject(fromStorageError(result))
    },
    rejectAll(error: Error): void {
      for (const { reject } of pending.values()) reject(error)
      pending.clear()
    },
    async end(): Promise<void> {
      await Promise.allSettled([...pending.values()].map(({ promise }) => promise))
    },
  }
}
