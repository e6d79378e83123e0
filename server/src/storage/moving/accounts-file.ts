import { DatabaseSync } from 'node:sqlite'
import { toStorableText } from '../../domain/json-text.ts'
import { migrations } from '../accounts/migrations.ts'
import { toFileError } from '../file-errors.ts'

/*
 * accounts.sqlite as the source of a move. It is not changed.
 */

export type Cell = string | number | bigint | null
export type AccountsRow = Readonly<Record<string, Cell>>

export interface AccountsTable {
  readonly name: string
  readonly columns: readonly string[]
}

export interface AccountsFile {
  /** Those that others refer to come first. */
  readonly tables: readonly AccountsTable[]
  /** Reads row by row. Errors are one line that names the table. */
  rows(table: AccountsTable): Iterable<AccountsRow>
  close(): void
}

/** Not rows of accounts. */
const ownTables = new Set(['migrations', 'installation_identity'])

/** Throws a one-line error when another version has written the file. */
export function openAccountsFile(file: string): AccountsFile {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 1000 })
  try {
    checkMigrations(db, file)
    const tables = sortByReferences(db).map((name) => ({ name, columns: columnsOf(db, name) }))
    return { tables, rows: (table) => rowsOf(db, file, table), close: () => db.close() }
  } catch (error) {
    db.close()
    throw toFileError(file, error)
  }
}

function checkMigrations(db: DatabaseSync, file: string): void {
  const applied = new Set(
    db
      .prepare('SELECT name FROM migrations')
      .all()
      .map(({ name }) => name),
  )
  const isSame =
    applied.size === migrations.length && migrations.every(({ name }) => applied.has(name))
  if (isSame) return
  throw new Error(
    `${file} was last used by another version of Assay. Start this version with it once, stop it, and repeat the command.`,
  )
}

/** The names of all tables, each after those that it refers to. */
function sortByReferences(db: DatabaseSync): readonly string[] {
  const names = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !ownTables.has(name))
    .toSorted()
  const sorted = new Set<string>()
  const visit = (name: string, above: readonly string[]) => {
    if (sorted.has(name)) return
    if (above.includes(name)) throw new Error(`The table ${name} refers to itself.`)
    for (const { table } of db.prepare(`PRAGMA foreign_key_list(${name})`).all()) {
      visit(String(table), [...above, name])
    }
    sorted.add(name)
  }
  for (const name of names) visit(name, [])
  return [...sorted]
}

function columnsOf(db: DatabaseSync, name: string): readonly string[] {
  return db
    .prepare(`PRAGMA table_info(${name})`)
    .all()
    .map((column) => String(column['name']))
}

function* rowsOf(db: DatabaseSync, file: string, { name, columns }: AccountsTable) {
  const statement = db.prepare(`SELECT ${columns.join(', ')} FROM ${name}`)
  statement.setReadBigInts(true)
  try {
    for (const row of statement.iterate()) {
      const cells = columns.map((column) => [column, toStorableCell(row[column])])
      yield Object.fromEntries(cells) as AccountsRow
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`The table ${name} of ${file} cannot be read to its end: ${reason}.`, { cause })
  }
}

function toStorableCell(value: unknown): Cell {
  return typeof value === 'string' ? toStorableText(value) : (value as Cell)
}
