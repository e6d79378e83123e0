import type { DatabaseSync } from 'node:sqlite'
import type { JsonText } from '../../../../domain/json-text.ts'
import type { MetricKind, Temporality } from '../../../../domain/metric.ts'
import {
  DamagedRow,
  dayNanos,
  type MovedContent,
  type MovedLog,
  type MovedPoint,
  type MovedSeries,
  startOfDay,
} from '../../moved-rows.ts'
import { iterateRows, prepareRows, readRows } from '../database.ts'
import { type LogRow, logSelection, toLog } from '../log-columns.ts'

/*
 * Reads log records day by day, and metrics series by series.
 */

export function openSignalExport(db: DatabaseSync) {
  const statements = {
    logs: prepareRows(db, logsOfDay),
    content: prepareRows(db, contentOfLog),
    series: prepareRows(db, nextSeries),
    points: prepareRows(db, pointsOfSeries),
  }
  function* points(projectId: string, name: string, seriesNo: number): Generator<MovedPoint> {
    try {
      for (const row of iterateRows<PointRow>(statements.points, { seriesNo })) yield toPoint(row)
    } catch (error) {
      throw new DamagedRow(`points of the metric ${name} of project ${projectId}`, error)
    }
  }
  return {
    *logs(projectId: string, projectNo: number, day: string): Generator<MovedLog> {
      const from = startOfDay(day)
      const range = { projectNo, from, to: from + dayNanos }
      try {
        for (const row of iterateRows<LogRow>(statements.logs, range)) {
          const log = toLog(row)
          yield { ...log, content: findContent(projectNo, log) }
        }
      } catch (error) {
        throw new DamagedRow(`log records of ${day} of project ${projectId}`, error)
      }
    },

    series(projectId: string, projectNo: number, after: number, limit: number) {
      const rows = readSeries(projectId, { projectNo, after, limit })
      return rows.map(([seriesNo, id, name, ...row]): MovedSeries => {
        const [kind, unit, description, temporality, isMonotonic, ...rest] = row
        const [attributes, service, resource, scope] = rest
        return {
          ...{ id, name, kind, unit, description, temporality, attributes },
          ...{ service, resource, scope, position: seriesNo, isMonotonic: isMonotonic === 1 },
          points: () => points(projectId, name, seriesNo),
        }
      })
    },
  }

  function readSeries(projectId: string, range: Record<string, number>): readonly SeriesRow[] {
    try {
      return readRows<SeriesRow>(statements.series, range)
    } catch (error) {
      throw new DamagedRow(`metrics of project ${projectId}`, error)
    }
  }

  function findContent(projectNo: number, log: Omit<MovedLog, 'content'>): MovedContent | null {
    const { traceId, spanId, id } = log
    if (traceId === null || spanId === null) return null
    const found = statements.content.get({
      ...{ projectNo, traceId, spanId, logId: Buffer.from(id, 'hex') },
    }) as unknown as ContentRow | undefined
    if (found === undefined) return null
    const [observedAt, requestIndex, input, output] = found
    return { observedAt: BigInt(observedAt), requestIndex, input, output }
  }
}

const logsOfDay = `
  SELECT ${logSelection}
  FROM logs
  JOIN resource_scopes USING (resource_scope_no)
  WHERE logs.project_no = :projectNo AND at >= :from AND at < :to
  ORDER BY at, log_id
`

const contentOfLog = `
  SELECT CAST(observed_at AS TEXT), request_index, input, output
  FROM span_content
  WHERE project_no = :projectNo AND trace_id = :traceId AND span_id = :spanId AND log_id = :logId
`

type ContentRow = readonly [string, number, JsonText | null, JsonText | null]

const nextSeries = `
  SELECT
    series_no, lower(hex(series_id)), name, kind, unit, description, temporality, is_monotonic,
    attributes, service, resource, scope
  FROM metric_series
  JOIN resource_scopes USING (resource_scope_no)
  WHERE metric_series.project_no = :projectNo AND series_no > :after
  ORDER BY series_no
  LIMIT :limit
`

type SeriesRow = readonly [
  ...[seriesNo: number, id: string, name: string, kind: MetricKind, unit: string],
  ...[description: string, temporality: Temporality, isMonotonic: 0 | 1, attributes: JsonText],
  ...[service: string | null, resource: JsonText, scope: JsonText],
]

const pointsOfSeries = `
  SELECT CAST(at AS TEXT), CAST(started_at AS TEXT), value, distribution, exemplars
  FROM metric_points
  WHERE series_no = :seriesNo
  ORDER BY at
`

type PointRow = readonly [string, string | null, number | null, string | null, string | null]

function toPoint([at, startedAt, value, distribution, exemplars]: PointRow): MovedPoint {
  return {
    at: BigInt(at),
    startedAt: startedAt === null ? null : BigInt(startedAt),
    ...{ value, distribution, exemplars },
  }
}
