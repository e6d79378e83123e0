import type { TraceReads } from '../port/traces.ts'
import { decodeAfter, decodeTime, encodeTime } from '../positions.ts'
import type { Engine } from './engine.ts'
import { decodeSortedAfter, openSortedTraces } from './sorted-traces.ts'
import { openSpanReads } from './span-reads.ts'
import { someTraces } from './statements/traces.ts'
import { toTrace } from './trace-columns.ts'
import { isUnfiltered, openTraceCount } from './trace-count.ts'
import { openTraceLists } from './trace-lists.ts'

/*
 * The operations of the port that read traces and their spans.
 */

export function traceReads({ connection, read, lookup }: Engine): TraceReads {
  const spans = openSpanReads(connection)
  const lists = openTraceLists(connection)
  const sorted = openSortedTraces(connection, lists)
  const countTraces = openTraceCount(connection)
  return {
    findTrace: (projectId, traceId, options) =>
      lookup(projectId, options, (statement) => spans.trace(projectId, traceId, statement)),

    async listTraces(projectId, query, options) {
      const { order = '-started' } = query
      if (order !== '-started') {
        const decoded = decodeSortedAfter({ ...query, order })
        return await read(projectId, options, async (statement) => {
          const [page, total] = await Promise.all([
            sorted(projectId, decoded, statement),
            countTraces(projectId, query, statement),
          ])
          return { ...page, ...total }
        })
      }
      const decoded = decodeAfter(query, decodeTime)
      const run = isUnfiltered(query) ? lookup : read
      return await run(projectId, options, async (statement) => {
        const [page, total] = await Promise.all([
          lists.page(projectId, decoded, statement),
          countTraces(projectId, query, statement),
        ])
        const { traces, next, coverageStart } = page
        return {
          ...{ traces, coverageStart, ...total },
          next: next && encodeTime(next),
        }
      })
    },

    findTraces: (projectId, traceIds, options) =>
      lookup(projectId, options, async (statement) => {
        const parameters = { project: projectId, ids: traceIds }
        const rows = await connection.rows(someTraces, parameters, statement)
        return rows.map((row) => toTrace(projectId, row))
      }),

    findSpan: (projectId, traceId, spanId, options) =>
      lookup(projectId, options, (statement) =>
        spans.span([projectId, traceId, spanId], statement),
      ),

    async readSpansJson(projectId, traceId, query, options) {
      const decoded = decodeAfter(query, decodeTime)
      return await lookup(projectId, options, (statement) =>
        spans.page(projectId, traceId, decoded, statement, reportLarge(options)),
      )
    },

    readSpanJson: (projectId, traceId, spanId, options) =>
      lookup(projectId, options, (statement) =>
        spans.spanJson([projectId, traceId, spanId], statement, reportLarge(options)),
      ),

    async readToolCalls(projectId, traceId, query, options) {
      const decoded = decodeAfter(query, decodeTime)
      return await lookup(projectId, options, (statement) =>
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
