import type { Cell, Row } from './columns.ts'
import type { Connection, Parameters } from './connection.ts'
import { isTooMuchAtOnce } from './connection-errors.ts'

/*
 * Reads any number of rows in pages, each of which is one statement. How large rows are is only known once they are read, so
 * a page that turns out to be too large or too slow for one statement is continued with smaller ones.
 */

export type Key = readonly (readonly [name: string, type: 'String' | 'Int64'])[]

export interface PagedTable {
  readonly name: string
  /** As in `SELECT columns`. */
  readonly columns: string
  /** What its rows are read in the order of, after the project: the rest of the sort key of the table. */
  readonly key: Key
  /** Rows of a statement, if they are small. */
  readonly rowsAtOnce: number
}

const pageTimeoutMs = 60_000
/** A page of twice as many rows is below what a statement may return. */
const smallPageBytes = 64 * 1024 ** 2

/** The rows of a table that meet a condition on one project, as they arrive. */
export async function* readPages(
  connection: Pick<Connection, 'stream'>,
  table: PagedTable,
  condition: string,
  parameters: Parameters,
): AsyncGenerator<readonly Row[], void> {
  const { columns, rowsAtOnce } = table
  const width = columns.split(', ').length
  let after: Row | undefined
  let limit = rowsAtOnce
  for (let isMore = true; isMore; ) {
    const page = pageOf(table, condition, after)
    const given = { ...parameters, ...page.parameters, limit }
    let [count, bytes] = [0, 0]
    try {
      for await (const rows of connection.stream(page.text, given, { timeoutMs: pageTimeoutMs })) {
        after = rows.at(-1)?.slice(width) ?? after
        count += rows.length
        bytes += rows.reduce((sum, row) => sum + sizeOf(row), 0)
        yield rows.map((row) => row.slice(0, width))
      }
    } catch (error) {
      if (!isTooMuchAtOnce(error) || (limit === 1 && count === 0)) throw error
      // What has arrived is in order, and the next page begins after it.
      limit = Math.max(1, Math.floor(limit / 2))
      continue
    }
    isMore = count === limit
    if (bytes < smallPageBytes) limit = Math.min(2 * limit, rowsAtOnce)
  }
}

function pageOf({ name, columns, key }: PagedTable, condition: string, after?: Row) {
  const names = key.map(([column]) => column).join(', ')
  const given = key.map(([column, type]) => `{after_${column}:${type}}`).join(', ')
  const [first] = key
  const bound =
    after === undefined
      ? ''
      : `AND ${first?.[0]} >= {after_${first?.[0]}:${first?.[1]}} AND (${names}) > (${given})`
  const text = `SELECT ${columns}, ${names} FROM ${name} FINAL
    WHERE ${condition} ${bound}
    ORDER BY project_id, ${names} LIMIT {limit:UInt64}`
  const parameters: Readonly<Record<string, string>> = Object.fromEntries(
    key.map(([column], index) => [`after_${column}`, cellText(after?.[index] ?? null)]),
  )
  return { text, parameters: after === undefined ? {} : parameters }
}

function cellText(cell: Cell): string {
  return cell === null ? '' : String(cell)
}

/** The length of its texts. */
function sizeOf(row: Row): number {
  return row.reduce<number>((sum, cell) => {
    if (typeof cell === 'string') return sum + cell.length
    return Array.isArray(cell) ? sum + sizeOf(cell as Row) : sum
  }, 0)
}
