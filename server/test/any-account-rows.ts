import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

/*
 * Rows in every table of accounts.sqlite, also in those that are added later: made from the schema, not by the service.
 */

const rowsPerTable = 2

/** Tables without accounts. Their rows are not made. */
const left = new Set(['migrations', 'installation_identity', 'installation', 'master_key'])

/** Adds some rows to every table that has none; returns the number of rows of each. */
export function addAnyRows(file: string): ReadonlyMap<string, number> {
  const db = new DatabaseSync(file)
  db.exec('PRAGMA foreign_keys = OFF')
  const tables = db
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name, sql }) => ({ name: String(name), sql: String(sql) }))
    .filter(({ name }) => !name.startsWith('sqlite_') && !left.has(name))
  for (const { name, sql } of tables) {
    if (db.prepare(`SELECT 1 FROM ${name}`).get() !== undefined) continue
    const columns = db.prepare(`PRAGMA table_info(${name})`).all()
    for (let row = 1; row <= rowsPerTable; row += 1) {
      const values = columns.map((column): SQLInputValue => {
        const own = String(column['name'])
        const listed = new RegExp(`${own} in \\(([^)]*)\\)`).exec(sql)?.[1]?.split(', ')[0]
        // Of the settled traces of its project.
        if (name === 'evaluation_rules' && own === 'position') return `1 ${row}`
        if (listed !== undefined)
          return listed.startsWith("'") ? listed.slice(1, -1) : Number(listed)
        const type = String(column['type']).toLowerCase()
        if (type === 'integer') return row
        if (type !== 'text') return row / 3
        return anyText(rootOf(db, name, own), row)
      })
      const places = columns.map(() => '?').join(', ')
      db.prepare(`INSERT INTO ${name} VALUES (${places})`).run(...values)
    }
  }
  const broken = db.prepare('PRAGMA foreign_key_check').all()
  if (broken.length > 0) throw new Error(`rows without references: ${JSON.stringify(broken)}`)
  const counts = tables.map(({ name }): readonly [string, number] => [
    name,
    Number(db.prepare(`SELECT count(*) AS count FROM ${name}`).get()?.['count']),
  ])
  db.close()
  return new Map(counts)
}

/** Text that not every encoding has; of a column that others refer to, they have the same. */
export function anyText(column: string, row: number): string {
  return `${column} ${row} ÄÖ 𝒳 '"\\`
}

/** The column that a column refers to in the end, so that both have the same text. */
function rootOf(db: DatabaseSync, table: string, column: string): string {
  const references = db.prepare(`PRAGMA foreign_key_list(${table})`).all()
  const found = references.find(({ from }) => from === column)
  return found === undefined
    ? `${table} ${column}`
    : rootOf(db, String(found['table']), String(found['to']))
}
