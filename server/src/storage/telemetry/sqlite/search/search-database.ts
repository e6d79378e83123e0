import { closeSync, openSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { busyTimeoutMs, prepareRows } from '../database.ts'
import {
  emptySearch,
  lastSequenceNumbers,
  readPosition,
  searchSchema,
} from '../statements/search.ts'
import { isCorruption } from '../storage-errors.ts'
import type { Position } from './index-backlog.ts'

/*
 * The file of the search index. It holds nothing that the telemetry file does not: one of another form, or a
 * broken one, is made anew.
 */

/** Counts up whenever the tables or the way texts are cut into words change. */
const schemaVersion = 2
const cacheKib = 16 * 1024
// One page of words each.
const pageBytes = 8 * 1024
const walSizeLimitBytes = 64 * 1024 * 1024

export function openSearch(file: string): DatabaseSync {
  return tryOpen(file) ?? recreateSearch(file)
}

/** In place of whatever is there. Who has the old file open keeps it until they open the new one. */
export function recreateSearch(file: string): DatabaseSync {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
  const fresh = tryOpen(file)
  if (fresh === undefined) throw new Error(`The search index ${file} cannot be made.`)
  return fresh
}

/** Makes the file where it is not there or of no use; tells whether it lacks anything of the telemetry file. */
export function initializeSearch(file: string, telemetry: DatabaseSync): boolean {
  const search = openSearch(file)
  try {
    const position = positionOf(telemetry, search)
    const last = lastPosition(telemetry)
    return position[0] < last[0] || position[1] < last[1]
  } finally {
    search.close()
  }
}

/** How far the index has come. One that is ahead of the telemetry file belongs to another: it is emptied. */
export function positionOf(telemetry: DatabaseSync, search: DatabaseSync): Position {
  const position = prepareRows(search, readPosition).get() as unknown as Position
  const last = lastPosition(telemetry)
  if (position[0] <= last[0] && position[1] <= last[1]) return position
  search.exec(emptySearch)
  return [0, 0]
}

/** The position of an index that has everything. */
export function lastPosition(telemetry: DatabaseSync): Position {
  return prepareRows(telemetry, lastSequenceNumbers).get() as unknown as Position
}

/** Whether all of the file can be read. Goes through the whole of it. */
export function isIntact(search: DatabaseSync): boolean {
  try {
    return search.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] === 'ok'
  } catch (error) {
    if (isCorruption(error)) return false
    throw error
  }
}

/** Undefined where the file is of another form or is no database. */
function tryOpen(file: string): DatabaseSync | undefined {
  closeSync(openSync(file, 'a', 0o600))
  const db = new DatabaseSync(file, { timeout: busyTimeoutMs })
  try {
    // After the machine has died the index may have lost its last moments; it then goes on from before them.
    db.exec(`
      PRAGMA page_size = ${pageBytes};
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      PRAGMA journal_size_limit = ${walSizeLimitBytes};
      PRAGMA cache_size = -${cacheKib};
    `)
    const storedVersion = Number(db.prepare('PRAGMA user_version').get()?.['user_version'])
    if (storedVersion === schemaVersion && prepareRows(db, readPosition).get() !== undefined)
      return db
    if (storedVersion === 0 && db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined) {
      db.exec(`BEGIN; ${searchSchema} PRAGMA user_version = ${schemaVersion}; COMMIT;`)
      return db
    }
  } catch (error) {
    if (!isCorruption(error)) {
      db.close()
      throw error
    }
  }
  db.close()
  return undefined
}
