import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { StorageUsed, StoredSignal } from '../port/storage-used.ts'
import { prepareRows, readRows } from './database.ts'
import type { ReadLimits } from './read-limits.ts'
import {
  endsOfLogs,
  endsOfPoints,
  endsOfScores,
  endsOfTraces,
  readRowCounts,
  sampleOfLogs,
  sampleOfPoints,
  sampleOfScores,
  sampleOfTraces,
  sizeOfSpans,
} from './statements/row-counts.ts'

/*
 * The storage used by a project: stored counts, and bytes estimated from samples.
 */

export interface StorageReads {
  storage(projectId: string): StorageUsed
}

/** How many instants are sampled, and how many rows at each. */
const samplePoints = 40
const rowsPerSample = 5
const sampledSpans = 500
const sampledPoints = 1000

type TimeBounds = readonly [first: bigint, last: bigint] | undefined

export function openStorageReads(db: DatabaseSync, { check }: ReadLimits): StorageReads {
  const stored = prepareRows(db, readRowCounts)
  const ends = {
    traces: prepareRows(db, endsOfTraces),
    logs: prepareRows(db, endsOfLogs),
    points: prepareRows(db, endsOfPoints),
    scores: prepareRows(db, endsOfScores),
  }
  const samples = {
    traces: prepareRows(db, sampleOfTraces),
    logs: prepareRows(db, sampleOfLogs),
    points: prepareRows(db, sampleOfPoints),
    scores: prepareRows(db, sampleOfScores),
  }
  const spanSize = prepareRows(db, sizeOfSpans)
  const fileBytes = openFileBytes(db)

  const readBounds = (statement: StatementSync, projectId: string): TimeBounds => {
    const row = statement.get({ projectId }) as unknown as readonly [string | null, string | null]
    return row[0] === null || row[1] === null ? undefined : [BigInt(row[0]), BigInt(row[1])]
  }
  const sampleTraces = (projectId: string, at: TimeBounds) => {
    const sizes: number[] = []
    let spans = 0
    let spanBytes = 0
    const rows = sampleEvenly<readonly [traceNo: number, spanCount: number, bytes: number]>(
      samples.traces,
      projectId,
      at,
    )
    for (const [traceNo, , bytes] of rows) {
      check()
      sizes.push(bytes)
      const size = spanSize.get({ traceNo, limit: sampledSpans }) as unknown as [number, number]
      spans += size[0]
      spanBytes += size[1]
    }
    return { bytes: mean(sizes), spanBytes: spans === 0 ? 0 : spanBytes / spans }
  }
  return {
    storage(projectId) {
      const row = stored.get({ projectId }) as unknown as readonly number[] | undefined
      const [traces = 0, spans = 0, points = 0, logs = 0, scores = 0] = row ?? []
      const at = {
        traces: readBounds(ends.traces, projectId),
        points: readBounds(ends.points, projectId),
        logs: readBounds(ends.logs, projectId),
        scores: readBounds(ends.scores, projectId),
      }
      const { bytes, spanBytes } = sampleTraces(projectId, at.traces)
      const logBytes = mean(
        sampleEvenly<readonly [number]>(samples.logs, projectId, at.logs).flat(),
      )
      const scoreBytes = mean(
        sampleEvenly<readonly [number]>(samples.scores, projectId, at.scores).flat(),
      )
      const pointBytes = mean(
        readRows<readonly [number]>(samples.points, { projectId, limit: sampledPoints }).flat(),
      )
      return {
        traces: toStoredSignal(traces, bytes, at.traces),
        spans: toStoredSignal(spans, spanBytes, at.traces),
        metricPoints: toStoredSignal(points, pointBytes, at.points),
        logRecords: toStoredSignal(logs, logBytes, at.logs),
        scores: toStoredSignal(scores, scoreBytes, at.scores),
        isEstimate: false,
        deploymentBytes: fileBytes(),
      }
    },
  }
}

function toStoredSignal(count: number, meanBytes: number, ends: TimeBounds): StoredSignal {
  const [oldestAt, newestAt] = ends ?? [null, null]
  return { count, bytes: Math.round(count * meanBytes), oldestAt, newestAt }
}

/** Some rows at evenly spaced instants. */
function sampleEvenly<Row>(statement: StatementSync, projectId: string, ends: TimeBounds): Row[] {
  if (ends === undefined) return []
  const [first, last] = ends
  const rows: Row[] = []
  for (let i = 0n; i < samplePoints; i++) {
    const at = first + ((last - first) * i) / BigInt(samplePoints)
    rows.push(...readRows<Row>(statement, { projectId, at, limit: rowsPerSample }))
  }
  return rows
}

function mean(sizes: readonly number[]): number {
  return sizes.length === 0 ? 0 : sizes.reduce((sum, size) => sum + size, 0) / sizes.length
}

/** The telemetry file and the search index, without their write-ahead logs. */
function openFileBytes(db: DatabaseSync): () => number {
  const pragmas = ['main', 'search'].map((name) => ({
    pages: prepareRows(db, `PRAGMA ${name}.page_count`),
    bytes: prepareRows(db, `PRAGMA ${name}.page_size`),
  }))
  const readNumber = (statement: StatementSync) => (statement.get() as unknown as [number])[0]
  return () =>
    pragmas.reduce((sum, { pages, bytes }) => sum + readNumber(pages) * readNumber(bytes), 0)
}
