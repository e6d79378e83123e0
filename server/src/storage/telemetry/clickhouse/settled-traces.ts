import type { SettledTracePage, SettledTraceQuery, Settling } from '../port/settling.ts'
import { decodeAfter, decodeTime, encodeTime, type TimePosition } from '../positions.ts'
import type { Connection, StatementOptions } from './connection.ts'
import type { Engine } from './engine.ts'
import { listedWithinMs } from './listed-within.ts'
import { countSettled, lastSettled, settledTraces } from './statements/settled-traces.ts'
import { readTraceColumns, toTrace } from './trace-columns.ts'
import { toCondition } from './trace-filters.ts'

/*
 * Traces in the order in which they settle, with equal times in that of their ids.
 */

export function settlingOperations({ connection, read }: Engine): Settling {
  const list = openSettledTraces(connection)
  return {
    listedWithinMs: () => listedWithinMs,
    async listSettledTraces(projectId, query, options) {
      const decoded = decodeAfter(query, decodeTime)
      return await read(projectId, options, (statement) => list(projectId, decoded, statement))
    },
  }
}

type Query = Omit<SettledTraceQuery, 'after'> & { readonly after?: TimePosition }

function openSettledTraces(connection: Connection) {
  return async (
    projectId: string,
    { filters, receivedSince, until, scanLimit, countLimit, after }: Query,
    options: StatementOptions,
  ): Promise<SettledTracePage> => {
    const { text, parameters } = toCondition(filters)
    // A trace settles when its first spans arrive at the earliest.
    const from = after ?? { at: receivedSince - 1n, id: '' }
    const range = { project: projectId, afterAt: from.at, afterId: from.id, until }
    const [last] = await connection.rows(lastSettled, { ...range, limit: scanLimit }, options)
    if (last === undefined || Number(last[2]) === 0) {
      return { traces: [], end: undefined, remaining: 0 }
    }
    const end = { at: BigInt(String(last[0])), id: String(last[1]) }
    const [rows, [counted]] = await Promise.all([
      connection.rows(
        settledTraces(text),
        { ...range, ...parameters, receivedSince, endAt: end.at, endId: end.id },
        options,
      ),
      connection.rows(
        countSettled,
        { ...range, afterAt: end.at, afterId: end.id, receivedSince, limit: countLimit },
        options,
      ),
    ])
    const traces = rows.map((row) => {
      const trace = toTrace(projectId, row)
      const at = BigInt(String(row[settledColumn]))
      return { trace, settledAt: at, position: encodeTime({ at, id: trace.traceId }) }
    })
    return {
      traces,
      end: { position: encodeTime(end), settledAt: end.at },
      remaining: Number(counted?.[0] ?? 0),
    }
  }
}

const settledColumn = readTraceColumns.count
