import type { TraceReads } from '../port/traces.ts'
import { decodeAfter, decodeTime, encodeTime } from '../positions.ts'
import type { Engine } from './engine.ts'
import { decodeSortedAfter, openSortedTraces } from './sorted-traces.ts'
import { openSpanReads } from './span-reads.ts'
import { someTraces, traceCount } from './statements/traces.ts'
import { toTrace } from './trace-columns.ts'
import { openTraceLists } from './trace-lists.ts'

/*
 * The operations of the port that read traces and their spans.
 */

export function traceReads({ connection, read }: Engine): TraceReads {
  const spans = openSpanReads(connection)
  const lists = openTraceLists(connection)
  const sorted = openSortedTraces(connection)
  return {
    findTrace: (projectId, traceId, options) =>
      read(projectId, options, (statement) => spans.trace(projectId, traceId, statement)),

    async listTraces(projectId, query, options) {
      const { order = '-started', filters } = query
      if (order !== '-started') {
        const decoded = decodeSortedAfter({ ...query, order })
        const page = await read(projectId, options, (statement) =>
          sorted(projectId, decoded, statement),
        )
        return { ...page, total: null, isTotalEstimate: false }
      }
      const decoded = decodeAfter(query, decodeTime)
      return await read(projectId, options, async (statement) => {
        const { mode = '', ...others } = filters
        const isCounted = Object.values(others).every((value) => value === undefined)
        const [page, counted] = await Promise.all([
          lists.page(projectId, decoded, statement),
          isCounted ? connection.rows(traceCount, { project: projectId, mode }, statement) : [],
        ])
        const { traces, next, coverageStart } = page
        const total = isCounted ? Number(counted[0]?.[0] ?? 0) : null
        return {
          ...{ traces, coverageStart, total, isTotalEstimate: false },
          next: next && encodeTime(next),
        }
      })
    },

    findTraces: (projectId, traceIds, options) =>
      read(projectId, options, async (statement) => {
        const parameters = { project: projectId, ids: traceIds }
        const rows = await connection.rows(someTraces, parameters, statement)
        return rows.map((row) => toTrace(projectId, row))
      }),

    findSpan: (projectId, traceId, spanId, options) =>
      read(projectId, options, (statement) => spans.span([projectId, traceId, spanId], statement)),

    async readSpansJson(projectId, traceId, query, options) {
      const decoded = decodeAfter(query, decodeTime)
      return await read(projectId, options, (statement) =>
        spans.page(projectId, traceId, decoded, statement, reportLarge(options)),
      )
    },

    readSpanJson: (projectId, traceId, spanId, options) =>
      read(projectId, options, (statement) =>
        spans.spanJson([projectId, traceId, spanId], statement, reportLarge(options)),
      ),

    async readToolCalls(projectId, traceId, query, options) {
      const decoded = decodeAfter(query, decodeTime)
      return await read(projectId, options, (statement) =>
        spans.toolCalls(projectId, traceId, decoded, statement),
      )
    },
  }
}

/** Larger results are reported before they are read. */
const quickBytes = 1024 * 1024

function reportLarge(options: Parameters<TraceReads['readSpanJson']>[3]) {
  return (bytes: number) => {
    if (bytes > quickBytes) options?.onLargeRead?.(bytes)
  }
}
