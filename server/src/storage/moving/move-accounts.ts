import { Kysely, sql, type Transaction } from 'kysely'
import type { Log } from '../../platform/log.ts'
import { openRowSummer, type RowSum } from '../row-sums.ts'
import type { AccountsFile, AccountsRow, AccountsTable } from './accounts-file.ts'

/*
 * Copies accounts from their file to PostgreSQL, in one transaction: all of it is there, and read back, or nothing.
 */

export interface AccountsMove {
  readonly source: AccountsFile
  readonly url: string
  readonly log: Log
  /** The row to store instead. */
  readonly convert: (table: string, row: AccountsRow) => AccountsRow
  /** Rows that the source does not have. */
  readonly added: Readonly<Record<string, () => Iterable<AccountsRow>>>
  /** Runs at the end of the transaction. */
  readonly finish: (transaction: Transaction<unknown>) => Promise<void>
  readonly onTable: (name: string, sum: RowSum) => void
}

type Rows = () => Iterable<AccountsRow>

/** Throws a one-line error, and stores nothing, when the database has rows, or when what is read back differs. */
export async function copyAccounts(move: AccountsMove): Promise<void> {
  await inTransaction(move, async (transaction) => {
    await checkEmpty(transaction, move.source.tables)
    for (const table of move.source.tables) {
      move.onTable(table.name, await copyTable(transaction, table, rowsToStore(move, table)))
    }
    await move.finish(transaction)
  })
}

/** Throws a one-line error when the database has accounts. */
export async function checkNoAccounts(move: AccountsMove): Promise<void> {
  await inTransaction(move, (transaction) => checkEmpty(transaction, move.source.tables))
}

/** Whether the database has the rows of the source, and no others. */
export async function hasAccounts(move: AccountsMove): Promise<boolean> {
  return await inTransaction(move, async (transaction) => {
    for (const table of move.source.tables) {
      const source = sumOf(table, rowsToStore(move, table)())
      const stored = await readSum(transaction, table, source.rowBytesMax)
      if (!isEqual(source.sum, stored)) return false
    }
    return true
  })
}

/** Without a limit of time. */
export async function inTransaction<Result>(
  { url, log }: Pick<AccountsMove, 'url' | 'log'>,
  work: (transaction: Transaction<unknown>) => Promise<Result>,
): Promise<Result> {
  const { postgresDialect } = await import('../accounts/postgres-dialect.ts')
  const options = { maxConnections: 1, statementTimeoutMs: 0, log }
  const db = new Kysely<unknown>({ dialect: postgresDialect(url, options) })
  try {
    return await db.transaction().execute(work)
  } finally {
    await db.destroy()
  }
}

type Sources = Pick<AccountsMove, 'source' | 'convert' | 'added'>

function rowsToStore({ source, convert, added }: Sources, table: AccountsTable): Rows {
  return function* rows() {
    for (const row of source.rows(table)) yield convert(table.name, row)
    yield* added[table.name]?.() ?? []
  }
}

/** Tables that do not exist yet have none. */
async function checkEmpty(db: Kysely<unknown>, tables: readonly AccountsTable[]): Promise<void> {
  for (const { name } of tables) {
    const { rows: existing } = await sql<{ exists: boolean }>`
      select to_regclass(${name}) is not null as exists
    `.execute(db)
    if (existing[0]?.exists !== true) continue
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db)
    if (rows.length > 0) {
      throw new Error(
        `The database in ASSAY_DATABASE_URL is in use: its table ${name} has rows. Name an empty database.`,
      )
    }
  }
}

async function copyTable(db: Kysely<unknown>, table: AccountsTable, rows: Rows): Promise<RowSum> {
  for (const some of inGroups(table, rows())) {
    const values = some.map((row) => sql`(${sql.join(table.columns.map((name) => row[name]))})`)
    const columns = sql.join(table.columns.map((name) => sql.ref(name)))
    await sql`insert into ${sql.table(table.name)} (${columns}) values ${sql.join(values)}`.execute(
      db,
    )
  }
  // Read again rather than remembered: a file that cannot be read reliably differs from itself.
  const source = sumOf(table, rows())
  const stored = await readSum(db, table, source.rowBytesMax)
  if (isEqual(source.sum, stored)) return stored
  throw new Error(
    `The table ${table.name} differs after it was copied: ${source.sum.count} rows in accounts.sqlite, ${stored.count} in PostgreSQL${source.sum.count === stored.count ? ' with another checksum' : ''}. Nothing was stored there.`,
  )
}

/** A statement has at most 65,535 parameters. */
const parametersMax = 30_000
const groupBytesMax = 4_000_000

function* inGroups(
  { columns }: AccountsTable,
  rows: Iterable<AccountsRow>,
): Generator<readonly AccountsRow[]> {
  let [group, bytes] = [[] as AccountsRow[], 0]
  for (const row of rows) {
    group.push(row)
    bytes += bytesOf(row)
    if (bytes < groupBytesMax && (group.length + 1) * columns.length <= parametersMax) continue
    yield group
    ;[group, bytes] = [[], 0]
  }
  if (group.length > 0) yield group
}

function bytesOf(row: AccountsRow): number {
  return Object.values(row).reduce<number>(
    (sum, cell) => sum + (typeof cell === 'string' ? cell.length : 8),
    0,
  )
}

function sumOf(table: AccountsTable, rows: Iterable<AccountsRow>) {
  const summer = openRowSummer()
  let rowBytesMax = 1
  for (const row of rows) {
    summer.add(toTexts(table, row))
    rowBytesMax = Math.max(rowBytesMax, bytesOf(row))
  }
  return { sum: summer.sum(), rowBytesMax }
}

async function readSum(
  db: Kysely<unknown>,
  table: AccountsTable,
  rowBytesMax: number,
): Promise<RowSum> {
  const summer = openRowSummer()
  const columns = sql.join(table.columns.map((name) => sql.ref(name)))
  const count = Math.max(1, Math.min(1000, Math.floor(groupBytesMax / rowBytesMax)))
  await sql`declare moved cursor for select ${columns} from ${sql.table(table.name)}`.execute(db)
  for (;;) {
    const { rows } = await sql<AccountsRow>`fetch ${sql.lit(count)} from moved`.execute(db)
    if (rows.length === 0) break
    for (const row of rows) summer.add(toTexts(table, row))
  }
  await sql`close moved`.execute(db)
  return summer.sum()
}

/** The drivers return large integers differently. */
function toTexts({ columns }: AccountsTable, row: AccountsRow): readonly (string | null)[] {
  return columns.map((name) => {
    const cell = row[name] ?? null
    return cell === null ? null : String(cell)
  })
}

function isEqual(a: RowSum, b: RowSum): boolean {
  return a.count === b.count && a.checksum === b.checksum
}
