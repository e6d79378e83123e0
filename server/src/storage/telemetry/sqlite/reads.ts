import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { TraceFilters, TraceQuery } from '../port/traces.ts'
import type { At, TimePosition } from '../positions.ts'
import { type AgreementReads, openAgreementReads } from './agreement-reads.ts'
import { prepareRows, readRows } from './database.ts'
import { type HistogramReads, openHistogramReads } from './histogram-reads.ts'
import { type LogReads, openLogReads } from './log-reads.ts'
import { type MetricReads, openMetricReads } from './metric-reads.ts'
import { openPriceReads, type PriceReads } from './price-reads.ts'
import type { ReadLimits } from './read-limits.ts'
import { openScoreReads, type ScoreReads } from './score-reads.ts'
import { openSettlingReads, type SettlingReads } from './settling-reads.ts'
import { openSortedTraces, type SortedQuery, type SortedTracePage } from './sorted-traces.ts'
import { openSpanReads, type SpanReads } from './span-reads.ts'
import { readTraceCounts } from './statements/projects.ts'
import { readTraces } from './statements/traces.ts'
import { openStatsReads, type StatsReads } from './stats-reads.ts'
import { openStorageReads, type StorageReads } from './storage-reads.ts'
import type { TraceRow } from './trace-columns.ts'
import { isFiltered, openTraceLists, type TraceListPage, type TraceLists } from './trace-lists.ts'

/*
 * The reads of a reader thread. Each runs in one snapshot.
 */

export interface Reads
  extends SpanReads,
    StatsReads,
    HistogramReads,
    MetricReads,
    LogReads,
    PriceReads,
    ScoreReads,
    AgreementReads,
    SettlingReads,
    StorageReads {
  traces(projectId: string, traceIds: readonly string[]): TraceRow[]
  tracePage(projectId: string, query: At<TimePosition, TraceQuery>): TraceRowPage
  sortedTracePage(projectId: string, query: SortedQuery): SortedTraceRowPage
}

export interface TraceRowPage extends TraceListPage {
  readonly total: number | null
}

export interface SortedTraceRowPage extends SortedTracePage {
  readonly total: number | null
}

export function openReads(db: DatabaseSync, limits: ReadLimits): Reads {
  const statements = {
    traces: prepareRows(db, readTraces),
    traceCounts: prepareRows(db, readTraceCounts),
  }
  const lists = openTraceLists(db, limits)
  const sortedPage = openSortedTraces(db, lists)

  const inSnapshot = <T>(read: () => T): T => {
    db.exec('BEGIN')
    try {
      return read()
    } finally {
      // A failure may have ended the transaction.
      if (db.isTransaction) db.exec('COMMIT')
    }
  }

  return {
    ...openSummaries(db, limits, lists, inSnapshot),
    ...openSpanReads(db, limits, inSnapshot),
    traces: (projectId, traceIds) =>
      readRows(statements.traces, { projectId, traceIds: JSON.stringify(traceIds) }),

    tracePage: (projectId, query) =>
      inSnapshot(() => {
        const page = lists.page(projectId, query)
        return { ...page, total: readTotal(statements.traceCounts, projectId, query.filters) }
      }),
    sortedTracePage: (projectId, query) =>
      inSnapshot(() => {
        const page = sortedPage(projectId, query)
        return { ...page, total: readTotal(statements.traceCounts, projectId, query.filters) }
      }),
    ...openMetricReads(db, limits, inSnapshot),
    ...openLogReads(db, inSnapshot),
    ...openPriceReads(db, limits, inSnapshot),
    ...openScoreReads(db, inSnapshot),
    ...openAgreementReads(db, inSnapshot),
    ...openSettlingReads(db, inSnapshot),
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

/** Null with filters that are not counted. */
function readTotal(
  statement: StatementSync,
  projectId: string,
  { mode, ...others }: TraceFilters,
): number | null {
  if (isFiltered(others)) return null
  const [all, simulations] = (statement.get(projectId) ?? [0, 0]) as unknown as [number, number]
  if (mode === undefined) return all
  return mode === 'simulation' ? simulations : all - simulations
}
