import type { TraceOrder } from '@assay/contract/traces.ts'
import { readTraceColumns } from '../trace-columns.ts'

/*
 * Statements of the list of traces in another order than newest first.
 */

const sizes: Readonly<Record<string, string>> = {
  started: 'toFloat64(started_at)',
  duration: 'toFloat64(ended_at - started_at)',
  cost: 'cost_usd',
  tokens: 'toFloat64(tokens_in + tokens_out)',
  errors: 'toFloat64(error_count)',
}

/** Lower ranks come first; an unknown value has the highest in both directions. */
const rankOf = (order: TraceOrder) => {
  const size = sizes[order.replace('-', '')]!
  return `coalesce(${order.startsWith('-') ? `-${size}` : size}, 1.7976931348623157e308)`
}

/** The next matching traces after a rank, each with its rank. */
export const sortedTraces = (order: TraceOrder, condition: string) => `
  SELECT ${readTraceColumns.names}, ${rankOf(order)} AS rank
  FROM traces FINAL
  WHERE project_id = {project:String}
    AND started_at >= {since:Int64}
    AND (rank, trace_id) > ({afterRank:Float64}, {afterId:String})
    AND ${condition}
  ORDER BY rank, trace_id
  LIMIT {limit:UInt64}`

/** The start of the matching trace after some others, newest first. */
export const newestBoundary = (condition: string) => `
  SELECT started_at
  FROM traces FINAL
  WHERE project_id = {project:String}
    AND ${condition}
  ORDER BY started_at DESC, trace_id DESC
  LIMIT 1 OFFSET {skip:UInt64}`
