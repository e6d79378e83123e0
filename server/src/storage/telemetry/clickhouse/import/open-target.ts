import type { Clock } from '../../../../platform/clock.ts'
import type { ClickHouseSettings } from '../../../../platform/store-settings.ts'
import type { RowSum } from '../../../row-sums.ts'
import type { Connection } from '../connection.ts'
import { openHybridClock } from '../hybrid-clock.ts'
import { markTables } from '../installation-identity.ts'
import { layoutOf } from '../migrations/layout.ts'
import { openTables } from '../open-tables.ts'
import { readPages } from '../read-pages.ts'
import { openRowImport, openTableSums, type RowImport, type TableSums } from './import-rows.ts'
import { type MovedTableName, movedTables } from './moved-tables.ts'

/*
 * The ClickHouse database as the target of a move, with a table of what has been moved, so that an interrupted move
 * continues.
 */

export interface MoveTarget {
  /** What an earlier run has completed: the JSON of each piece by its name. */
  readPieces(): Promise<ReadonlyMap<string, string>>
  completePiece(name: string, result: string): Promise<void>
  openImport(lastDay: string): RowImport
  /** What is stored of a project. `onRows` is called with the number of rows that have been read. */
  readSums(projectId: string, onRows: (count: number) => void): Promise<TableSums>
  close(): Promise<void>
}

/** Creates the tables and marks them as those of the installation, before anything else is stored. */
export async function openMoveTarget(
  settings: ClickHouseSettings,
  installationId: string,
  clock: Clock,
): Promise<MoveTarget> {
  const { url, database, cluster } = settings
  const connection = await openTables({ url, database, cluster }, () =>
    markTables(settings, installationId),
  )
  try {
    await createMovedPieces(connection, cluster)
  } catch (error) {
    await connection.close()
    throw error
  }
  const nextVersion = openHybridClock()
  const now = () => BigInt(clock.now().getTime()) * 1_000_000n
  return {
    async readPieces() {
      const rows = await connection.rows('SELECT piece, result FROM moved_pieces FINAL', {})
      return new Map(rows.map(([piece, result]) => [String(piece), String(result)]))
    },
    completePiece: (name, result) =>
      connection.insertRows('moved_pieces (piece, result)', [[name, result]]),
    openImport: (lastDay) => openRowImport({ connection, nextVersion, now, lastDay }),
    readSums: (projectId, onRows) => readSums(connection, projectId, onRows),
    close: () => connection.close(),
  }
}

async function createMovedPieces(connection: Connection, cluster: string | undefined) {
  const { table, engine } = layoutOf(cluster)
  await connection.execute(
    `CREATE TABLE IF NOT EXISTS ${table('moved_pieces')}
(
    piece String,
    result String,
    moved_at DateTime DEFAULT now()
)
ENGINE = ${engine('ReplacingMergeTree(moved_at)')}
ORDER BY piece`,
  )
}

async function readSums(
  connection: Connection,
  projectId: string,
  onRows: (count: number) => void,
): Promise<TableSums> {
  const sums = openTableSums()
  const [condition, given] = ['project_id = {project:String}', { project: projectId }]
  for (const name of Object.keys(movedTables) as MovedTableName[]) {
    const table = movedTables[name]
    for await (const rows of readPages(connection, table, condition, given)) {
      for (const row of rows) sums.add(name, table.fromRow(row))
      onRows(rows.length)
    }
  }
  return sums.values()
}

/** The days of all tables whose sums differ. */
export function findDifferences(expected: TableSums, found: TableSums): readonly string[] {
  const keys = [...new Set([...Object.keys(expected), ...Object.keys(found)])].toSorted()
  return keys.flatMap((key) => {
    const [a, b] = [expected[key], found[key]]
    if (isEqual(a, b)) return []
    const [table, day] = key.split(' ')
    const counts = `${a?.count ?? 0} rows were moved, ${b?.count ?? 0} are stored`
    return [`${table}${day === '' ? '' : ` of ${day}`}: ${counts}`]
  })
}

function isEqual(a: RowSum | undefined, b: RowSum | undefined): boolean {
  return a?.count === b?.count && a?.checksum === b?.checksum
}
