import type { Instant } from '../../../domain/instant.ts'
import { Unavailable } from '../../../platform/failure.ts'
import type { Requester } from '../../../platform/requester.ts'
import { scaleToMemory } from '../../../platform/scale-to-memory.ts'
import type { TraceChange } from '../port/change-feed.ts'
import type { EncodedSignals, Recorded, Recording } from '../port/ingest.ts'
import type { Change, ChangeResult } from './changes.ts'
import { heartbeatBytes, watchHeartbeat } from './heartbeat.ts'
import { openPendingBatches, type PendingBatches } from './pending-batches.ts'
import { fromStorageError, type StorageError } from './storage-errors.ts'
import { startThread, type Thread, type ThreadEvents } from './thread.ts'
import type { Batch, Outcome, Signal } from './writer.ts'
import type { FromWriter, ToWriter, WriterSettings } from './writer-thread.ts'

/*
 * The main thread's end of the writer. Sends batches to the thread, which decides on their order, without inspecting
 * them.
 */

export interface WriteQueue {
  record(recording: Recording, at: Instant): Promise<Recorded>
  recordSignals(
    requester: Requester,
    signal: Signal,
    encoded: EncodedSignals,
    at: Instant,
  ): Promise<Recorded>
  change(change: Change, at: Instant): Promise<ChangeResult>
  /** Whether no call of the thread to the operating system or SQLite hangs. */
  isResponding(): boolean
  /** Resolves when all batches have their outcome and the file is closed. */
  close(): Promise<void>
}

export interface WriteQueueSettings extends Omit<WriterSettings, 'heartbeat'> {
  /** An operation of the thread that takes longer hangs: until it ends, everything new is refused. */
  readonly hangingAfterMs?: number | undefined
}

export interface WriteQueueEvents {
  /** Called once per group, with a change for each of its projects. */
  onRecorded(changes: readonly TraceChange[]): void
  /** The telemetry file is damaged. */
  onCorruption(): void
  onMaintenanceFailed(storageError: StorageError): void
  /** Noticed when something is to be written, or at `isResponding`. */
  onRespondingChanged(isResponding: boolean): void
  /** Called at the start when the search index is not up to date. */
  onSearchBehind(): void
  onFatal(error: Error): void
}

/** Several times what the thread needs. Without a limit, garbage may take gigabytes before it is collected. */
const maxOldGenerationSizeMb = Math.max(scaleToMemory(512), 256)

/** More than the longest step and checkpoint take on a slow disk. */
const defaultHangingAfterMs = 3000

export async function openWriteQueue(
  { hangingAfterMs = defaultHangingAfterMs, ...files }: WriteQueueSettings,
  events: WriteQueueEvents,
): Promise<WriteQueue> {
  const memory = new SharedArrayBuffer(heartbeatBytes)
  const pendingBatches = openPendingBatches()
  const pendingChanges = openPendingChanges()
  let lastId = 0
  const thread = await startThread<ToWriter, FromWriter>(
    new URL('./writer-thread.ts', import.meta.url),
    { ...files, heartbeat: memory } satisfies WriterSettings,
    toThreadEvents(pendingBatches, pendingChanges, events),
    { maxOldGenerationSizeMb },
  )
  const isResponding = watchHeartbeat(memory, hangingAfterMs, events.onRespondingChanged)
  const check = () => {
    if (thread.fault !== undefined) throw thread.fault
    if (!isResponding()) throw new Unavailable('The telemetry store does not respond.', 5)
  }
  const enqueue = openSender(thread, pendingBatches, check, () => ++lastId)
  return {
    async record(recording, at) {
      const { projectId, source, spans, labels = null, idempotency = null } = recording
      const { parts, sizeBytes } = spans
      if (parts.length === 0 || parts.length % 2 === 1) {
        throw new TypeError('These spans are not encoded for SQLite.')
      }
      const batch = { signal: 'spans', projectId, source, labels, idempotency } as const
      // A JSON batch is refused, and has its idempotency record, as a whole.
      const partsPerBatch = source === 'otlp' && idempotency === null ? 2 : parts.length
      const batches = chunk(parts, partsPerBatch).map((some) => ({ ...batch, parts: some }))
      return await enqueue(requesterOf(recording), batches, sizeBytes, at)
    },

    async recordSignals(requester, signal, { sizeBytes, parts }, at) {
      const [, projectId] = requester
      if (parts.length === 0) throw new TypeError(`These ${signal} are not encoded for SQLite.`)
      const batch = { signal, projectId, source: 'otlp', labels: null, idempotency: null } as const
      const batches = chunk(parts, 1).map((some) => ({ ...batch, parts: some }))
      return await enqueue(requester, batches, sizeBytes, at)
    },

    async change(change, at) {
      check()
      const id = ++lastId
      const changed = pendingChanges.wait(id)
      thread.post({ id, change, at })
      return await changed
    },

    isResponding,

    async close() {
      await pendingBatches.drain()
      await pendingChanges.end()
      await thread.end()
    },
  }
}

function toThreadEvents(
  pendingBatches: PendingBatches,
  pendingChanges: ReturnType<typeof openPendingChanges>,
  events: WriteQueueEvents,
): ThreadEvents<FromWriter> {
  return {
    onMessage(message) {
      if (listErrors(message).some(({ isCorruption }) => isCorruption)) events.onCorruption()
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
  }
}

/** Whose share and turn a recording takes. */
export function requesterOf({
  organizationId,
  projectId,
}: Pick<Recording, 'organizationId' | 'projectId'>): Requester {
  return [organizationId ?? projectId, projectId]
}

type Send = (
  requester: Requester,
  batches: readonly Batch[],
  sizeBytes: number,
  at: Instant,
) => Promise<Recorded>

/** The batches that are sent together are parts of one. */
function openSender(
  thread: Thread<ToWriter>,
  pendingBatches: PendingBatches,
  check: () => void,
  nextId: () => number,
): Send {
  const post = (organizationId: string, batch: Batch, at: Instant): Promise<Recorded> => {
    const id = nextId()
    // Throws if the batch was sent before; then there is no outcome to wait for.
    thread.post(
      { id, organizationId, batch, at },
      batch.parts.map(({ buffer }) => buffer),
    )
    const { promise, resolve, reject } = Promise.withResolvers<Recorded>()
    pendingBatches.add(id, { projectId: batch.projectId, resolve, reject })
    return promise
  }
  return async (requester, batches, sizeBytes, at) => {
    check()
    const release = pendingBatches.reserve(requester, sizeBytes)
    const recorded: Promise<Recorded>[] = []
    try {
      for (const batch of batches) recorded.push(post(requester[0], batch, at))
      return mergeRecorded(await Promise.all(recorded))
    } finally {
      // Also when one part failed, the others take memory until they have their outcome.
      void Promise.allSettled(recorded).then(release)
    }
  }
}

function chunk<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, n) => items.slice(n * size, (n + 1) * size))
}

/** A trace is as after the last part that changed it. */
function mergeRecorded(recorded: readonly Recorded[]): Recorded {
  const [first] = recorded
  if (first === undefined) throw new Error('A batch has at least one part.')
  if (recorded.length === 1) return first
  const all = recorded.flatMap(({ traces }) => traces)
  const traces = [...new Map(all.map((trace) => [trace.traceId, trace])).values()]
  const refusedSpans = recorded.reduce((sum, each) => sum + each.refusedSpans, 0)
  return { ...first, traces, refusedSpans }
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

function listErrors(message: FromWriter): readonly StorageError[] {
  if (message.type === 'maintenance-failed') return [message.storageError]
  if (message.type === 'search-behind') return []
  const results =
    message.type === 'changed' ? [message.result] : message.outcomes.map(([, outcome]) => outcome)
  return results.filter((result) => 'isCorruption' in result)
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
