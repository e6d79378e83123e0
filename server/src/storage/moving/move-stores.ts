import { join } from 'node:path'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { ClickHouseSettings } from '../../platform/store-settings.ts'
import { openAccounts } from '../accounts/connect.ts'
import {
  inspectDatabase,
  setTelemetryPart,
  type TelemetryPart,
  writeIdentity,
} from '../accounts/database-identity.ts'
import type { IdempotencyRecordRow } from '../accounts/idempotency-tables.ts'
import { fingerprintOf } from '../file-fingerprint.ts'
import {
  type Marker,
  readUsedFolder,
  recordMovedAccounts,
  recordMovedStores,
} from '../installation.ts'
import type { RowSum } from '../row-sums.ts'
import { endOfMove } from '../telemetry/clickhouse/import/end-of-move.ts'
import type { MovedIdempotencyRecord, TelemetrySource } from '../telemetry/moved-rows.ts'
import { openTelemetrySource } from '../telemetry/sqlite/export/open-source.ts'
import { type AccountsFile, type AccountsRow, openAccountsFile } from './accounts-file.ts'
import { type AccountsMove, checkNoAccounts, copyAccounts, hasAccounts } from './move-accounts.ts'
import { moveTelemetry } from './move-telemetry.ts'
import { accountsRecord, areMovedFiles } from './moved-files.ts'
import { switchToClickHouse } from './switch-telemetry.ts'

/*
 * Moves the stores of a data folder to PostgreSQL, ClickHouse or both. Telemetry comes first, piece by piece, and accounts
 * last, in one transaction: until then no service starts on the targets. The files are only read.
 */

export interface StoreMove {
  /** Locked. */
  readonly dataDir: string
  readonly databaseUrl: string
  /** Undefined: telemetry stays in the folder. */
  readonly clickHouse: ClickHouseSettings | undefined
  /** Throws when the stored secrets cannot be opened with the configured one; called before anything is stored. */
  readonly checkSecret: (canary: string | undefined) => void
  readonly clock: Clock
  readonly log: Log
  readonly print: (line: string) => void
}

/** Returns lines about the result. Throws a one-line error when the targets cannot be used, before changing them. */
export async function moveStores(move: StoreMove): Promise<readonly string[]> {
  const marker = readUsedFolder(move.dataDir)
  const database = await inspectDatabase(move.databaseUrl, move.log)
  if (database.installationId !== undefined && database.installationId !== marker.id) {
    throw new Error(
      'The database in ASSAY_DATABASE_URL is of another installation. Name an empty database.',
    )
  }
  const hasAccountsFile = marker.parts.includes('accounts.sqlite')
  if (database.telemetry === 'ClickHouse') {
    await completeMove(move, marker)
    return ['This data folder was moved before: its accounts and traces are in the databases.']
  }
  if (move.clickHouse !== undefined) await hasTables(move.clickHouse, marker)
  if (!hasAccountsFile && move.clickHouse === undefined) {
    return ['The accounts of this data folder are in PostgreSQL already.']
  }
  if (!hasAccountsFile && database.installationId === undefined) {
    throw new Error(
      'The accounts of this data folder are in PostgreSQL, but not in the database in ASSAY_DATABASE_URL.',
    )
  }
  const source = openTelemetrySource(join(move.dataDir, 'telemetry.sqlite'))
  try {
    if (hasAccountsFile && move.clickHouse !== undefined && database.telemetry !== undefined) {
      // An earlier run moved accounts alone, and ended before it could record that in the folder.
      await moveWithAccounts({ ...move, clickHouse: undefined }, marker, source, true)
      return await moveTelemetryAlone(move, marker, source)
    }
    return hasAccountsFile
      ? await moveWithAccounts(move, marker, source, database.installationId !== undefined)
      : await moveTelemetryAlone(move, marker, source)
  } finally {
    source.close()
  }
}

/** Of databases that have everything: the mark of the folder, if an earlier run was killed before it. */
async function completeMove({ dataDir, clickHouse }: StoreMove, marker: Marker): Promise<void> {
  if (clickHouse === undefined) {
    throw new Error('The traces of this installation are in ClickHouse. Set ASSAY_CLICKHOUSE_URL.')
  }
  if (!(await hasTables(clickHouse, marker))) {
    throw new Error(
      `This data folder was moved before, but the database ${clickHouse.database} in ClickHouse is empty. Name the one with its traces in ASSAY_CLICKHOUSE_URL, restore that from a backup, or name empty databases in both settings to move the folder again.`,
    )
  }
  const hasAccountsFile = marker.parts.includes('accounts.sqlite')
  // A copy of the folder, or one whose mark was deleted, may have been used since.
  if (!(await areMovedFiles(dataDir, hasAccountsFile, clickHouse))) {
    throw new Error(
      'The databases do not have all that this folder contains: they were filled from another copy of it, or used before it was moved again. Name empty databases.',
    )
  }
  if (hasAccountsFile && marker.isMoved !== true) recordMovedStores(dataDir)
}

/** Whether the database is of the installation. Throws a one-line error when it is of something else. */
async function hasTables(clickHouse: ClickHouseSettings, { id }: Marker): Promise<boolean> {
  const { inspectTables } = await import('../telemetry/clickhouse/installation-identity.ts')
  const { isUsed, installationId } = await inspectTables(clickHouse)
  if (!isUsed || installationId === id) return isUsed
  throw new Error(
    installationId === undefined
      ? `The database ${clickHouse.database} in ClickHouse is in use. Name a new one in ASSAY_CLICKHOUSE_URL.`
      : `The database ${clickHouse.database} in ClickHouse is of another installation. Name a new one in ASSAY_CLICKHOUSE_URL.`,
  )
}

async function moveWithAccounts(
  move: StoreMove,
  marker: Marker,
  telemetry: TelemetrySource,
  isFilled: boolean,
): Promise<readonly string[]> {
  const { dataDir, databaseUrl, clickHouse, log, print } = move
  const source = openAccountsFile(join(dataDir, 'accounts.sqlite'))
  try {
    move.checkSecret(readCanary(source))
    const part: TelemetryPart = clickHouse === undefined ? 'telemetry.sqlite' : 'ClickHouse'
    const accounts: AccountsMove = {
      ...{ source, url: databaseUrl, log },
      convert: clickHouse === undefined ? (_, row) => row : openConversion(telemetry),
      added: clickHouse === undefined ? {} : { idempotency_records: () => recordRows(telemetry) },
      finish: (transaction) => writeIdentity(transaction, marker.id, part),
      onTable: (name, { count }: RowSum) =>
        count > 0 && print(`Table ${name}: ${count} ${count === 1 ? 'row' : 'rows'}`),
    }
    if (isFilled) {
      await checkFilled(accounts)
      // They were moved before, and the loss of the telemetry was accepted since.
      if (clickHouse !== undefined) {
        await moveInto(move, clickHouse, marker, telemetry)
        await setTelemetryPart(databaseUrl, part, log)
      }
    } else {
      await checkNoAccounts(accounts)
      // First, so that the identity in ClickHouse keeps services from starting on accounts that are not complete.
      if (clickHouse !== undefined) await moveInto(move, clickHouse, marker, telemetry)
      // Creates the tables.
      await openAccounts({ dataDir, databaseUrl }, log).then((opened) => opened.close())
      await copyAccounts(accounts)
    }
    if (clickHouse === undefined) recordMovedAccounts(dataDir)
    else recordMovedStores(dataDir)
    return ['Everything was moved and read back.']
  } finally {
    source.close()
  }
}

/** An accounts database that an earlier run has filled before it could record that in the folder. */
async function checkFilled(accounts: AccountsMove): Promise<void> {
  if (await hasAccounts(accounts)) return
  throw new Error(
    'The database in ASSAY_DATABASE_URL has accounts of this installation that differ from those of the data folder. Name an empty database.',
  )
}

async function moveTelemetryAlone(
  move: StoreMove,
  marker: Marker,
  source: TelemetrySource,
): Promise<readonly string[]> {
  const { databaseUrl, clickHouse, log } = move
  if (clickHouse === undefined) return []
  await moveInto(move, clickHouse, marker, source)
  await switchToClickHouse(databaseUrl, log, {
    convert: openConversion(source),
    idempotencyRecords: () => recordRows(source),
  })
  return ['The traces, metrics and log records were moved and read back.']
}

async function moveInto(
  { dataDir, clock, print }: StoreMove,
  clickHouse: ClickHouseSettings,
  { id, parts }: Marker,
  source: TelemetrySource,
): Promise<void> {
  const { openMoveTarget } = await import('../telemetry/clickhouse/import/open-target.ts')
  const target = await openMoveTarget(clickHouse, id, clock)
  try {
    const today = clock.now().toISOString().slice(0, 10)
    const { recomputedTraces } = await moveTelemetry({ source, target, today, print })
    if (recomputedTraces > 0) {
      print(
        `${recomputedTraces} traces have other totals than before: an earlier version had computed them by other rules.`,
      )
    }
    if (parts.includes('accounts.sqlite')) {
      await target.completePiece(accountsRecord, fingerprintOf(join(dataDir, 'accounts.sqlite')))
    }
    await target.completePiece(endOfMove, today)
  } finally {
    await target.close()
  }
}

function readCanary(source: AccountsFile): string | undefined {
  const table = source.tables.find(({ name }) => name === 'master_key')
  const [row] = table === undefined ? [] : [...source.rows(table)]
  return row === undefined ? undefined : String(row['canary'])
}

/** Jobs whose positions have one of the telemetry store. */
const jobsOnTraces: ReadonlySet<string> = new Set(['retention', 'evaluation_rule'])

/** Rows with positions of the engine of the folder. */
function openConversion(telemetry: TelemetrySource) {
  return (table: string, row: AccountsRow): AccountsRow => {
    const { position } = row
    if (typeof position !== 'string') return row
    if (table === 'evaluation_rules') {
      const settled = telemetry.settledPosition(String(row['project_id']), position)
      return { ...row, position: settled }
    }
    // Starts again, which finds what is left.
    const hasTraces = table === 'jobs' && jobsOnTraces.has(String(row['kind']))
    return hasTraces ? { ...row, position: null } : row
  }
}

function* recordRows(telemetry: TelemetrySource): Generator<AccountsRow> {
  for (const record of telemetry.idempotencyRecords()) yield { ...toRecordRow(record) }
}

function toRecordRow(record: MovedIdempotencyRecord): IdempotencyRecordRow {
  const { projectId, key, note, traces, createdAt } = record
  const at = new Date(Number(createdAt / 1_000_000n)).toISOString()
  const outcome = { traces: JSON.parse(traces) as unknown, refusedSpans: 0, note }
  return {
    ...{ project_id: projectId, key, claim_id: 'moved', leased_until: at, created_at: at },
    outcome: JSON.stringify(outcome),
  }
}
