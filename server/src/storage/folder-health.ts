import { existsSync } from 'node:fs'
import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { Unavailable } from '../platform/failure.ts'
import type { Log } from '../platform/log.ts'
import { filesOfDatabase, watchFiles } from './file-watch.ts'
import { openProbe } from './probe.ts'
import type { TelemetryStore } from './telemetry/port/store.ts'

/*
 * Whether the data folder can be used while the service runs. Anybody can read a problem, so it has no paths; the log has
 * the file.
 */

export interface FolderHealth {
  /** A file is damaged, missing or was replaced. Checked at most once a second. */
  findLostFile(): string | undefined
  /**
   * The same, or the telemetry store does not respond, or the disk is full or cannot be written to. Writes at most every
   * five seconds.
   */
  findProblem(): Promise<string | undefined>
}

export interface FolderHealthSettings {
  readonly dataDir: string
  /** Databases in use. */
  readonly databases: readonly string[]
  /** A file that was found damaged since the start. */
  readonly damagedFile: () => string | undefined
  readonly isStoreResponding: () => Promise<boolean>
  readonly log: Log
}

const filesCheckedEveryMs = 1000
const diskCheckedEveryMs = 5000
/** While there is a problem, so that the recovery is noticed soon. */
const failedDiskCheckedEveryMs = 1000
/** The largest commit, its copy in the database file and the search index fit. */
const freeBytesMin = 16 * 1024 * 1024
const probeBytes = 4096

/** Call when the databases have been opened. */
export function openFolderHealth(settings: FolderHealthSettings): FolderHealth {
  const { dataDir, databases, damagedFile, isStoreResponding, log } = settings
  const inFolder = (name: string) => join(dataDir, name)
  const findChanged = watchFiles([
    inFolder('lock.sqlite'),
    ...databases.flatMap((name) => filesOfDatabase(inFolder(name))),
  ])
  const needed = ['secret', 'installation.json'].map(inFolder).filter((file) => existsSync(file))
  const report = openReport(log)
  let lost: string | undefined
  let isChecked = false
  let disk: Promise<string | undefined> | undefined
  const probe = openProbe(() => writeProbe(dataDir), 'The disk does not respond.')

  const findLostFile = () => {
    if (!isChecked) {
      isChecked = true
      setTimeout(() => (isChecked = false), filesCheckedEveryMs).unref()
      const damaged = damagedFile()
      const file = damaged ?? findChanged() ?? needed.find((one) => !existsSync(one))
      const problem = damaged === undefined ? 'is missing or was replaced' : 'is damaged'
      lost = file === undefined ? undefined : `A data file ${problem}.`
      if (lost !== undefined) report(lost, file)
    }
    return lost
  }
  return {
    findLostFile,
    async findProblem() {
      disk ??= probe().then((problem) => {
        const everyMs = problem === undefined ? diskCheckedEveryMs : failedDiskCheckedEveryMs
        setTimeout(() => (disk = undefined), everyMs).unref()
        return problem
      })
      const noResponse = (await isStoreResponding()) ? undefined : storeDoesNotRespond
      const problem = findLostFile() ?? noResponse ?? (await disk)
      report(problem)
      return problem
    },
  }
}

/**
 * The same store, which stores nothing while a data file is lost or damaged, because it could be missing after a restart.
 * The writer thread checks its own file after each commit; this also checks the accounts, the secret and the lock.
 */
export function refusingLostFiles(
  telemetry: TelemetryStore,
  { findLostFile }: Pick<FolderHealth, 'findLostFile'>,
): TelemetryStore {
  const check = () => {
    const lost = findLostFile()
    if (lost !== undefined) throw new Unavailable(lost, retryAfterSeconds)
  }
  return {
    ...telemetry,
    async record(recording) {
      check()
      return await telemetry.record(recording)
    },
    async recordMetrics(...args) {
      check()
      return await telemetry.recordMetrics(...args)
    },
    async recordLogs(...args) {
      check()
      return await telemetry.recordLogs(...args)
    },
  }
}

const retryAfterSeconds = 10

async function writeProbe(dataDir: string): Promise<string | undefined> {
  try {
    const { bavail, bsize } = await statfs(dataDir)
    if (bavail * bsize < freeBytesMin) return full
    const file = join(dataDir, 'disk-probe')
    const handle = await open(file, 'w', 0o600)
    try {
      await handle.write(Buffer.alloc(probeBytes, 1))
      await handle.sync()
    } finally {
      await handle.close()
      await rm(file, { force: true })
    }
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOSPC' || code === 'EDQUOT' ? full : 'The data folder cannot be written to.'
  }
}

const full = 'The disk is full.'
const storeDoesNotRespond = 'The telemetry store does not respond.'

/** Logs a problem when it begins, and its end. */
function openReport(log: Log) {
  let reported: string | undefined
  return (problem: string | undefined, file?: string) => {
    if (problem === reported) return
    reported = problem
    if (problem === undefined) log.info('the data folder can be used again')
    else log.warn('the service is not ready', { reason: problem, file })
  }
}
