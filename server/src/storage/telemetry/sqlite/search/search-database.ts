import { closeSync, openSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { scaleToMemory } from '../../../../platform/scale-to-memory.ts'
import { readInstallationId, writeInstallationId } from '../../../data-file.ts'
import { explainingErrors } from '../../../file-errors.ts'
import { isCorruption } from '../../../sqlite-errors.ts'
import { busyTimeoutMs, prepareRows } from '../database.ts'
import {
  emptySearch,
  lastSequenceNumbers,
  readPosition,
  searchSchema,
} from '../statements/search.ts'
import type { Position } from './index-backlog.ts'

/*
 * The file of the search index. All of its data comes from the telemetry file: a file with another schema
 * or a damaged one is rebuilt.
 */

/** Incremented when the tables or the tokenizer change. */
const schemaVersion = 3
const cacheKib = scaleToMemory(16 * 1024)
// One page of words per page of the file.
const pageBytes = 8 * 1024
const walSizeLimitBytes = 64 * 1024 * 1024

export function openSearch(file: string): DatabaseSync {
  return explainingErrors(file, () => tryOpen(file)) ?? recreateSearch(file)
}

/** Replaces any existing file. Open connections use the old one until they reopen. */
export function recreateSearch(file: string): DatabaseSync {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
  const fresh = tryOpen(file)
  if (fresh === undefined) throw new Error(`The search index ${file} cannot be created.`)
  return fresh
}

/**
 * Creates the file if it is missing or unusable; returns whether data of the telemetry file is missing in
 * it.
 */
export function initializeSearch(file: string, telemetry: DatabaseSync): boolean {
  const search = belonging(openSearch(file), file, readInstallationId(telemetry))
  try {
    const position = indexPosition(telemetry, search)
    const last = lastPosition(telemetry)
    return position[0] < last[0] || position[1] < last[1]
  } finally {
    search.close()
  }
}

/** The same index, or an empty one where it indexes the traces of another installation. */
function belonging(
  search: DatabaseSync,
  file: string,
  installationId: string | undefined,
): DatabaseSync {
  const found = readInstallationId(search)
  if (installationId === undefined || found === installationId) return search
  const own = found === undefined ? search : recreated(search, file)
  writeInstallationId(own, installationId)
  return own
}

function recreated(search: DatabaseSync, file: string): DatabaseSync {
  search.close()
  return recreateSearch(file)
}

/**
 * The position of the index. An index that is ahead of the telemetry file belongs to another one: it is
 * cleared.
 */
export function indexPosition(telemetry: DatabaseSync, search: DatabaseSync): Position {
  const position = prepareRows(search, readPosition).get() as unknown as Position
  const last = lastPosition(telemetry)
  if (position[0] <= last[0] && position[1] <= last[1]) return position
  search.exec(emptySearch)
  return [0, 0]
}

/** The position of an index that is complete. */
export function lastPosition(telemetry: DatabaseSync): Position {
  return prepareRows(telemetry, lastSequenceNumbers).get() as unknown as Position
}

/** Whether the whole file can be read. Reads all of it. */
export function isIntact(search: DatabaseSync): boolean {
  try {
    return search.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] === 'ok'
  } catch (error) {
    if (isCorruption(error)) return false
    throw error
  }
}

/** Undefined when the file has another schema or is not a database. */
function tryOpen(file: string): DatabaseSync | undefined {
  closeSync(openSync(file, 'a', 0o600))
  const db = new DatabaseSync(file, { timeout: busyTimeoutMs })
  try {
    // After a crash of the machine the index may have lost its last commits; it then continues from before
    // them.
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
