import { newId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import type { ClickHouseSettings } from '../platform/store-settings.ts'
import { inspectDatabase, markDatabase, setTelemetryPart } from './accounts/database-identity.ts'

/*
 * The identity of an installation without a data folder: a random id in PostgreSQL and in ClickHouse. PostgreSQL also
 * records that there is telemetry in ClickHouse, so that an empty database there is not taken for a new one.
 */

export interface SharedSettings {
  readonly databaseUrl: string
  readonly clickHouse: ClickHouseSettings
}

export interface SharedInstallation {
  /** Call when both stores have been created: from now on neither is accepted without the other. */
  claim(): Promise<void>
}

const accountsName = 'The database in ASSAY_DATABASE_URL'
const telemetryName = 'The database in ASSAY_CLICKHOUSE_URL'
const restoreAdvice =
  'Check both addresses, or restore both databases from a backup: see "Back up" in docs/guides/scale-out.md.'

/**
 * Checks that both databases belong together. Throws a one-line error, and creates nothing, when one is empty although it
 * has been used, or of another installation.
 */
export async function openSharedInstallation(
  { databaseUrl, clickHouse }: SharedSettings,
  log: Log,
): Promise<SharedInstallation> {
  const { inspectTables, markTables } = await clickHouseIdentity()
  const accounts = await inspectDatabase(databaseUrl, log)
  if (accounts.telemetry === 'telemetry.sqlite') {
    throw new Error(
      'The traces of this installation are in a data folder, not in ClickHouse. Remove ASSAY_CLICKHOUSE_URL, or move them there first.',
    )
  }
  const telemetry = await inspectTables(clickHouse)
  if (accounts.telemetry === 'ClickHouse' && !telemetry.isUsed) {
    throw new Error(
      `${telemetryName} is empty, but has been used before. ${restoreAdvice} Without a backup, \`npm run assay -- data accept-loss\` gives the traces, metrics and logs up and keeps the accounts.`,
    )
  }
  if (telemetry.installationId !== undefined && !accounts.isUsed) {
    throw new Error(`${accountsName} is empty, but has been used before. ${restoreAdvice}`)
  }
  const isForeign =
    telemetry.installationId !== accounts.installationId &&
    (telemetry.installationId !== undefined || accounts.telemetry !== undefined)
  if (isForeign) {
    throw new Error(
      `${telemetryName} does not belong to the database in ASSAY_DATABASE_URL: it is of another installation. ${restoreAdvice}`,
    )
  }
  return {
    async claim() {
      if (accounts.telemetry !== undefined) return
      const id = await markDatabase(databaseUrl, accounts.installationId ?? newId(), log)
      await markTables(clickHouse, id)
      await setTelemetryPart(databaseUrl, 'ClickHouse', log)
    },
  }
}

/** Accepts that the traces are lost: the next start creates new tables. Refused while there are some. */
export async function acceptLostTables(
  { databaseUrl, clickHouse }: SharedSettings,
  log: Log,
): Promise<void> {
  const { inspectTables } = await clickHouseIdentity()
  if ((await inspectTables(clickHouse)).isUsed) {
    throw new Error(`${telemetryName} is in use. To start without it, name another one.`)
  }
  const { isUsed } = await inspectDatabase(databaseUrl, log)
  if (!isUsed) throw new Error(`${accountsName} is empty. ${restoreAdvice}`)
  await setTelemetryPart(databaseUrl, undefined, log)
}

/** The client is loaded on demand: most installations have files. */
function clickHouseIdentity() {
  return import('./telemetry/clickhouse/installation-identity.ts')
}
