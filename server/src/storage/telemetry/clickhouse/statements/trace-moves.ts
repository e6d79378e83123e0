import { scoreColumns } from '../score-columns.ts'
import { contentColumns, logColumns } from '../signal-columns.ts'
import { batchColumns, encodedColumns } from '../span-columns.ts'
import { labelColumns } from '../trace-labels.ts'

/*
 * Statements that move a trace from one project to another.
 */

const copy = (table: string, names: string) => `
  INSERT INTO ${table} (project_id, ${names})
  SELECT {to:String}, ${names} FROM ${table} FINAL
  WHERE project_id = {from:String} AND trace_id = {trace:String}`

const withoutProject = (names: string) => names.replace('project_id, ', '')

/** What a trace is computed from, in another project. */
export const copyRows = [
  copy('spans', `${withoutProject(batchColumns.names)}, ${encodedColumns.names}`),
  copy('trace_labels', withoutProject(labelColumns.names)),
  copy('scores', `arrived_on, version, ${scoreColumns.names}`),
  copy('logs', `arrived_on, ${logColumns.names}`),
  copy('span_contents', `arrived_on, ${contentColumns.names}`),
]

/** What was copied, in the order in which it is deleted. */
export const movedTables = [
  { table: 'logs', key: 'log_id', version: '0' },
  { table: 'span_contents', key: 'log_id', version: '0' },
  { table: 'scores', key: 'score_id', version: 'version' },
  { table: 'trace_labels', key: 'label', version: 'version' },
  { table: 'spans', key: 'span_id', version: 'version' },
] as const
type MovedTable = (typeof movedTables)[number]

/** As text whose order is that of the numbers, because `transform` knows none as large. */
const textOf = (version: string) => `leftPad(toString(${version}), 39, '0')`

/** The rows of a trace, in their newest versions. */
export const rowsOfTrace = ({ table, key, version }: MovedTable) => `
  SELECT ${key}, ${textOf(`max(${version})`)} FROM ${table}
  WHERE project_id = {project:String} AND trace_id = {trace:String}
  GROUP BY ${key}`

/** Of the rows of a trace, those of some keys up to their versions. */
export const deleteRows = ({ table, key, version }: MovedTable) => `
  DELETE FROM ${table}
  WHERE project_id = {project:String} AND trace_id = {trace:String}
    AND ${key} IN {keys:Array(String)}
    AND ${textOf(version)} <= transform(${key}, {keys:Array(String)}, {versions:Array(String)}, '')`

/**
 * How many spans the trace has in the project that it leaves, and how many of them have been copied: no two batches give
 * their spans the same version, and re-pricing changes only its last digits (hybrid-clock.ts).
 */
export const copiedSpans = `
  SELECT count(), countIf(
    (span_id, bitShiftRight(version, 12)) IN (
      SELECT span_id, bitShiftRight(version, 12) FROM spans
      WHERE project_id = {to:String} AND trace_id = {trace:String}
    )
  )
  FROM spans
  WHERE project_id = {from:String} AND trace_id = {trace:String}`
