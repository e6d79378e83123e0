import { scoreColumns } from '../score-columns.ts'
import { contentColumns, logColumns } from '../signal-columns.ts'
import { batchColumns, encodedColumns } from '../span-columns.ts'
import { labelColumns } from '../trace-labels.ts'

/*
 * Statements that move a trace from one project to another.
 */

const withoutProject = (names: string) => names.replace('project_id, ', '')

/** What a trace is computed from, without its project. */
export const copiedTables = [
  { table: 'spans', names: `${withoutProject(batchColumns.names)}, ${encodedColumns.names}` },
  { table: 'trace_labels', names: withoutProject(labelColumns.names) },
  { table: 'scores', names: `arrived_on, version, ${scoreColumns.names}` },
  { table: 'logs', names: `arrived_on, ${logColumns.names}` },
  { table: 'span_contents', names: `arrived_on, ${contentColumns.names}` },
] as const
type CopiedTable = (typeof copiedTables)[number]

/** As in `INSERT INTO`. */
export const copyOf = ({ table, names }: CopiedTable) => `${table} (project_id, ${names})`

/** The rows of a trace as those of another project. */
export const rowsToCopy = ({ table, names }: CopiedTable) => `
  SELECT {to:String}, ${names} FROM ${table} FINAL
  WHERE project_id = {from:String} AND trace_id = {trace:String}`

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
 * What shows that a span is a copy of another: no two batches give their spans the same version, and re-pricing changes
 * only its last digits (hybrid-clock.ts).
 */
export const recordedSpans = `
  SELECT DISTINCT span_id, toString(bitShiftRight(version, 12)) FROM spans
  WHERE project_id = {project:String} AND trace_id = {trace:String}`
