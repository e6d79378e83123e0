import { accessSync, constants, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { damagedFileError, explainingErrors } from './file-errors.ts'

/*
 * A SQLite file of the data folder before it is opened for use: whether it exists, can be used, and to which
 * installation it belongs.
 */

export interface FoundPart {
  /** False where it is missing or empty. */
  readonly isUsed: boolean
  /** What is wrong with one that is not used. */
  readonly absence: 'missing' | 'empty'
  /** Undefined while nothing has been stored in it for good. */
  readonly installationId: string | undefined
}

/** Throws a one-line error when the file cannot be used. Changes nothing. */
export function inspectDataFile(file: string): FoundPart {
  return explainingErrors(file, () => {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found === undefined) return { isUsed: false, absence: 'missing', installationId: undefined }
    accessSync(file, constants.R_OK | constants.W_OK)
    if (found.size === 0) return { isUsed: false, absence: 'empty', installationId: undefined }
    const db = new DatabaseSync(file, { readOnly: true, timeout: waitMs })
    try {
      return { isUsed: true, absence: 'empty', installationId: readInstallationId(db) }
    } finally {
      db.close()
    }
  })
}

/**
 * Throws a one-line error when the structure of any page is damaged. Reads the whole file. Changes nothing.
 */
export function checkPages(file: string): void {
  explainingErrors(file, () => {
    const db = new DatabaseSync(file, { readOnly: true, timeout: waitMs })
    try {
      const found = String(db.prepare('PRAGMA quick_check(1)').get()?.['quick_check'])
      if (found !== 'ok') throw damagedFileError(file, found.replaceAll(/\s+/g, ' '))
    } finally {
      db.close()
    }
  })
}

/** Writes the id into a file that has none; durable when it returns. */
export function markDataFile(file: string, installationId: string): void {
  explainingErrors(file, () => {
    const db = new DatabaseSync(file, { timeout: waitMs })
    try {
      db.exec('PRAGMA synchronous = FULL')
      writeInstallationId(db, installationId)
    } finally {
      db.close()
    }
  })
}

/** For another program that has locked the file. */
const waitMs = 1000

/** The database must not have one. */
export function writeInstallationId(db: DatabaseSync, installationId: string): void {
  db.exec('BEGIN IMMEDIATE; CREATE TABLE installation_identity (id TEXT NOT NULL) STRICT')
  db.prepare('INSERT INTO installation_identity (id) VALUES (?)').run(installationId)
  db.exec('COMMIT')
}

export function readInstallationId(db: DatabaseSync): string | undefined {
  const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'installation_identity'").get()
  if (table === undefined) return undefined
  const row = db.prepare('SELECT id FROM installation_identity').get()
  return row === undefined ? undefined : String(row['id'])
}
