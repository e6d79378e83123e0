import type { TracePage, TraceQuery } from '../port/traces.ts'
import type { Connection, StatementOptions } from './connection.ts'
import { firstTraces, traceRows } from './statements/trace-count.ts'

/*
 * How many traces a project has. The first rows are counted without earlier states of traces, which merges have not dropped
 * yet. Of a project with more, all rows are counted, which is quick, and as large a share of them is deducted.
 */

type TraceTotal = Pick<TracePage, 'total' | 'isTotalEstimate'>

/** Of one project, earlier states included. */
const countedRowsMax = 20_000

/** Of all traces, or those of a mode; null with other filters. */
export function openTraceCount(connection: Connection, rowsMax = countedRowsMax) {
  return async (
    projectId: string,
    query: TraceQuery,
    options: StatementOptions,
  ): Promise<TraceTotal> => {
    if (!isUnfiltered(query)) return { total: null, isTotalEstimate: false }
    const ofMode = { project: projectId, mode: query.filters.mode ?? '' }
    const [first] = await connection.rows(firstTraces, { ...ofMode, rowsMax }, options)
    const [counted, last] = [Number(first?.[0] ?? 0), first?.[1] ?? null]
    if (last === null) return { total: counted, isTotalEstimate: false }
    const [rows] = await connection.rows(traceRows, { ...ofMode, last: String(last) }, options)
    const [all = 0, countedRows = 0] = rows?.map(Number) ?? []
    const share = countedRows === 0 ? 1 : counted / countedRows
    return { total: Math.round(all * share), isTotalEstimate: true }
  }
}

/** Whether all traces are requested, or those of a mode. */
export function isUnfiltered({ filters: { mode: _, ...others } }: TraceQuery): boolean {
  return Object.values(others).every((value) => value === undefined)
}
