import { scoreColumns } from '../score-columns.ts'
import { contentColumns, logColumns } from '../signal-columns.ts'
import { batchColumns, encodedColumns } from '../span-columns.ts'
import { labelColumns } from '../trace-labels.ts'

/*
 * Statements that move traces from one project to another.
 */

const withoutProject = (names: string) => names.replace('project_id, ', '')

/** What traces are computed from, without their project. */
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

/** The rows of some traces as those of another project. */
export const rowsToCopy = ({ table, names }: CopiedTable) => `
  SELECT {to:String}, ${names} FROM ${table} FINAL
  WHERE project_id = {from:String} AND trace_id IN {ids:Array(String)}`

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

/** The key of a row among those of all traces of its project, as one text. Its trace is listed, so that it has one. */
const inProject = (key: string) =>
  `concat(toString(length(assumeNotNull(trace_id))), ' ', assumeNotNull(trace_id), ${key})`

const ofListed = 'project_id = {project:String} AND trace_id IN {ids:Array(String)}'

/** The rows of some traces, in their newest versions, trace by trace. */
export const rowsOfTraces = ({ table, key, version }: MovedTable) => `
  SELECT trace_id, ${inProject(key)}, ${textOf(`max(${version})`)} FROM ${table}
  WHERE ${ofListed}
  GROUP BY trace_id, ${key}
  ORDER BY trace_id, ${key}`

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
