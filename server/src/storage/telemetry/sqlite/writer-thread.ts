import { type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { Instant } from '../../../domain/instant.ts'
import type { Change, ChangeResult } from './changes.ts'
import { openToWrite } from './database.ts'
import { openMaintenance } from './maintenance.ts'
import { initializeSearch } from './search/search-database.ts'
import { type StorageError, toStorageError } from './storage-errors.ts'
import { serveThread } from './thread.ts'
import { type Batch, openWriter, type WrittenBatch } from './writer.ts'

/*
 * The writer thread. Batches that arrive during a commit wait in the port and form the next group.
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
  | { readonly type: 'stored'; readonly written: readonly (readonly [id: number, WrittenBatch])[] }
  | { readonly type: 'changed'; readonly id: number; readonly result: ChangeResult | StorageError }
  | { readonly type: 'maintenance-failed'; readonly storageError: StorageError }
  /** At the start, where the search index has not taken everything in. */
  | { readonly type: 'search-behind' }

// A group ends here, at about 30 ms of work: larger groups delay their first batch and do not make commits
// cheaper.
const groupBatches = 1000
const groupBytes = 2 * 1024 * 1024

/** After failed maintenance, for example on a full disk. */
const maintenanceRetryMs = 10_000

serveThread<ToWriter>((port) => {
  const { file, searchFile } = workerData as WriterSettings
  const send = (message: FromWriter) => port.postMessage(message)
  const db = openToWrite(file)
  const writer = openWriter(db)
  const maintenance = openMaintenance(db, writer)
  if (initializeSearch(searchFile, db)) send({ type: 'search-behind' })

  const store = (group: readonly WriteRequest[], at: Instant) => {
    const batches = group.map(({ batch }) => batch)
    const written = writer.store(batches, at)
    send({ type: 'stored', written: group.map(({ id }, index) => [id, written[index]!]) })
  }
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
  return {
    onMessage(first) {
      for (let next: ToWriter | undefined = first; next !== undefined; ) {
        const { at }: ToWriter = next
        if ('change' in next) {
          const { id, change }: ChangeRequest = next
          send({ type: 'changed', id, result: writer.change(change, at) })
          runMaintenance(true, at)
          return
        }
        const group = [next]
        next = fill(group, port)
        store(group, at)
        runMaintenance(next === undefined, at)
      }
    },
    close: () => db.close(),
  }
})

/** Adds waiting batches, up to a limit or a change; returns the message after them. */
function fill(group: WriteRequest[], port: MessagePort): ToWriter | undefined {
  let bytes = group.reduce((sum, each) => sum + sizeBytes(each), 0)
  for (;;) {
    // Closing is requested after all of them have their outcome.
    const next = receiveMessageOnPort(port)?.message as ToWriter | undefined
    if (next === undefined || 'change' in next) return next
    bytes += sizeBytes(next)
    if (group.length === groupBatches || bytes > groupBytes) return next
    group.push(next)
  }
}

function sizeBytes({ batch }: WriteRequest): number {
  return batch.rows.length + batch.bodies.length
}
