import { availableParallelism } from 'node:os'
import { limits } from '@assay/contract/limits.ts'
import { type MemberBudget, openMemberBudget } from '../../../platform/member-budget.ts'
import { type MemberQueue, openMemberQueue } from '../../../platform/member-queue.ts'
import type { Requester } from '../../../platform/requester.ts'
import { type ReadOptions, ReadTimeout } from '../port/read-options.ts'
import {
  type Execution,
  openReader,
  type Reader,
  type ReaderEvents,
  type StopSettings,
} from './reader.ts'
import type { ReaderSettings, ReadName, ReadRequest, ReadResult } from './reader-thread.ts'
import type { Reads } from './reads.ts'

/*
 * Distributes reads over reader threads. The first thread executes quick reads only, so opening a trace never
 * waits for a search. The others start with the first reads that need them. The scans of a person leave one of
 * them to their organization, and those of an organization one to the others.
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

/** One for quick reads, and for scans one each for a person, their organization and the others. */
const readersMin = 4
/** Each has its own cache. */
const readersMax = 8

interface WaitingRead {
  readonly requester: Requester
  readonly request: Omit<ReadRequest, 'id'>
  readonly outcome: PromiseWithResolvers<ReadResult>
  execution: Execution | undefined
  isEnded: boolean
}

type Queue = MemberQueue<WaitingRead>

/** A thread, and whether it executes a read. */
interface Slot {
  reader: Promise<Reader> | undefined
  isBusy: boolean
  /** For whom it executes a scan. */
  scannedFor: Requester | undefined
}

interface PoolSettings extends ReaderSettings, StopSettings {
  /** For reads without a deadline of their own. */
  readonly deadlineMs: number
}

export async function openReaderPool(
  { deadlineMs, ...settings }: PoolSettings,
  events: ReaderEvents,
  threads = Math.max(availableParallelism(), readersMin),
): Promise<ReaderPool> {
  const lookups: Queue = openMemberQueue()
  const scans: Queue = openMemberQueue()
  const budget = openReadBudget()
  const open = () => openReader(settings, events)
  const start = (slot: Slot) => startReader(slot, open, events)
  const first = newSlot(Promise.resolve(await open()))
  const scannerCount = Math.min(Math.max(threads, 2), readersMax) - 1
  const scanners = Array.from({ length: scannerCount }, () => newSlot(undefined))
  const mayScan = scanLimit(scanners)
  const drained = () => lookups.size + scans.size === 0 && [first, ...scanners].every(isIdle)
  let onDrained = () => {}

  const run = async (slot: Slot) => {
    slot.isBusy = true
    // Until it has started, reads are left to the others. After a failure the read that it takes tries again.
    await start(slot).catch(() => undefined)
    const takeNext = () => {
      slot.scannedFor = undefined
      const scan = slot === first ? undefined : scans.take(mayScan)
      slot.scannedFor = scan?.item.requester
      return scan ?? lookups.take()
    }
    for (let next = takeNext(); next !== undefined; next = takeNext()) {
      const startedAt = performance.now()
      await execute(next.item, slot, start)
      next.charge(performance.now() - startedAt)
    }
    slot.isBusy = false
    if (drained()) onDrained()
  }
  const dispatch = () => {
    const started = [first, ...scanners].filter(({ reader }) => reader !== undefined)
    const idle = [
      lookups.size > 0 ? started.find(isIdle) : undefined,
      scans.size > 0 ? findIdle(scanners) : undefined,
    ]
    for (const slot of new Set(idle)) if (slot !== undefined) void run(slot)
  }
  const add = async (queue: Queue, request: Omit<ReadRequest, 'id'>, options?: ReadOptions) => {
    const read = newRead(request, options)
    const release = budget.take(read.requester)
    const { promise } = read.outcome
    try {
      const unlimit = limit(read, queue, { deadlineMs, ...options })
      if (unlimit === undefined) return await promise
      queue.add(read.requester, read)
      dispatch()
      return await promise.finally(unlimit)
    } finally {
      release()
    }
  }
  return {
    lookup: (name, args, options) => add(lookups, { name, args }, options) as Read<typeof name>,
    scan: (name, args, options) => add(scans, { name, args }, options) as Read<typeof name>,
    onSearchRebuilt() {
      reopenSearch([first, ...scanners])
    },
    async close() {
      const { promise, resolve } = Promise.withResolvers<void>()
      onDrained = resolve
      if (drained()) resolve()
      await promise
      await closeReaders([first, ...scanners])
    },
  }
}

function openReadBudget(): MemberBudget {
  return openMemberBudget({
    total: limits.unfinishedReads.value,
    ofOrganization: limits.unfinishedReadsOfOrganization.value,
    ofUser: limits.unfinishedReadsOfUser.value,
    refusal: 'Too many queries are waiting. Try again shortly.',
  })
}

function newRead(request: WaitingRead['request'], options: ReadOptions = {}): WaitingRead {
  const [projectId] = request.args
  const { requester = [projectId, projectId] } = options
  const outcome = Promise.withResolvers<ReadResult>()
  return { requester, request, outcome, execution: undefined, isEnded: false }
}

function newSlot(reader: Slot['reader']): Slot {
  return { reader, isBusy: false, scannedFor: undefined }
}

/** Whether a person may have another scan executed: some threads stay free for others. */
function scanLimit(scanners: readonly Slot[]): (requester: Requester) => boolean {
  const count = (isFor: (requester: Requester) => boolean) =>
    scanners.filter(({ scannedFor }) => scannedFor !== undefined && isFor(scannedFor)).length
  return ([organizationId, userId]) =>
    count(([own]) => own === organizationId) < Math.max(1, scanners.length - 1) &&
    count(([, own]) => own === userId) < Math.max(1, scanners.length - 2)
}

function isIdle({ isBusy }: Slot): boolean {
  return !isBusy
}

/** One that has started, if possible. */
function findIdle(slots: readonly Slot[]): Slot | undefined {
  const idle = slots.filter(isIdle)
  return idle.find(({ reader }) => reader !== undefined) ?? idle[0]
}

/** Its reader. After a failure, the next call tries again. */
function startReader(
  slot: Slot,
  open: () => Promise<Reader>,
  { onOpenFailed }: ReaderEvents,
): Promise<Reader> {
  slot.reader ??= open().catch((error: unknown) => {
    slot.reader = undefined
    // A damaged index would prevent opening.
    onOpenFailed()
    throw error
  })
  return slot.reader
}

/** The next read starts another thread. */
async function replaceTerminated(slot: Slot): Promise<void> {
  const reader = await slot.reader?.catch(() => undefined)
  if (reader?.isTerminated === true) slot.reader = undefined
}

function reopenSearch(slots: readonly Slot[]): void {
  for (const { reader } of slots) {
    // One that is starting may have opened the old file.
    void reader?.then((started) => started.onSearchRebuilt()).catch(() => undefined)
  }
}

async function closeReaders(slots: readonly Slot[]): Promise<void> {
  for (const { reader } of slots) await (await reader?.catch(() => undefined))?.close()
}

async function execute(
  read: WaitingRead,
  slot: Slot,
  start: (slot: Slot) => Promise<Reader>,
): Promise<void> {
  const { request, outcome } = read
  try {
    const reader = await start(slot)
    if (read.isEnded) return
    read.execution = reader.execute(request)
    outcome.resolve(await read.execution.result)
  } catch (error) {
    outcome.reject(error)
  } finally {
    await replaceTerminated(slot)
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
    queue.remove(read.requester, read)
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
