import { isScan } from '../log-scan.ts'
import type { LogReads } from '../port/logs.ts'
import type { MetricReads } from '../port/metrics.ts'
import type { ReadOptions } from '../port/read-options.ts'
import type { StatsReads } from '../port/stats.ts'
import type { StorageReads } from '../port/storage-used.ts'
import type { TracePage, TraceReads } from '../port/traces.ts'
import {
  decodeAfter,
  decodeMetric,
  decodeSorted,
  decodeTime,
  encodeSorted,
  encodeTime,
} from '../positions.ts'
import { parseBody } from './body-text.ts'
import type { ReaderPool } from './reader-pool.ts'
import type { TraceRowPage } from './reads.ts'
import { toSpanHead } from './span-columns.ts'
import type { LargeResult } from './span-reads.ts'
import { groupPage, toStats } from './stats-results.ts'
import { toTrace } from './trace-columns.ts'
import { isFiltered } from './trace-lists.ts'

/*
 * The read operations of the store, on the main thread: decodes positions, sends each read to a thread and
 * converts its rows to results of the port.
 */

interface Dependencies {
  readonly pool: Pick<ReaderPool, 'lookup' | 'scan'>
  /** Throws once the store is closed. */
  readonly checkOpen: () => void
}

type ReadOperations = TraceReads & StatsReads & StorageReads & MetricReads & LogReads

export function readOperations(dependencies: Dependencies): ReadOperations {
  return {
    ...traceReads(dependencies),
    ...summaryReads(dependencies),
    ...signalReads(dependencies),
  }
}

function traceReads({ pool, checkOpen }: Dependencies): TraceReads {
  return {
    async findTrace(projectId, traceId, options) {
      checkOpen()
      const row = await pool.lookup('trace', [projectId, traceId], options)
      return row === undefined ? undefined : toTrace(projectId, row)
    },
    async listTraces(projectId, query, options) {
      checkOpen()
      const { order = '-started' } = query
      if (order !== '-started') {
        const sorted = { ...decodeAfter(query, decodeSorted), order }
        const page = await pool.scan('sortedTracePage', [projectId, sorted], options)
        return tracePage(projectId, page, encodeSorted)
      }
      const read = isFiltered(query.filters) ? pool.scan : pool.lookup
      const decoded = decodeAfter(query, decodeTime)
      const page = await read('tracePage', [projectId, decoded], options)
      return tracePage(projectId, page, encodeTime)
    },
    async findTraces(projectId, traceIds, options) {
      checkOpen()
      const rows = await pool.lookup('traces', [projectId, traceIds], options)
      return rows.map((row) => toTrace(projectId, row))
    },
    async findSpan(projectId, traceId, spanId, options) {
      checkOpen()
      const found = await pool.lookup('span', [projectId, traceId, spanId], options)
      return found === undefined
        ? undefined
        : { ...toSpanHead(found.row), body: parseBody(found.body) }
    },
    async readSpansJson(projectId, traceId, query, options) {
      checkOpen()
      const decoded = decodeAfter(query, decodeTime)
      const page = await readSized(pool, options, (read, maxBytes) =>
        read('spansJson', [projectId, traceId, decoded, maxBytes], options),
      )
      if (page === undefined) return undefined
      const { trace, next, ...rest } = page
      return { ...rest, trace: toTrace(projectId, trace), next: next && encodeTime(next) }
    },
    async readSpanJson(projectId, traceId, spanId, options) {
      checkOpen()
      const span = await readSized(pool, options, (read, maxBytes) =>
        read('spanJson', [projectId, traceId, spanId, maxBytes], options),
      )
      return span?.json
    },
    async readToolCalls(projectId, traceId, query, options) {
      checkOpen()
      const decoded = decodeAfter(query, decodeTime)
      const page = await pool.lookup('toolCalls', [projectId, traceId, decoded], options)
      return { ...page, next: page.next && encodeTime(page.next) }
    },
  }
}

/** Larger results are read by the threads for scans, so that quick reads do not wait for them. */
const quickBytes = 1024 * 1024

async function readSized<Result extends object>(
  pool: Dependencies['pool'],
  options: ReadOptions | undefined,
  read: (run: ReaderPool['lookup'], maxBytes: number) => Promise<Result | LargeResult | undefined>,
): Promise<Result | undefined> {
  const found = await read(pool.lookup, quickBytes)
  if (found === undefined || !('largeBytes' in found)) return found
  options?.onLargeRead?.(found.largeBytes)
  // Without a maximum, there is always a result.
  return (await read(pool.scan, Number.POSITIVE_INFINITY)) as Result | undefined
}

function summaryReads({ pool, checkOpen }: Dependencies): StatsReads & StorageReads {
  return {
    async readStats(projectId, query, options) {
      checkOpen()
      return toStats(await pool.scan('stats', [projectId, query], options))
    },
    async readHistogram(projectId, query, options) {
      checkOpen()
      return await pool.scan('histogram', [projectId, query], options)
    },
    async listGroups(projectId, query, options) {
      checkOpen()
      const decoded = decodeAfter(query, decodeTime)
      return groupPage(await pool.lookup('groups', [projectId, decoded], options), query.limit)
    },
    async readStorage(projectId, options) {
      checkOpen()
      return await pool.scan('storage', [projectId], options)
    },
  }
}

function signalReads({ pool, checkOpen }: Dependencies): MetricReads & LogReads {
  return {
    async listMetrics(projectId, query, options) {
      checkOpen()
      return await pool.scan('metricPage', [projectId, decodeAfter(query, decodeMetric)], options)
    },
    async readSeries(projectId, name, query, options) {
      checkOpen()
      return await pool.scan('series', [projectId, name, query], options)
    },
    async listLogs(projectId, query, options) {
      checkOpen()
      const read = isScan(query.filters) ? pool.scan : pool.lookup
      return await read('logPage', [projectId, decodeAfter(query, decodeTime)], options)
    },
  }
}

function tracePage<Position>(
  projectId: string,
  { traces, next, ...rest }: Omit<TraceRowPage, 'next'> & { readonly next: Position | undefined },
  encode: (position: Position) => string,
): TracePage {
  const page = traces.map((row) => toTrace(projectId, row))
  return { ...rest, traces: page, next: next && encode(next), isTotalEstimate: false }
}
