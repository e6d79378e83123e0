import type { DatabaseSync } from 'node:sqlite'
import type { SettledTraceQuery } from '../port/settling.ts'
import type { At, TimePosition } from '../positions.ts'
import { prepareRows, readRows } from './database.ts'
import { openQueryPlanner, scanBindings } from './query-plans.ts'
import { countSettled, examinedTraces, settledTraces } from './statements/settling.ts'
import { readTraceColumns, type TraceRow } from './trace-columns.ts'

/*
 * Reads traces in the order in which they settle, in a reader thread. A position is the time and the number of a trace.
 */

export interface SettlingReads {
  settledTraces(projectId: string, query: At<TimePosition, SettledTraceQuery>): SettledRows
}

export interface SettledRows {
  readonly traces: readonly (readonly [row: TraceRow, settledAt: string])[]
  readonly end: readonly [settledAt: string, traceNo: number] | undefined
  readonly remaining: number
}

const traceColumnCount = readTraceColumns.keys.length

export function openSettlingReads(
  db: DatabaseSync,
  inSnapshot: <T>(read: () => T) => T,
): SettlingReads {
  const planQuery = openQueryPlanner(db)
  const statements = {
    examined: prepareRows(db, examinedTraces),
    count: prepareRows(db, countSettled),
    traces: prepareRows(db, settledTraces),
  }
  statements.traces.setAllowUnknownNamedParameters(true)
  return {
    settledTraces: (projectId, query) =>
      inSnapshot(() => {
        const { filters, receivedSince, until, scanLimit, countLimit, after } = query
        // A trace settles when its first spans arrive at the earliest.
        const { at, id } = after ?? { at: receivedSince - 1n, id: '0' }
        const range = { projectId, until, afterAt: at, afterNo: Number(id) }
        const examined = readRows<readonly [string, number]>(statements.examined, {
          ...{ ...range, scanLimit },
        })
        const end = examined.at(-1)
        if (end === undefined) return { traces: [], end, remaining: 0 }
        const [endAt, endNo] = [BigInt(end[0]), end[1]]
        const behind = { ...range, afterAt: endAt, afterNo: endNo, receivedSince, countLimit }
        const [counted] = readRows<readonly [number]>(statements.count, behind)
        const bounds = scanBindings(projectId, filters)
        const plan = planQuery(projectId, filters, bounds)
        const page = { end, remaining: counted![0] }
        if (plan === undefined) return { traces: [], ...page }
        const rows = readRows<readonly unknown[]>(statements.traces, {
          ...{ ...bounds, ...plan.bindings, ...range, receivedSince },
          ...{ endAt, endNo },
        })
        const traces = rows.map(
          (row) =>
            [
              row.slice(0, traceColumnCount) as unknown as TraceRow,
              String(row[traceColumnCount]),
            ] as const,
        )
        return { traces, ...page }
      }),
  }
}
