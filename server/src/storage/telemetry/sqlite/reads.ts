import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { limits as apiLimits } from '@assay/contract/limits.ts'
import type { SpanQuery, TraceQuery } from '../port/traces.ts'
import { inflate } from './blocks.ts'
import { prepareRows, readRows } from './database.ts'
import { type HistogramReads, openHistogramReads } from './histogram-reads.ts'
import { type LogReads, openLogReads } from './log-reads.ts'
import { type MetricReads, openMetricReads } from './metric-reads.ts'
import { countFitting, textSize } from './page-bytes.ts'
import type { At, TimePosition } from './positions.ts'
import { openPriceReads, type PriceReads } from './price-reads.ts'
import type { ReadLimits } from './read-limits.ts'
import { openScoreReads, type ScoreReads } from './score-reads.ts'
import { readBodyLocation, type SpanRow } from './span-columns.ts'
import { openSpanContent } from './span-contents.ts'
import { readBlock } from './statements/blocks.ts'
import { readTraceCount } from './statements/projects.ts'
import { oneSpan, pageOfSpans } from './statements/spans.ts'
import { readTrace, readTraces } from './statements/traces.ts'
import { openStatsReads, type StatsReads } from './stats-reads.ts'
import { openStorageReads, type StorageReads } from './storage-reads.ts'
import type { TraceRow } from './trace-columns.ts'
import { isFiltered, openTraceLists, type TraceListPage, type TraceLists } from './trace-lists.ts'

/*
 * The reads of a reader thread. Each runs in one snapshot.
 */

export interface Reads
  extends StatsReads,
    HistogramReads,
    MetricReads,
    LogReads,
    PriceReads,
    ScoreReads,
    StorageReads {
  trace(projectId: string, traceId: string): TraceRow | undefined
  traces(projectId: string, traceIds: readonly string[]): TraceRow[]
  tracePage(projectId: string, query: At<TimePosition, TraceQuery>): TraceRowPage
  spanPage(
    projectId: string,
    traceId: string,
    query: At<TimePosition, SpanQuery>,
  ): SpanRowPage | undefined
  span(projectId: string, traceId: string, spanId: string): SpanWithBody | undefined
}

export interface TraceRowPage extends TraceListPage {
  readonly total: number | null
}

export interface SpanRowPage {
  readonly trace: TraceRow
  readonly spans: readonly SpanRow[]
  readonly hasMore: boolean
  /** One per span, if bodies were requested. */
  readonly bodies: readonly string[] | null
}

export interface SpanWithBody {
  readonly row: SpanRow
  readonly body: string
}

// Instants are 64-bit integers: nothing starts before the first.
const firstInstant = -(2n ** 63n)

const pageBytes = apiLimits.pageBytes.value

export function openReads(db: DatabaseSync, limits: ReadLimits): Reads {
  const statements = {
    trace: prepareRows(db, readTrace),
    traces: prepareRows(db, readTraces),
    traceCount: prepareRows(db, readTraceCount),
    spans: prepareRows(db, pageOfSpans),
    span: prepareRows(db, oneSpan),
  }
  const lists = openTraceLists(db, limits)
  const readBodies = openBodies(db, limits)
  const fill = openSpanContent(db)

  const inSnapshot = <T>(read: () => T): T => {
    db.exec('BEGIN')
    try {
      return read()
    } finally {
      // A failure may have ended the transaction.
      if (db.isTransaction) db.exec('COMMIT')
    }
  }
  const trace = (projectId: string, traceId: string) =>
    statements.trace.get({ projectId, traceId }) as unknown as TraceRow | undefined

  return {
    ...openSummaries(db, limits, lists, inSnapshot),
    trace,
    traces: (projectId, traceIds) =>
      readRows(statements.traces, { projectId, traceIds: JSON.stringify(traceIds) }),

    tracePage: (projectId, query) =>
      inSnapshot(() => {
        const page = lists.page(projectId, query)
        const total = isFiltered(query.filters) ? null : readCount(statements.traceCount, projectId)
        return { ...page, total }
      }),

    spanPage: (projectId, traceId, { limit, after, bodies }) =>
      inSnapshot(() => {
        const row = trace(projectId, traceId)
        if (row === undefined) return undefined
        const found: SpanRow[] = readRows(statements.spans, {
          projectId,
          traceId,
          ...afterBindings(after),
          limit: limit + 1,
        })
        if (!bodies) {
          const spans = found.slice(0, countFitting(found, limit, textSize))
          return { trace: row, spans, hasMore: found.length > spans.length, bodies: null }
        }
        const own = found.slice(0, countFitting(found, limit, sizeWithBody))
        const filled = fill({ projectId, traceId }, own, readBodies(own), pageBytes)
        const spans = own.slice(0, filled.length)
        return { trace: row, spans, hasMore: found.length > spans.length, bodies: filled }
      }),

    span: (projectId, traceId, spanId) =>
      inSnapshot(() => {
        const row = statements.span.get({ projectId, traceId, spanId }) as unknown as
          | SpanRow
          | undefined
        if (row === undefined) return undefined
        const [body] = fill({ projectId, traceId }, [row], readBodies([row]), pageBytes)
        return { row, body: body! }
      }),
    ...openMetricReads(db, limits, inSnapshot),
    ...openLogReads(db, inSnapshot),
    ...openPriceReads(db, limits, inSnapshot),
    ...openScoreReads(db, inSnapshot),
  }
}

/** Reads that aggregate many traces. */
function openSummaries(
  db: DatabaseSync,
  limits: ReadLimits,
  lists: TraceLists,
  inSnapshot: <T>(read: () => T) => T,
): StatsReads & HistogramReads & StorageReads {
  const { stats, groups } = openStatsReads(db, limits, lists)
  const { histogram } = openHistogramReads(db, limits, lists)
  const { storage } = openStorageReads(db, limits)
  return {
    groups,
    stats: (projectId, query) => inSnapshot(() => stats(projectId, query)),
    histogram: (projectId, query) => inSnapshot(() => histogram(projectId, query)),
    storage: (projectId) => inSnapshot(() => storage(projectId)),
  }
}

function readCount(statement: StatementSync, projectId: string): number {
  const [count] = (statement.get(projectId) ?? [0]) as unknown as [number]
  return count
}

function afterBindings(after: TimePosition | undefined) {
  return { afterStart: after?.at ?? firstInstant, afterId: after?.id ?? '' }
}

function sizeWithBody(row: SpanRow): number {
  return textSize(row) + readBodyLocation(row).bodyBytes
}

/** Reads the bodies of spans, each block once. */
function openBodies(
  db: DatabaseSync,
  { check }: ReadLimits,
): (spans: readonly SpanRow[]) => string[] {
  const select = prepareRows(db, readBlock)
  return (spans) => {
    const blocks = new Map<number, Buffer>()
    const block = (blockNo: number): Buffer => {
      const known = blocks.get(blockNo)
      if (known !== undefined) return known
      check()
      const row = select.get(blockNo) as unknown as readonly [number, Uint8Array] | undefined
      if (row === undefined) throw new Error(`The bodies in block ${blockNo} are missing.`)
      const [isCompressed, data] = row
      const raw = inflate({ data, isCompressed: isCompressed === 1 })
      blocks.set(blockNo, raw)
      return raw
    }
    return spans.map((row) => {
      const { blockNo, bodyOffset, bodyBytes } = readBodyLocation(row)
      return block(blockNo).toString('utf8', bodyOffset, bodyOffset + bodyBytes)
    })
  }
}
