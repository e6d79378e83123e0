import type { Key, PagedTable } from '../read-pages.ts'
import { scoreColumns } from '../score-columns.ts'
import { contentColumns, logColumns } from '../signal-columns.ts'
import { batchColumns, encodedColumns } from '../span-columns.ts'
import { labelColumns, tagPrefix } from '../trace-labels.ts'

/*
 * Statements that move traces from one project to another.
 */

const ofListed = 'project_id = {project:String} AND trace_id IN {ids:Array(String)}'

const withoutProject = (names: string) => names.replace('project_id, ', '')

export interface MovedTable extends Pick<PagedTable, 'rowsAtOnce'> {
  readonly table: string
  /** What is copied, without the project. */
  readonly names: string
  /** What identifies a row in its project, as one text. It follows from the sort key. */
  readonly identity: string
  /** Of the table, after the project. */
  readonly sortKey: Key
  /** Rows of a table without one are equal if they have the same identity. */
  readonly version?: string
  /** Of the rows that move; by default all of the trace. */
  readonly condition?: string
}

const texts = (...names: readonly string[]): Key => names.map((name) => [name, 'String'])
/** Of an INSERT or DELETE, and fewer of tables whose rows are large. */
const [fewRows, manyRows] = [2000, 5000]

const inTrace = (column: string) => `toString(length(trace_id)) || ' ' || trace_id || ${column}`

export const spans: MovedTable = {
  ...{ table: 'spans', identity: inTrace('span_id'), version: 'version' },
  ...{ sortKey: texts('trace_id', 'span_id'), rowsAtOnce: fewRows },
  names: `${withoutProject(batchColumns.names)}, ${encodedColumns.names}`,
}
const labels: MovedTable = {
  ...{ table: 'trace_labels', identity: inTrace('label'), version: 'version' },
  ...{ sortKey: texts('trace_id', 'label'), rowsAtOnce: manyRows },
  names: withoutProject(labelColumns.names),
}
const scores: MovedTable = {
  ...{ table: 'scores', identity: inTrace('score_id'), version: 'version' },
  ...{ sortKey: texts('trace_id', 'score_id'), rowsAtOnce: manyRows },
  names: `arrived_on, version, ${scoreColumns.names}`,
}
const logs: MovedTable = {
  ...{ table: 'logs', identity: 'log_id', rowsAtOnce: manyRows },
  sortKey: [['at', 'Int64'], ...texts('log_id')],
  names: `arrived_on, ${logColumns.names}`,
}
const contents: MovedTable = {
  ...{ table: 'span_contents', identity: 'log_id', rowsAtOnce: fewRows },
  sortKey: texts('trace_id', 'span_id', 'log_id'),
  names: `arrived_on, ${contentColumns.names}`,
}

/** What traces are computed from, in the order in which it is copied, which is not that in which it is deleted. */
export const copiedTables: readonly MovedTable[] = [spans, labels, scores]
export const deletedTables: readonly MovedTable[] = [scores, labels, spans]
/** Log records and what came from them, of which a trace may have any number. */
export const tablesOfRecords: readonly MovedTable[] = [logs, contents]

const ofTags = `startsWith(label, '${tagPrefix}')`
/** What is added to a trace without spans. Other labels belong to the spans that they were sent with. */
export const tablesOfAdditions: readonly MovedTable[] = [{ ...labels, condition: ofTags }, scores]

const where = ({ condition = '1' }: MovedTable) => `${ofListed} AND ${condition}`

/** As in `INSERT INTO`. */
export const copyOf = ({ table, names }: MovedTable) => `${table} (project_id, ${names})`

/** The columns that a row is found by: its identity, its version and its position. */
export const keyColumns = ({ identity, version = '0', sortKey: [first] }: MovedTable) =>
  `${identity}, toString(${version}), toString(${first?.[0]})`

/** The rows of some traces in the order of the table, in their newest versions: the table and a condition. */
export const pagesOf = (
  moved: MovedTable,
  columns: string,
): readonly [table: PagedTable, condition: string] => {
  const { table, sortKey, rowsAtOnce } = moved
  return [{ name: table, columns, key: sortKey, rowsAtOnce }, where(moved)]
}

/** Of the rows of some traces, those that are in one of several lists of identities, which are between two positions. */
const listedRows = (
  moved: MovedTable,
  listCount: number,
  andOfList: (list: number) => string = () => '',
) => {
  const { identity, sortKey } = moved
  const [position, type] = sortKey[0] ?? []
  const lists = Array.from(
    { length: listCount },
    (_, list) => `(${identity} IN {keys${list}:Array(String)} ${andOfList(list)})`,
  )
  return `${where(moved)}
    AND ${position} >= {first:${type}} AND ${position} <= {last:${type}}
    AND (${lists.join('\n      OR ')})`
}

/** Copies listed rows to another project. What they are found by is the same in all versions of a row. */
export const copyListed = (moved: MovedTable, listCount: number) => `
  INSERT INTO ${copyOf(moved)}
  SELECT {to:String}, ${moved.names} FROM ${moved.table} FINAL
  PREWHERE ${listedRows(moved, listCount)}`

/** The versions of listed rows, by their identities. */
export const versionsOfListed = (moved: MovedTable, listCount: number) => {
  const { table, identity, version = '0' } = moved
  return `
  SELECT ${identity} AS id, toString(max(${version})) FROM ${table}
  WHERE ${listedRows(moved, listCount)}
  GROUP BY id`
}

/** As text whose order is that of the numbers, because `transform` knows none as large. */
const textOf = (version: string) => `leftPad(toString(${version}), ${versionDigits}, '0')`
export const versionDigits = 39

/** Deletes listed rows up to their versions. */
export const deleteListed = (moved: MovedTable, listCount: number) => {
  const { table, identity, version } = moved
  const upToVersion = (list: number) =>
    version === undefined
      ? ''
      : `AND ${textOf(version)} <= transform(
          ${identity}, {keys${list}:Array(String)}, {versions${list}:Array(String)}, ''
        )`
  return `DELETE FROM ${table} WHERE ${listedRows(moved, listCount, upToVersion)}`
}

/**
 * What shows that a span is a copy of another: no two batches give their spans the same version, and re-pricing changes
 * only its last digits (hybrid-clock.ts).
 */
export const recordedSpans = `
  SELECT DISTINCT trace_id, span_id, toString(bitShiftRight(version, 12)) FROM spans
  WHERE ${ofListed}`

/** Those of some traces that have scores or changes of tags, but no spans. */
export const tracesOfAdditions = `
  SELECT DISTINCT trace_id
  FROM (${tablesOfAdditions.map((moved) => `SELECT trace_id FROM ${moved.table} WHERE ${where(moved)}`).join(' UNION ALL ')})
  WHERE trace_id NOT IN (SELECT trace_id FROM spans WHERE ${ofListed})`
