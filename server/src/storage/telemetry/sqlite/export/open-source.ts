import type { DatabaseSync } from 'node:sqlite'
import { toFileError } from '../../../file-errors.ts'
import { fingerprintOf } from '../../../file-fingerprint.ts'
import {
  DamagedRow,
  dayNanos,
  type MovedCounts,
  type MovedIdempotencyRecord,
  startOfDay,
  type TelemetrySource,
  toDay,
} from '../../moved-rows.ts'
import { decodeTime, encodeTime } from '../../positions.ts'
import { iterateRows, openToRead, prepareRows } from '../database.ts'
import { firstVersion, migrations } from '../migrations.ts'
import { readRowCounts } from '../statements/row-counts.ts'
import { openSignalExport } from './export-signals.ts'
import { openTraceExport } from './export-traces.ts'

/*
 * telemetry.sqlite as the source of a move. It is only read; no service may use it meanwhile.
 */

/** Throws a one-line error when another version has written the file, or when it has removals to complete. */
export function openTelemetrySource(file: string): TelemetrySource {
  let db: DatabaseSync | undefined
  try {
    db = openToRead(file)
    checkState(db, file)
    return openSource(db, file)
  } catch (error) {
    db?.close()
    throw toFileError(file, error)
  }
}

function checkState(db: DatabaseSync, file: string): void {
  const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version'])
  if (version !== firstVersion + migrations.length - 1) {
    throw new Error(
      `${file} was last used by another version of Assay. Start this version with it once, stop it, and repeat the command.`,
    )
  }
  if (db.prepare('SELECT 1 FROM removed_traces LIMIT 1').get() !== undefined) {
    throw new Error(
      `${file} has removed traces whose rows are still being deleted. Start the service for a minute, stop it, and repeat the command.`,
    )
  }
}

function openSource(db: DatabaseSync, file: string): TelemetrySource {
  const numbers = new Map(
    db
      .prepare('SELECT project_id, project_no FROM projects ORDER BY project_no')
      .all()
      .map((row) => [String(row['project_id']), Number(row['project_no'])]),
  )
  const numberOf = (projectId: string) => numbers.get(projectId) ?? 0
  const traces = openTraceExport(db)
  const signals = openSignalExport(db)
  const days = {
    traces: openDays(db, 'traces', 'traces INDEXED BY traces_by_start', 'started_at'),
    logs: openDays(db, 'logs', 'logs', 'at'),
  }
  const records = prepareRows(db, idempotencyRecords)
  const counts = prepareRows(db, readRowCounts)
  const settledPosition = openSettledPositions(db)
  return {
    projects: () => [...numbers.keys()],
    traceDays: (projectId) => days.traces(numberOf(projectId)),
    traces: (projectId, day) => traces(projectId, numberOf(projectId), day),
    logDays: (projectId) => days.logs(numberOf(projectId)),
    logs: (projectId, day) => signals.logs(projectId, numberOf(projectId), day),
    series: (projectId, after, limit) =>
      signals.series(projectId, numberOf(projectId), after, limit),
    *idempotencyRecords() {
      for (const row of iterateRows<RecordRow>(records, {})) yield toRecord(row)
    },
    counts: (projectId) => toCounts(counts.get({ projectId }) as unknown as readonly number[]),
    settledPosition: (projectId, position) => settledPosition(numberOf(projectId), position),
    fingerprint: () => fingerprintOf(file),
    close: () => db.close(),
  }
}

const idempotencyRecords = `
  SELECT project_id, key, note, traces, CAST(created_at AS TEXT)
  FROM idempotency_records
  JOIN projects USING (project_no)
  ORDER BY record_no
`

type RecordRow = readonly [string, string, string, string, string]

function toRecord([projectId, key, note, traces, createdAt]: RecordRow): MovedIdempotencyRecord {
  return { projectId, key, note, traces, createdAt: BigInt(createdAt) }
}

function toCounts(row: readonly number[]): MovedCounts {
  const [traces = 0, spans = 0, points = 0, logs = 0, scores = 0] = row
  return { traces, spans, points, logs, scores }
}

/** Goes from day to day by an index. */
function openDays(db: DatabaseSync, name: string, table: string, column: string) {
  const next = prepareRows(
    db,
    `SELECT CAST(${column} AS TEXT) FROM ${table}
     WHERE project_no = ? AND ${column} >= ? ORDER BY ${column} LIMIT 1`,
  )
  const findNext = (projectNo: number, from: bigint) => {
    try {
      return next.get(projectNo, from) as unknown as readonly [string] | undefined
    } catch (error) {
      throw new DamagedRow(`the index of ${name}`, error)
    }
  }
  return function* days(projectNo: number): Generator<string> {
    let from = -(2n ** 63n)
    for (;;) {
      const row = findNext(projectNo, from)
      if (row === undefined) return
      const day = toDay(BigInt(row[0]))
      yield day
      from = startOfDay(day) + dayNanos
    }
  }
}

/**
 * Traces that settled at one instant are in the order of their numbers here and of their ids elsewhere. Where only some
 * of them were before the position, all of them are listed again.
 */
function openSettledPositions(db: DatabaseSync) {
  const settled = prepareRows(
    db,
    `SELECT trace_no, trace_id FROM traces WHERE project_no = ? AND settles_at = ?
     ORDER BY trace_id`,
  )
  return (projectNo: number, position: string): string => {
    const { at, id } = decodeTime(position)
    const rows = settled.all(projectNo, at) as unknown as readonly (readonly [number, string])[]
    const isBefore = rows.every(([traceNo]) => traceNo <= Number(id))
    return encodeTime({ at, id: isBefore ? (rows.at(-1)?.[1] ?? '') : '' })
  }
}
