import { closeSync, existsSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { scaleToMemory } from '../../../platform/scale-to-memory.ts'
import { explainingErrors } from '../../file-errors.ts'
import { addFunctions, busyTimeoutMs } from './database.ts'
import { firstVersion, migrations, rollupsByModeVersion } from './migrations.ts'
import { separateSimulations } from './rollups-by-mode.ts'

/*
 * Opens telemetry.sqlite for the writer, and migrates it.
 */

// Of 4, 8 and 16 KiB, the one that wastes least space next to blocks of about 10 KB: a fifth less on disk
// than 16, and faster than 4.
const pageBytes = 8 * 1024
const writerCacheKib = scaleToMemory(64 * 1024)
/** The size to which the write-ahead log is truncated after a long read has let it grow. */
const walSizeLimitBytes = 64 * 1024 * 1024

/** Opens the file for writing, creates it if necessary and migrates it. Errors are one line that names the file. */
export function openToWrite(file: string): DatabaseSync {
  return explainingErrors(file, () => openAndMigrate(file))
}

function openAndMigrate(file: string): DatabaseSync {
  // The file has users' conversations with agents: only its owner can read it. SQLite gives its side files
  // the same mode.
  closeSync(openSync(file, 'a', 0o600))
  const db = new DatabaseSync(file, { timeout: busyTimeoutMs })
  try {
    db.exec(`PRAGMA page_size = ${pageBytes}`)
    const mode = db.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode']
    if (mode !== 'wal') {
      throw new Error(
        `The telemetry file ${file} cannot be used: its file system does not support shared memory between processes, as is the case for network file systems. Choose another data folder.`,
      )
    }
    db.exec(`
      PRAGMA synchronous = FULL;
      PRAGMA wal_autocheckpoint = 0;
      PRAGMA journal_size_limit = ${walSizeLimitBytes};
      PRAGMA cache_size = -${writerCacheKib};
    `)
    migrate(db)
    addFunctions(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Throws when the file was last used by a version that is not supported. Changes nothing. */
export function checkVersion(file: string): void {
  if (!existsSync(file)) return
  explainingErrors(file, () => {
    const db = new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs })
    try {
      readVersion(db)
    } finally {
      db.close()
    }
  })
}

function migrate(db: DatabaseSync): void {
  const storedVersion = readVersion(db)
  const lastVersion = firstVersion + migrations.length - 1
  if (storedVersion === lastVersion) return
  // In one transaction: rollups are separated with the columns of the last version.
  db.exec('BEGIN IMMEDIATE')
  for (const [index, migration] of migrations.entries()) {
    if (firstVersion + index > storedVersion) db.exec(migration)
  }
  if (storedVersion < rollupsByModeVersion) separateSimulations(db)
  db.exec(`PRAGMA user_version = ${lastVersion}; COMMIT`)
}

function readVersion(db: DatabaseSync): number {
  const storedVersion = Number(db.prepare('PRAGMA user_version').get()?.['user_version'])
  const lastVersion = firstVersion + migrations.length - 1
  // A new file has 0.
  if (storedVersion !== 0 && (storedVersion < firstVersion || storedVersion > lastVersion)) {
    throw new Error(
      `The telemetry file was last used by a newer version of Assay or a build from before the first release (its schema version is ${storedVersion}, that of this version is ${lastVersion}). Start that version, or restore a backup from before the upgrade.`,
    )
  }
  return storedVersion
}
