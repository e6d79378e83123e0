import { join } from 'node:path'
import type { ClickHouseSettings } from '../../platform/store-settings.ts'
import { fingerprintOf } from '../file-fingerprint.ts'

/*
 * Which files were moved, as ClickHouse records it among the pieces of the move. A copy of the folder that was used since
 * has the same ids, but other files.
 */

/** The names of the records. */
export const telemetryRecord = 'source'
export const accountsRecord = 'accounts.sqlite'

/** The record of telemetry.sqlite. */
export interface Began {
  readonly fingerprint: string
  readonly day: string
}

/** Whether the files of a folder are those that a move to this database has read. */
export async function areMovedFiles(
  dataDir: string,
  hasAccountsFile: boolean,
  clickHouse: ClickHouseSettings,
): Promise<boolean> {
  const records = await readRecords(clickHouse)
  const telemetry = JSON.parse(records.get(telemetryRecord) ?? '{}') as Partial<Began>
  if (telemetry.fingerprint !== fingerprintOf(join(dataDir, 'telemetry.sqlite'))) return false
  return (
    !hasAccountsFile ||
    records.get(accountsRecord) === fingerprintOf(join(dataDir, 'accounts.sqlite'))
  )
}

/** Creates no table: the database may be in use. */
async function readRecords(settings: ClickHouseSettings): Promise<ReadonlyMap<string, string>> {
  const { openConnection } = await import('../telemetry/clickhouse/connection.ts')
  // The database may not exist.
  const connection = openConnection({ ...settings, database: 'default' })
  try {
    const { database } = settings
    const tables = await connection.rows(
      "SELECT name FROM system.tables WHERE database = {database:String} AND name = 'moved_pieces'",
      { database },
    )
    if (tables.length === 0) return new Map()
    const rows = await connection.rows(
      'SELECT piece, result FROM {database:Identifier}.moved_pieces FINAL WHERE piece IN {records:Array(String)}',
      { database, records: [telemetryRecord, accountsRecord] },
    )
    return new Map(rows.map(([piece, result]) => [String(piece), String(result)]))
  } finally {
    await connection.close()
  }
}
