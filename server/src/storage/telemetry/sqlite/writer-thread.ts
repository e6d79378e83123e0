import { type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { Instant } from '../../../domain/instant.ts'
import type { TakenItem } from '../../../platform/fair-queue.ts'
import { type MemberQueue, openMemberQueue } from '../../../platform/member-queue.ts'
import { filesOfDatabase, watchFiles } from '../../file-watch.ts'
import type { Steps } from '../steps.ts'
import type { Change, ChangeResult } from './changes.ts'
import { openHeartbeat } from './heartbeat.ts'
import { openMaintenance } from './maintenance.ts'
import { initializeSearch } from './search/search-database.ts'
import { type StorageError, toStorageError } from './storage-errors.ts'
import { takeGroup } from './take-group.ts'
import { openToWrite } from './telemetry-file.ts'
import { serveThread } from './thread.ts'
import { type Batch, type Outcome, openWriter, type Writer } from './writer.ts'

/*
 * The writer thread. Batches that arrive during a commit form the next group. Organizations share the time of the thread, and
 * projects that of their organization, so that nobody waits for many or costly batches of others.
 */

export interface WriterSettings {
  readonly file: string
  readonly searchFile: string
  /** Of the heartbeat of the thread. */
  readonly heartbeat: SharedArrayBuffer
}

export type ToWriter = WriteRequest | ChangeRequest

export interface WriteRequest {
  readonly id: number
  /** Of the project of the batch. */
  readonly organizationId: string
  readonly batch: Batch
  readonly at: Instant
}

export interface ChangeRequest {
  readonly id: number
  readonly change: Change
  readonly at: Instant
}

export type FromWriter =
  | { readonly type: 'stored'; readonly outcomes: readonly (readonly [id: number, Outcome])[] }
  | { readonly type: 'changed'; readonly id: number; readonly result: ChangeResult | StorageError }
  | { readonly type: 'maintenance-failed'; readonly storageError: StorageError }
  /** At the start, where the search index has not taken everything in. */
  | { readonly type: 'search-behind' }

/** What is done in steps lets others have their turn after this time. */
const stepsMs = 5

/** After failed maintenance, for example on a full disk. */
const maintenanceRetryMs = 10_000

const monotonicMs = () => performance.now()

serveThread<ToWriter>((port) => {
  const { file, searchFile, heartbeat: memory } = workerData as WriterSettings
  const heartbeat = openHeartbeat(memory)
  const send = (message: FromWriter) => port.postMessage(message)
  const db = openToWrite(file)
  const writer = openWriter(db)
  const maintenance = openMaintenance(db, writer)
  if (initializeSearch(searchFile, db)) send({ type: 'search-behind' })

  const waiting = openMemberQueue<Waiting>()
  const add = openAdding(waiting)
  const receive = () => receiveAll(port, add)
  const grouping = { waiting, findBatch: findGroupBatch, receive, monotonicMs }
  const findChangedFile = watchFiles(filesOfDatabase(file))
  /** After each commit: what is in a file that was deleted or replaced must not be acknowledged. */
  const ifStored = <T>(result: T): T | StorageError =>
    findChangedFile() === undefined ? result : lostFile
  let nextMaintenanceAt = 0
  const runMaintenance = (at: Instant) => {
    if (performance.now() < nextMaintenanceAt) return
    try {
      if (waiting.size === 0) maintenance.onIdle(at)
      else maintenance.onBusy()
    } catch (error) {
      nextMaintenanceAt = performance.now() + maintenanceRetryMs
      send({ type: 'maintenance-failed', storageError: toStorageError(error) })
    }
  }
  const doSteps = (taken: TakenItem<Waiting>) => {
    const done = continueSteps(taken, () => startSteps(taken.item.request, writer, ifStored))
    if (done !== undefined) send(done)
  }
  const storeGroup = (first: TakenItem<Waiting>) => {
    const group: TakenItem<Waiting>[] = []
    const written = writer.store(takeGroup(first, group, grouping), first.item.request.at)
    const outcomes: (readonly [id: number, Outcome])[] = []
    const lost = ifStored(undefined)
    // The last first, so that those that are put back keep their order.
    for (const [index, { outcome, costMs }] of [...written.entries()].reverse()) {
      const { item, charge, putBack } = group[index]!
      if (outcome === 'large') {
        item.isLarge = true
        putBack(costMs)
      } else {
        charge(costMs)
        outcomes.push([item.request.id, lost ?? outcome])
        freeParts(item.request)
      }
    }
    send({ type: 'stored', outcomes })
  }
  return {
    onMessage(message) {
      add(message)
      do {
        receive()
        const first = waiting.take()
        if (first === undefined) return
        heartbeat.begin()
        if (findGroupBatch(first.item) !== undefined) storeGroup(first)
        else doSteps(first)
        heartbeat.begin()
        runMaintenance(first.item.request.at)
        heartbeat.rest()
      } while (waiting.size > 0)
    },
    close: () => db.close(),
  }
})

const lostFile: StorageError = {
  message: 'The telemetry file is missing or was replaced.',
  stack: undefined,
  retryAfterSeconds: 10,
  isCorruption: false,
}

interface Waiting {
  readonly request: ToWriter
  /** A batch that takes too long for a group. */
  isLarge?: boolean
  /** What remains to be done, once it was begun. */
  steps?: Steps<FromWriter>
}

/** Closing is requested after all requests have their outcome. */
function receiveAll(port: MessagePort, add: (request: ToWriter) => void): void {
  for (let next = receiveMessageOnPort(port); next !== undefined; ) {
    add(next.message as ToWriter)
    next = receiveMessageOnPort(port)
  }
}

/** Those of a project are handled one after the other: no other write comes between the steps of one. */
function openAdding(waiting: MemberQueue<Waiting>): (request: ToWriter) => void {
  // Changes come without the organization of their project, which batches have.
  const organizations = new Map<string, string>()
  return (request) => {
    const projectId = projectOf(request)
    const known = organizations.get(projectId) ?? projectId
    const isNew = 'batch' in request && request.organizationId !== known
    // While anything of the project waits, the next one has to wait behind it.
    if (isNew && !waiting.hasFor(([, waitingId]) => waitingId === projectId)) {
      organizations.set(projectId, request.organizationId)
    }
    waiting.add([organizations.get(projectId) ?? projectId, projectId], { request })
  }
}

/** The project whose traces it changes; empty for what the store does for itself. */
function projectOf(request: ToWriter): string {
  if ('batch' in request) return request.batch.projectId
  const { change } = request
  if (change.type === 'adopt') return change.fromProjectId
  return 'projectId' in change ? change.projectId : ''
}

/** The batch, if it can be stored in a group. */
function findGroupBatch({ request, isLarge }: Waiting): Batch | undefined {
  return 'batch' in request && isLarge !== true ? request.batch : undefined
}

function* startSteps(
  request: ToWriter,
  writer: Writer,
  ifStored: <T>(result: T) => T | StorageError,
): Steps<FromWriter> {
  const { id, at } = request
  if ('batch' in request) {
    const outcome = ifStored(yield* writer.storeInSteps(request.batch, at))
    freeParts(request)
    return { type: 'stored', outcomes: [[id, outcome]] }
  }
  return { type: 'changed', id, result: ifStored(yield* writer.change(request.change, at)) }
}

/** Frees the memory of a batch now, not when it is collected. */
function freeParts(request: ToWriter): void {
  if (!('batch' in request)) return
  for (const { buffer } of request.batch.parts) buffer.transfer(0)
}

/** The result, or undefined when the item is put back because steps remain. */
function continueSteps(
  { item, charge, putBack }: TakenItem<Waiting>,
  start: () => Steps<FromWriter>,
): FromWriter | undefined {
  item.steps ??= start()
  const startedAt = performance.now()
  for (;;) {
    const { done, value } = item.steps.next()
    const elapsedMs = performance.now() - startedAt
    if (done === true) {
      charge(elapsedMs)
      return value
    }
    if (elapsedMs < stepsMs && value !== 'waiting') continue
    // Also charged when it only waits for others, so that these have their turn.
    putBack(Math.max(elapsedMs, 1))
    return undefined
  }
}
