import type { Mode } from '../../../../domain/span.ts'
import type { Dimension } from '../../aggregates/trace-rollup.ts'
import { stopCheck } from '../read-limits.ts'

/** The stored number of a dimension, of live traces. Never renumbered. */
export const dimensionNo = {
  all: 1,
  name: 2,
  environment: 3,
  model: 4,
  cell: 5,
  call: 6,
} as const satisfies Readonly<Record<Dimension, number>>

const modeOffset = { live: 0, simulation: 10 } as const satisfies Readonly<Record<Mode, number>>

export function toDimensionNo(dimension: Dimension, mode: Mode): number {
  return dimensionNo[dimension] + modeOffset[mode]
}

/** One number, or without a mode those of both. */
export function toDimensionNos(dimension: Dimension, mode: Mode | undefined): readonly number[] {
  const modes = mode === undefined ? (['live', 'simulation'] as const) : [mode]
  return modes.map((one) => toDimensionNo(dimension, one))
}

export const groupKindNo = { session: 1, user: 2 } as const

const aggregates = `count, errors, calls, unpriced, tokens_in, tokens_out, cost_nanos`

export const findHour = `
  SELECT ${aggregates}, latencies
  FROM hourly_rollups
  WHERE project_no = ? AND dimension = ? AND hour = ? AND value = ?
`

export const putHour = `
  INSERT OR REPLACE INTO hourly_rollups (
    ${aggregates}, latencies, project_no, dimension, hour, value
  ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
`

export const deleteHour = `
  DELETE FROM hourly_rollups WHERE project_no = ? AND dimension = ? AND hour = ? AND value = ?
`

const sums = `
    sum(count), sum(errors), sum(calls), sum(unpriced), sum(tokens_in), sum(tokens_out),
    sum(cost_nanos), group_concat(latencies, '')
`

/** Sums by value and bucket of `:hours` hours, highest counts first, with the latency arrays concatenated. */
export const readHours = `
  SELECT hour / CAST(:hours AS INTEGER), value, ${sums}
  FROM hourly_rollups
  WHERE project_no = (SELECT project_no FROM projects WHERE project_id = :projectId)
    AND dimension IN (SELECT json_each.value FROM json_each(:dimensions))
    AND hour >= :from
    AND hour < :to
    AND ${stopCheck('hour')}
  GROUP BY 1, 2
  ORDER BY 3 DESC, 2
  LIMIT :limit
`

/** The same for the newest rows, with their number and first hour; optionally only for rows with tags. */
export const readDimensionHours = `
  SELECT hour / CAST(:hours AS INTEGER), value, ${sums}, count(*), min(hour)
  FROM (
    SELECT hour, value, ${aggregates}, latencies
    FROM hourly_rollups
    WHERE project_no = (SELECT project_no FROM projects WHERE project_id = :projectId)
      AND dimension = :dimension
      AND hour >= :from
      AND hour < :to
      AND ${stopCheck('hour')}
      AND (NOT :tagged OR substr(value, 1, 4) <> '[[],')
    ORDER BY hour DESC
    LIMIT :limit
  )
  GROUP BY 1, 2
`

/** Sessions and users: sums are maintained, the first and last trace are looked up. */
export const addToGroup = `
  INSERT INTO trace_groups (
    project_no, kind, value, traces, errors, spans, calls, unpriced, tokens_in, tokens_out,
    cost_nanos, first_at, last_at
  ) VALUES (
    :projectNo, :kind, :value, :traces, :errors, :spans, :calls, :unpriced, :tokensIn, :tokensOut,
    :costNanos, 0, 0
  )
  ON CONFLICT (project_no, kind, value) DO UPDATE
  SET traces     = traces + excluded.traces,
      errors     = errors + excluded.errors,
      spans      = spans + excluded.spans,
      calls      = calls + excluded.calls,
      unpriced   = unpriced + excluded.unpriced,
      tokens_in  = tokens_in + excluded.tokens_in,
      tokens_out = tokens_out + excluded.tokens_out,
      cost_nanos = cost_nanos + excluded.cost_nanos
`

export const deleteEmptyGroup = `
  DELETE FROM trace_groups
  WHERE project_no = :projectNo AND kind = :kind AND value = :value AND traces = 0
`

const updateGroupRange = (column: string) => `
  UPDATE trace_groups
  SET (first_at, last_at) = (
    SELECT min(started_at), max(started_at)
    FROM (
      SELECT * FROM (
        SELECT started_at FROM traces
        WHERE project_no = :projectNo AND ${column} = :value
        ORDER BY started_at LIMIT 1
      )
      UNION ALL
      SELECT * FROM (
        SELECT started_at FROM traces
        WHERE project_no = :projectNo AND ${column} = :value
        ORDER BY started_at DESC LIMIT 1
      )
    )
  )
  WHERE project_no = :projectNo AND kind = :kind AND value = :value
`

export const updateSessionRange = updateGroupRange('session_id')
export const updateUserRange = updateGroupRange('user_id')

export const readGroups = `
  SELECT value, traces, errors, spans, calls, unpriced, tokens_in, tokens_out, cost_nanos,
    CAST(first_at AS TEXT), CAST(last_at AS TEXT)
  FROM trace_groups INDEXED BY trace_groups_by_last_at
  WHERE project_no = (SELECT project_no FROM projects WHERE project_id = :projectId)
    AND kind = :kind
    AND last_at >= :from
    AND (last_at, value) < (:beforeAt, :beforeValue)
  ORDER BY last_at DESC, value DESC
  LIMIT :limit
`

/** Ordered by hour. */
export const readHourCounts = `
  SELECT hour, sum(count), sum(errors)
  FROM hourly_rollups
  WHERE project_no = (SELECT project_no FROM projects WHERE project_id = :projectId)
    AND dimension IN (SELECT json_each.value FROM json_each(:dimensions))
    AND hour >= :from
    AND hour < :to
    AND value = :value
  GROUP BY hour
  ORDER BY hour
`
