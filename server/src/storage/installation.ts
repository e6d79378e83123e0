import { join } from 'node:path'
import { newId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import {
  inspectDatabase,
  markDatabase,
  setTelemetryPart,
  type TelemetryPart,
} from './accounts/database-identity.ts'
import { type FoundPart, inspectDataFile, markDataFile } from './data-file.ts'
import { readIfExists, writeDurably } from './durable-file.ts'
import { explainingErrors, restoreAdvice } from './file-errors.ts'

/*
 * The identity of an installation: a random id in the accounts database, in telemetry.sqlite and in the file
 * `installation.json` of the data folder, which also lists what has been created. A part that is listed is never created
 * again, so a lost file cannot turn a used folder into a new one: that would open the set-up to anyone, and hide what is
 * left. The search index and the lock have no data of their own and are not part of it.
 */

export type PartName = 'accounts.sqlite' | 'PostgreSQL' | 'telemetry.sqlite'

export interface InstallationSettings {
  readonly dataDir: string
  /** PostgreSQL for the accounts. */
  readonly databaseUrl: string | undefined
}

export interface Installation {
  /** Call when the stores have been created: from now on the folder is refused without them. */
  claim(parts: readonly PartName[]): Promise<void>
}

interface Part extends FoundPart {
  readonly name: PartName
  /** Where its database records that the telemetry is. */
  readonly telemetry?: TelemetryPart | undefined
  /** The subject of a sentence about it. */
  readonly label: string
}

/** What `installation.json` has. */
export interface Marker {
  readonly id: string
  /** What has been created. Parts that are not listed may be in creation when the process is killed. */
  readonly parts: readonly PartName[]
  /** Everything was moved to databases: what a service stored here from now on would be in one place only. */
  readonly isMoved?: boolean
}

export function accountsPart({ databaseUrl }: InstallationSettings): PartName {
  return databaseUrl === undefined ? 'accounts.sqlite' : 'PostgreSQL'
}

/**
 * Checks that what is in the locked folder belongs together. Throws a one-line error, and creates nothing, when a part is
 * missing, empty, unusable or of another installation.
 */
export async function openInstallation(
  settings: InstallationSettings,
  log: Log,
): Promise<Installation> {
  const { dataDir, databaseUrl } = settings
  const file = join(dataDir, markerName)
  const stored = readMarker(file)
  if (stored?.isMoved === true) throw movedAway(dataDir)
  const accounts: Part = {
    name: accountsPart(settings),
    ...(databaseUrl === undefined
      ? fileIn(dataDir, 'accounts.sqlite')
      : { label: databaseLabel, ...(await inspectDatabase(databaseUrl, log)) }),
  }
  const telemetry: Part = { name: 'telemetry.sqlite', ...fileIn(dataDir, 'telemetry.sqlite') }
  if (accounts.telemetry === 'ClickHouse') throw new Error(telemetryIsInClickHouse)
  checkEngine(stored, settings)
  let marker = stored ?? recognized(accounts, telemetry, dataDir)
  for (const part of [accounts, telemetry]) checkPart(part, marker, dataDir)
  // Before anything is created: an interrupted first start continues with this id.
  if (stored === undefined && marker.parts.length === 0) writeMarker(file, marker)

  return {
    async claim(parts) {
      for (const { name } of [accounts, telemetry].filter((part) => !isMarked(part))) {
        if (!parts.includes(name)) continue
        if (name !== 'PostgreSQL') markDataFile(join(dataDir, name), marker.id)
        else if (databaseUrl !== undefined) await claimDatabase(databaseUrl, marker.id, log)
      }
      const isUnrecorded = databaseUrl !== undefined && accounts.telemetry === undefined
      if (isUnrecorded && parts.includes('telemetry.sqlite')) {
        await setTelemetryPart(databaseUrl, 'telemetry.sqlite', log)
      }
      const known = new Set(marker.parts)
      if (stored !== undefined && parts.every((part) => known.has(part))) return
      marker = { id: marker.id, parts: [...known.union(new Set(parts))] }
      writeMarker(file, marker)
    },
  }
}

const telemetryIsInClickHouse =
  'The traces of this installation are in ClickHouse. Set ASSAY_CLICKHOUSE_URL.'

async function claimDatabase(url: string, id: string, log: Log): Promise<void> {
  const claimed = await markDatabase(url, id, log)
  if (claimed !== id) throw new Error('Another server has just set up this database.')
}

/**
 * Accepts that the traces are lost: the next start creates an empty telemetry.sqlite. Refused while there is one. The
 * folder must be locked.
 */
export async function acceptLostTraces(settings: InstallationSettings, log: Log): Promise<void> {
  const { dataDir, databaseUrl } = settings
  const lost = fileIn(dataDir, 'telemetry.sqlite')
  if (lost.isUsed) {
    throw new Error(`${lost.label} exists. To start without it, move it out of the folder first.`)
  }
  const accounts =
    databaseUrl === undefined
      ? fileIn(dataDir, 'accounts.sqlite')
      : { label: databaseLabel, ...(await inspectDatabase(databaseUrl, log)) }
  if ('telemetry' in accounts && accounts.telemetry === 'ClickHouse') {
    throw new Error(telemetryIsInClickHouse)
  }
  if (!accounts.isUsed) throw absent({ name: accountsPart(settings), ...accounts }, dataDir)
  const { installationId } = accounts
  const parts = installationId === undefined ? [] : [accountsPart(settings)]
  writeMarker(join(dataDir, markerName), { id: installationId ?? newId(), parts })
}

/**
 * What has been created in a data folder. Throws a one-line error when nothing has, or when the files are not those of
 * one installation.
 */
export function readUsedFolder(dataDir: string): Marker {
  const marker = readMarker(join(dataDir, markerName))
  if (marker?.parts.includes('telemetry.sqlite') !== true) {
    throw new Error(
      `The data folder ${dataDir} has not been used by this version of Assay: there is nothing to move. Set ASSAY_DATA_DIR.`,
    )
  }
  for (const name of ['accounts.sqlite', 'telemetry.sqlite'] as const) {
    if (marker.parts.includes(name)) checkPart({ name, ...fileIn(dataDir, name) }, marker, dataDir)
  }
  return marker
}

/** From now on the folder is refused without its accounts in PostgreSQL. */
export function recordMovedAccounts(dataDir: string): void {
  const { id, parts } = readUsedFolder(dataDir)
  const others = parts.filter((part) => part !== 'accounts.sqlite' && part !== 'PostgreSQL')
  writeMarker(join(dataDir, markerName), { id, parts: [...others, 'PostgreSQL'] })
}

/** From now on no service starts on the folder. */
export function recordMovedStores(dataDir: string): void {
  writeMarker(join(dataDir, markerName), { ...readUsedFolder(dataDir), isMoved: true })
}

function movedAway(dataDir: string): Error {
  return new Error(
    `What the data folder ${dataDir} has was moved to PostgreSQL and ClickHouse. Set ASSAY_DATABASE_URL and ASSAY_CLICKHOUSE_URL, or set ASSAY_DATA_DIR to a new folder. To use the folder as it was before the move, delete ${markerName} in it.`,
  )
}

/** The name of the file of the identity in the data folder. */
export const markerName = 'installation.json'
const databaseLabel = 'The database in ASSAY_DATABASE_URL'

function fileIn(dataDir: string, name: 'accounts.sqlite' | 'telemetry.sqlite') {
  const file = join(dataDir, name)
  return { label: `The file ${file}`, ...inspectDataFile(file) }
}

/** For a folder without `installation.json`: a new one, one of an earlier version, or one that has lost the file. */
function recognized(accounts: Part, telemetry: Part, dataDir: string): Marker {
  const isTaken =
    telemetry.isUsed || (accounts.isUsed && accounts.name !== 'PostgreSQL') || isMarked(accounts)
  if (!isTaken) return { id: newId(), parts: [] }
  for (const part of [accounts, telemetry]) {
    if (!part.isUsed) throw absent(part, dataDir)
  }
  return {
    id: accounts.installationId ?? telemetry.installationId ?? newId(),
    parts: [accounts, telemetry].filter(isMarked).map(({ name }) => name),
  }
}

function isMarked({ installationId }: Part): boolean {
  return installationId !== undefined
}

function checkPart(part: Part, { id, parts }: Marker, dataDir: string): void {
  const { name, label, isUsed, installationId } = part
  const isListed = parts.includes(name)
  if (!isUsed && isListed) throw absent(part, dataDir)
  const isForeign = isListed ? installationId !== id : (installationId ?? id) !== id
  if (isForeign) {
    throw new Error(
      `${label} does not belong to the data folder ${dataDir}: it is of another installation. ${restoreAdvice}`,
    )
  }
}

function absent(
  { name, label, absence }: Pick<Part, 'name' | 'label' | 'absence'>,
  dataDir: string,
): Error {
  const withoutBackup =
    name === 'telemetry.sqlite'
      ? ' Without a backup, `npm run assay -- data accept-loss` gives the traces, metrics and logs up and keeps the accounts.'
      : ''
  return new Error(
    `${label} is ${absence}, but the data folder ${dataDir} has been used before. ${restoreAdvice}${withoutBackup}`,
  )
}

/** Accounts that seem to be empty because the setting has changed would open the set-up. */
function checkEngine(marker: Marker | undefined, settings: InstallationSettings): void {
  const { dataDir, databaseUrl } = settings
  if (marker?.parts.includes('PostgreSQL') === true && databaseUrl === undefined) {
    throw new Error(
      `The accounts of the data folder ${dataDir} are in PostgreSQL. Set ASSAY_DATABASE_URL.`,
    )
  }
  const hasFile =
    marker === undefined
      ? databaseUrl !== undefined && inspectDataFile(join(dataDir, 'accounts.sqlite')).isUsed
      : marker.parts.includes('accounts.sqlite')
  if (hasFile && databaseUrl !== undefined) {
    throw new Error(
      marker === undefined
        ? `The data folder ${dataDir} has accounts in its file accounts.sqlite, but no ${markerName}, which says whether they were moved to PostgreSQL. If they were, move accounts.sqlite out of the folder: the accounts in PostgreSQL are newer. If not, remove ASSAY_DATABASE_URL.`
        : `The accounts of the data folder ${dataDir} are in its file accounts.sqlite, not in PostgreSQL. Remove ASSAY_DATABASE_URL, or set ASSAY_DATA_DIR to a new folder.`,
    )
  }
}

function readMarker(file: string): Marker | undefined {
  const text = explainingErrors(file, () => readIfExists(file))
  if (text === undefined) return undefined
  try {
    const { id, parts, isMoved } = JSON.parse(text) as Partial<Marker>
    if (typeof id === 'string' && Array.isArray(parts)) {
      return { id, parts, ...(isMoved === true && { isMoved }) }
    }
  } catch {
    // As below.
  }
  throw new Error(
    `The file ${file} is empty or damaged. Delete it: the next start writes it again from the databases.`,
  )
}

function writeMarker(file: string, marker: Marker): void {
  explainingErrors(file, () => writeDurably(file, `${JSON.stringify(marker)}\n`))
}
