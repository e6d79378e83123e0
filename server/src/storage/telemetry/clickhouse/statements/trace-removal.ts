import { scoreColumns } from '../score-columns.ts'
import { contentColumns, logColumns } from '../signal-columns.ts'
import { batchColumns, encodedColumns } from '../span-columns.ts'
import { labelColumns } from '../trace-labels.ts'

/*
 * Statements that remove and move traces. Deletions are lightweight: rows are hidden at once and leave the disk when their
 * part is merged.
 */

/** In the order in which their rows are deleted. */
export const tablesOfTraces = [
  ...([
    'logs',
    'span_contents',
    'scores',
    'spans',
    'trace_labels',
    'trace_feed',
    'traces',
  ] as const),
] as const
/** Those of metrics, too. */
export const tablesOfProjects = [...tablesOfTraces, 'metric_series', 'metric_points'] as const
type Table = (typeof tablesOfProjects)[number]

export const deleteOfTraces = (table: Table) =>
  `DELETE FROM ${table} WHERE project_id = {project:String} AND trace_id IN {ids:Array(String)}`

export const deleteOfProject = (table: Table) =>
  `DELETE FROM ${table} WHERE project_id = {project:String}`

export const deleteOldSignals = (['metric_points', 'span_contents', 'logs'] as const).map(
  (table) => `DELETE FROM ${table} WHERE project_id = {project:String} AND at < {before:Int64}`,
)

export const seriesWithoutPoints = `
  SELECT DISTINCT series_id FROM metric_series
  WHERE project_id = {project:String}
    AND series_id NOT IN (
      SELECT series_id FROM metric_points WHERE project_id = {project:String}
    )
  LIMIT {limit:UInt64}`

export const deleteSeries = `
  DELETE FROM metric_series
  WHERE project_id = {project:String} AND series_id IN {series:Array(String)}`

export const oldestTraces = `
  SELECT trace_id FROM traces FINAL
  WHERE project_id = {project:String} AND started_at < {before:Int64}
  ORDER BY started_at, trace_id
  LIMIT {limit:UInt64}`

const copy = (table: Table, names: string) => `
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
