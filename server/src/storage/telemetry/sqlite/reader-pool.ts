import { availableParallelism } from 'node:os'
import { createFairQueue, type FairQueue, type TakenItem } from '../../../platform/fair-queue.ts'
import { type ReadOptions, ReadTimeout } from '../port/read-options.ts'
import { type Execution, openReader, type Reader, type ReaderEvents } from './reader.ts'
import type { ReaderSettings, ReadName, ReadRequest, ReadResult } from './reader-thread.ts'
import type { Reads } from './reads.ts'

/*
 * Distributes reads over reader threads. The first thread executes quick reads only, so opening a trace never
 * waits for a search. The others start with the first reads that need them.
 */

export interface ReaderPool {
  /** For reads that are quick. */
  lookup<Name extends ReadName>(
    name: Name,
    args: Parameters<Reads[Name]>,
    options?: ReadOptions,
  ): Read<Name>
  /** For reads that may examine many rows. */
  scan<Name extends ReadName>(
    name: Name,
    args: Parameters<Reads[Name]>,
    options?: ReadOptions,
  ): Read<Name>
  /** Later reads use the new file. */
  onSearchRebuilt(): void
  /** Resolves when all reads have ended and the file is closed. */
  close(): Promise<void>
}

type Read<Name extends ReadName> = Promise<ReturnType<Reads[Name]>>

/** Each has its own cache. */
const readersMax = 8

interface WaitingRead {
  readonly projectId: string
  readonly request: Omit<ReadRequest, 'id'>
  readonly outcome: PromiseWithResolvers<ReadResult>
  execution: Execution | undefined
  isEnded: boolean
}

type Queue = FairQueue<WaitingRead>

/** A thread, and whether it executes a read. */
interface Slot {
  readonly queues: readonly Queue[]
  reader: Promise<Reader> | undefined
  isBusy: boolean
}

interface PoolSettings extends ReaderSettings {
  /** For reads without a deadline of their own. */
  readonly deadlineMs: number
}

export async function openReaderPool(
  { deadlineMs, ...settings }: PoolSettings,
  events: ReaderEvents,
  threads = availableParallelism(),
): Promise<ReaderPool> {
  const lookups: Queue = createFairQueue()
  const scans: Queue = createFairQueue()
  const open = () => openReader(settings, events)
  const first: Slot = { queues: [lookups], reader: Promise.resolve(await open()), isBusy: false }
  const scanners = Array.from(
    { length: Math.min(Math.max(threads, 2), readersMax) - 1 },
    (): Slot => ({ queues: [scans, lookups], reader: undefined, isBusy: false }),
  )
  const drained = () => lookups.size + scans.size === 0 && [first, ...scanners].every(isIdle)
  let onDrained = () => {}

  const run = async (slot: Slot) => {
    slot.isBusy = true
    for (let next = takeFrom(slot); next !== undefined; next = takeFrom(slot)) {
      const startedAt = performance.now()
      await execute(slot, next.item, open, events)
      next.charge(performance.now() - startedAt)
    }
    slot.isBusy = false
    if (drained()) onDrained()
  }
  const dispatch = () => {
    if (lookups.size > 0) {
      const idle = [first, ...scanners].find((slot) => isIdle(slot) && slot.reader !== undefined)
      if (idle !== undefined) void run(idle)
    }
    if (scans.size > 0) {
      const idle = scanners.filter(isIdle)
      const slot = idle.find(({ reader }) => reader !== undefined) ?? idle[0]
      if (slot !== undefined) void run(slot)
    }
  }
  const add = (queue: Queue, request: Omit<ReadRequest, 'id'>, options?: ReadOptions) => {
    const [projectId] = request.args
    const outcome = Promise.withResolvers<ReadResult>()
    const read: WaitingRead = { projectId, request, outcome, execution: undefined, isEnded: false }
    const end = limit(read, queue, { deadlineMs, ...options })
    if (end === undefined) return outcome.promise
    queue.add(projectId, read)
    dispatch()
    return outcome.promise.finally(end)
  }
  return {
    lookup: (name, args, options) => add(lookups, { name, args }, options) as Read<typeof name>,
    scan: (name, args, options) => add(scans, { name, args }, options) as Read<typeof name>,
    onSearchRebuilt() {
      for (const { reader } of [first, ...scanners]) {
        // One that is starting may have opened the old file.
        void reader?.then((started) => started.onSearchRebuilt()).catch(() => undefined)
      }
    },
    async close() {
      const { promise, resolve } = Promise.withResolvers<void>()
      onDrained = resolve
      if (drained()) resolve()
      await promise
      for (const { reader } of [first, ...scanners]) {
        await (await reader?.catch(() => undefined))?.close()
      }
    },
  }
}

function isIdle({ isBusy }: Slot): boolean {
  return !isBusy
}

function takeFrom({ queues }: Slot): TakenItem<WaitingRead> | undefined {
  return queues.find(({ size }) => size > 0)?.take()
}

async function execute(
  slot: Slot,
  read: WaitingRead,
  open: () => Promise<Reader>,
  { onCorruption }: ReaderEvents,
): Promise<void> {
  const { request, outcome } = read
  try {
    slot.reader ??= open()
    const reader = await slot.reader.catch((error: unknown) => {
      // The next read tries again. A damaged index would prevent opening.
      slot.reader = undefined
      onCorruption()
      throw error
    })
    if (read.isEnded) return
    read.execution = reader.execute(request)
    outcome.resolve(await read.execution.result)
  } catch (error) {
    outcome.reject(error)
  }
}

/** Ends the read when its signal aborts or its deadline passes. Undefined if it has ended already. */
function limit(
  read: WaitingRead,
  queue: Queue,
  { signal, deadlineMs }: ReadOptions & Pick<PoolSettings, 'deadlineMs'>,
): (() => void) | undefined {
  const { reject } = read.outcome
  const stop = (reason: unknown) => {
    reject(reason)
    read.isEnded = true
    queue.remove(read.projectId, read)
    read.execution?.stop()
  }
  const onAbort = () => stop(signal?.reason)
  if (signal?.aborted === true || deadlineMs <= 0) {
    reject(signal?.aborted === true ? signal.reason : new ReadTimeout())
    return undefined
  }
  const timer = setTimeout(() => stop(new ReadTimeout()), deadlineMs)
  signal?.addEventListener('abort', onAbort)
  return () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}
