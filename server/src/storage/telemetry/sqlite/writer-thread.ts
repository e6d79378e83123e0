import { receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { Instant } from '../../../domain/instant.ts'
import { createFairQueue, type FairQueue, type TakenItem } from '../../../platform/fair-queue.ts'
import { filesOfDatabase, watchFiles } from '../../file-watch.ts'
import type { Change, ChangeResult } from './changes.ts'
import { openToWrite } from './database.ts'
import { openMaintenance } from './maintenance.ts'
import { initializeSearch } from './search/search-database.ts'
import { type StorageError, toStorageError } from './storage-errors.ts'
import { serveThread } from './thread.ts'
import { type Batch, type Outcome, openWriter } from './writer.ts'

/*
 * The writer thread. Batches that arrive during a commit form the next group. Projects share the time of the thread, so that
 * nobody waits for many or costly batches of another project.
 */

export interface WriterSettings {
  readonly file: string
  readonly searchFile: string
}

export type ToWriter = WriteRequest | ChangeRequest

export interface WriteRequest {
  readonly id: number
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

// A group ends here: larger groups delay their first batch and do not make commits cheaper.
const groupBatches = 1000
const groupBytes = 2 * 1024 * 1024
const groupMs = 60

/** After failed maintenance, for example on a full disk. */
const maintenanceRetryMs = 10_000

serveThread<ToWriter>((port) => {
  const { file, searchFile } = workerData as WriterSettings
  const send = (message: FromWriter) => port.postMessage(message)
  const db = openToWrite(file)
  const writer = openWriter(db)
  const maintenance = openMaintenance(db, writer)
  if (initializeSearch(searchFile, db)) send({ type: 'search-behind' })

  const waiting = createFairQueue<WriteRequest>()
  const changes: ChangeRequest[] = []
  const isIdle = () => waiting.size + changes.length === 0
  const receive = (message: ToWriter) => {
    if ('change' in message) changes.push(message)
    else waiting.add(message.batch.projectId, message)
  }
  const findChangedFile = watchFiles(filesOfDatabase(file))
  /** After each commit: what is in a file that was deleted or replaced must not be acknowledged. */
  const ifStored = <T>(result: T): T | StorageError =>
    findChangedFile() === undefined ? result : lostFile
  let nextMaintenanceAt = 0
  const runMaintenance = (isIdle: boolean, at: Instant) => {
    if (performance.now() < nextMaintenanceAt) return
    try {
      if (isIdle) maintenance.onIdle(at)
      else maintenance.onBusy()
    } catch (error) {
      nextMaintenanceAt = performance.now() + maintenanceRetryMs
      send({ type: 'maintenance-failed', storageError: toStorageError(error) })
    }
  }
  const makeChange = ({ id, change, at }: ChangeRequest) => {
    send({ type: 'changed', id, result: ifStored(writer.change(change, at)) })
    runMaintenance(isIdle(), at)
  }
  const storeGroup = (first: TakenItem<WriteRequest>) => {
    const group: TakenItem<WriteRequest>[] = []
    const { at } = first.item
    const written = writer.store(takeGroup(first, waiting, group), at)
    for (const [index, { charge }] of group.entries()) charge(written[index]!.costMs)
    const isLost = ifStored(undefined)
    const outcomes = group.map(
      ({ item }, index) => [item.id, isLost ?? written[index]!.outcome] as const,
    )
    send({ type: 'stored', outcomes })
    runMaintenance(isIdle(), at)
  }
  return {
    onMessage(message) {
      receive(message)
      do {
        // Closing is requested after all of them have their outcome.
        for (let next = receiveMessageOnPort(port); next !== undefined; ) {
          receive(next.message as ToWriter)
          next = receiveMessageOnPort(port)
        }
        const change = changes.shift()
        if (change !== undefined) makeChange(change)
        const first = waiting.take()
        if (first !== undefined) storeGroup(first)
      } while (!isIdle())
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

/** Takes the batches of a group one by one, each added to `group`, until a limit. */
function* takeGroup(
  first: TakenItem<WriteRequest>,
  waiting: FairQueue<WriteRequest>,
  group: TakenItem<WriteRequest>[],
): Generator<Batch, void> {
  let bytes = 0
  let takenMs = 0
  for (let next: typeof first | undefined = first; next !== undefined; ) {
    group.push(next)
    bytes += sizeOf(next.item)
    const takenAt = performance.now()
    yield next.item.batch
    takenMs += performance.now() - takenAt
    const isFull = group.length === groupBatches || bytes > groupBytes
    next = isFull ? undefined : waiting.take(groupMs - takenMs)
  }
}

function sizeOf({ batch }: WriteRequest): number {
  return batch.rows.length + batch.bodies.length
}
