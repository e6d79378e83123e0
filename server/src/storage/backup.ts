import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { checkPages, inspectDataFile } from './data-file.ts'
import { readIfExists, writeDurably } from './durable-file.ts'
import { toFileError } from './file-errors.ts'
import { accountsPart, type InstallationSettings, markerName } from './installation.ts'
import { readSecretFile, writeSecretFile } from './secret-file.ts'

/*
 * A backup of the data folder, also while the service uses it. The databases are copied as of one moment: a snapshot of
 * each is taken before the first is copied, so that the service can write meanwhile. The search index is not copied: the
 * first start on the backup rebuilds it.
 */

/** Pages of SQLite that are copied between two reports of the progress. */
const pagesAtOnce = 2000

interface Snapshot {
  readonly name: string
  readonly db: DatabaseSync
}

/**
 * Copies the data folder into a new folder, which is complete, checked and durable when this resolves: the folder has
 * its name only then. Throws a one-line error, and leaves no folder, when something cannot be read or written, or when a
 * copy is damaged.
 *
 * @param onProgress gets the share of a file that is copied, from 0 to 1
 */
export async function backUpFolder(
  settings: InstallationSettings,
  folder: string,
  onProgress: (file: string, share: number) => void,
): Promise<void> {
  const target = resolve(folder)
  checkTarget(settings.dataDir, target)
  const incomplete = `${target}.incomplete`
  rmSync(incomplete, { recursive: true, force: true })
  const earlierSecrets = readSecretFile(settings.dataDir)
  const snapshots = takeSnapshots(settings)
  try {
    mkdirSync(incomplete, { recursive: true, mode: 0o700 })
    for (const { name, db } of snapshots) {
      await copy(db, join(incomplete, name), (share) => onProgress(name, share))
    }
    copyTexts(settings.dataDir, incomplete, earlierSecrets)
    syncFolder(incomplete)
    if (existsSync(target)) rmSync(target, { recursive: true })
    renameSync(incomplete, target)
    syncFolder(dirname(target))
  } catch (error) {
    rmSync(incomplete, { recursive: true, force: true })
    throw toFileError(target, error)
  } finally {
    for (const { db } of snapshots) db.close()
  }
}

function checkTarget(dataDir: string, target: string): void {
  if (`${target}${sep}`.startsWith(`${resolve(dataDir)}${sep}`)) {
    throw new Error(`The backup cannot be in the data folder ${dataDir}. Choose another folder.`)
  }
  if (existsSync(target) && readdirSync(target).length > 0) {
    throw new Error(`The folder ${target} is not empty. Choose a new one.`)
  }
}

function takeSnapshots(settings: InstallationSettings): readonly Snapshot[] {
  const names = [accountsPart(settings), 'telemetry.sqlite'].filter((name) => name !== 'PostgreSQL')
  for (const name of names) {
    const file = join(settings.dataDir, name)
    const { isUsed, absence } = inspectDataFile(file)
    if (!isUsed) throw new Error(`The file ${file} is ${absence}: there is nothing to back up.`)
  }
  return names.map((name) => {
    const db = new DatabaseSync(join(settings.dataDir, name), { readOnly: true })
    // A transaction reads one state of the file from its first read to its end.
    db.exec('BEGIN; SELECT 1 FROM sqlite_schema')
    return { name, db }
  })
}

async function copy(db: DatabaseSync, file: string, onShare: (share: number) => void) {
  closeSync(openSync(file, 'wx', 0o600))
  await backup(db, file, {
    rate: pagesAtOnce,
    progress: ({ totalPages, remainingPages }) => onShare(1 - remainingPages / totalPages),
  })
  checkPages(file)
  // What a reader leaves; empty, because nothing was written after the copy.
  for (const side of ['-wal', '-shm']) rmSync(file + side, { force: true })
  onShare(1)
}

/** The snapshot needs the secrets from before or after it: a rotation may have added or removed one meanwhile. */
function copyTexts(dataDir: string, folder: string, earlierSecrets: readonly string[]): void {
  const marker = readIfExists(join(dataDir, markerName))
  if (marker !== undefined) writeDurably(join(folder, markerName), marker)
  const secrets = new Set([...readSecretFile(dataDir), ...earlierSecrets])
  if (secrets.size > 0) writeSecretFile(folder, [...secrets])
}

/** Makes the files of a folder, and their names, durable. */
function syncFolder(folder: string): void {
  for (const path of [...readdirSync(folder).map((name) => join(folder, name)), folder]) {
    const descriptor = openSync(path, 'r')
    fsyncSync(descriptor)
    closeSync(descriptor)
  }
}
