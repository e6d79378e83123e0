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
  /** Of a row, among those of its trace. */
  readonly key: string
  /** Of the table, after the project. */
  readonly sortKey: Key
  readonly version: string
  /** Of the rows that move; by default all of the trace. */
  readonly condition?: string
}

const texts = (...names: readonly string[]): Key => names.map((name) => [name, 'String'])
const [fewRows, manyRows] = [500, 5000]

const spans: MovedTable = {
  ...{ table: 'spans', key: 'span_id', version: 'version' },
  ...{ sortKey: texts('trace_id', 'span_id'), rowsAtOnce: fewRows },
  names: `${withoutProject(batchColumns.names)}, ${encodedColumns.names}`,
}
const labels: MovedTable = {
  ...{ table: 'trace_labels', key: 'label', version: 'version' },
  ...{ sortKey: texts('trace_id', 'label'), rowsAtOnce: manyRows },
  names: withoutProject(labelColumns.names),
}
const scores: MovedTable = {
  ...{ table: 'scores', key: 'score_id', version: 'version' },
  ...{ sortKey: texts('trace_id', 'score_id'), rowsAtOnce: manyRows },
  names: `arrived_on, version, ${scoreColumns.names}`,
}
const logs: MovedTable = {
  ...{ table: 'logs', key: 'log_id', version: '0' },
  ...{ sortKey: [['at', 'Int64'], ...texts('log_id')], rowsAtOnce: manyRows },
  names: `arrived_on, ${logColumns.names}`,
}
const contents: MovedTable = {
  ...{ table: 'span_contents', key: 'log_id', version: '0' },
  ...{ sortKey: texts('trace_id', 'span_id', 'log_id'), rowsAtOnce: fewRows },
  names: `arrived_on, ${contentColumns.names}`,
}

/** What traces are computed from, in the order in which it is copied, which is not that in which it is deleted. */
export const copiedTables: readonly MovedTable[] = [spans, labels, scores, logs, contents]
export const deletedTables: readonly MovedTable[] = [logs, contents, scores, labels, spans]

const ofTags = `startsWith(label, '${tagPrefix}')`
/** What is added to a trace without spans. Other labels belong to the spans that they were sent with. */
export const tablesOfAdditions: readonly MovedTable[] = [{ ...labels, condition: ofTags }, scores]

const where = ({ condition = '1' }: MovedTable) => `${ofListed} AND ${condition}`

/** As in `INSERT INTO`. */
export const copyOf = ({ table, names }: MovedTable) => `${table} (project_id, ${names})`

/** The rows of some traces as those of another project. */
export const rowsToCopy = (moved: MovedTable) => `
  SELECT {to:String}, ${moved.names} FROM ${moved.table} FINAL
  WHERE ${where(moved)}`

/** The same rows without a project, for a server that cannot read from this one: the table and a condition. */
export const pagesToCopy = (moved: MovedTable): readonly [table: PagedTable, condition: string] => {
  const { table, names, sortKey, rowsAtOnce } = moved
  return [{ name: table, columns: names, key: sortKey, rowsAtOnce }, where(moved)]
}

/** As text whose order is that of the numbers, because `transform` knows none as large. */
const textOf = (version: string) => `leftPad(toString(${version}), 39, '0')`

/** The key of a row among those of all traces of its project, as one text. Its trace is listed, so that it has one. */
const inProject = (key: string) =>
  `concat(toString(length(assumeNotNull(trace_id))), ' ', assumeNotNull(trace_id), ${key})`

/** The rows of some traces, in their newest versions, trace by trace. */
export const rowsOfTraces = (moved: MovedTable) => {
  const { table, key, version } = moved
  return `
  SELECT trace_id, ${inProject(key)}, ${textOf(`max(${version})`)} FROM ${table}
  WHERE ${where(moved)}
  GROUP BY trace_id, ${key}
  ORDER BY trace_id, ${key}`
}

/** Of the rows of some traces, those of some keys up to their versions. */
export const deleteRows = ({ table, key, version }: MovedTable) => `
  DELETE FROM ${table}
  WHERE ${ofListed}
    AND ${inProject(key)} IN {keys:Array(String)}
    AND ${textOf(version)} <= transform(
      ${inProject(key)}, {keys:Array(String)}, {versions:Array(String)}, ''
    )`

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
