import type { Instant } from '../../../../domain/instant.ts'
import { settlesAt } from '../../../../domain/settling.ts'
import { canonicalText, openRowSummer, type RowSum, type RowSummer } from '../../../row-sums.ts'
import {
  DamagedRow,
  type MovedLog,
  type MovedSeries,
  type MovedSpan,
  type MovedTrace,
  toDay,
} from '../../moved-rows.ts'
import type { Row } from '../columns.ts'
import { computeTrace } from '../compute-trace.ts'
import type { Connection } from '../connection.ts'
import { encodeSpansForClickHouse } from '../encode-spans.ts'
import type { NextVersion } from '../hybrid-clock.ts'
import { splitLines, toPrefix } from '../lines.ts'
import { toScoreVersion } from '../score-columns.ts'
import { batchColumns, type CountedRow, encodedColumns } from '../span-columns.ts'
import { readTraceColumns, type StoredTrace } from '../trace-columns.ts'
import { toLabelValues, toTagValues } from '../trace-labels.ts'
import { countSpans } from '../trace-sources.ts'
import { type MovedTableName, type MovedValue, movedTables } from './moved-tables.ts'

/*
 * Stores what moves from another engine, with the times that it has there. Repeating it stores the same rows with later
 * versions. Rows of traces are inserted after everything that they are computed from.
 */

export interface RowImport {
  /** Throws `DamagedRow` when the spans cannot be read, or are not as many as the trace has. */
  addTrace(moved: MovedTrace): Promise<void>
  addLog(projectId: string, log: MovedLog): Promise<void>
  addSeries(projectId: string, series: MovedSeries): Promise<void>
  /** Stores what is buffered. */
  flush(): Promise<void>
  /** Of what was added, by table and day. */
  sums(): TableSums
  /** Traces whose totals differ from those that the other engine has stored. */
  readonly recomputed: () => number
}

/** By `table day`. */
export type TableSums = Readonly<Record<string, RowSum>>

const bufferedBytesMax = 8_000_000
const bufferedRowsMax = 5000

export interface ImportSettings {
  readonly connection: Connection
  readonly nextVersion: NextVersion
  readonly now: () => Instant
  /** The day on which the move began: nothing arrived later. */
  readonly lastDay: string
}

export function openRowImport(settings: ImportSettings): RowImport {
  const { lastDay, nextVersion, now } = settings
  const buffer = openBuffer(settings)
  const sums = openTableSums()
  let recomputed = 0
  const into: Into = {
    ...{ buffer, sums },
    version: () => String(nextVersion(now())),
    arrival: (at) => clampDay(toDay(at), lastDay),
    add(name, value, version) {
      sums.add(name, value)
      buffer.add(name, value, version)
    },
  }
  return {
    async addTrace(moved) {
      if (!(await addTrace(into, moved))) recomputed += 1
      await buffer.limit()
    },
    async addLog(projectId, log) {
      addLog(into, projectId, log)
      await buffer.limit()
    },
    addSeries: (projectId, series) => addSeries(into, projectId, series),
    flush: () => buffer.flush(),
    sums: () => sums.values(),
    recomputed: () => recomputed,
  }
}

interface Into {
  readonly buffer: ReturnType<typeof openBuffer>
  readonly sums: ReturnType<typeof openTableSums>
  readonly version: () => string
  /** The day on which what happened at an instant counts as arrived. */
  readonly arrival: (at: Instant) => string
  readonly add: <Name extends Exclude<MovedTableName, 'spans'>>(
    name: Name,
    value: MovedValue<Name>,
    version?: string,
  ) => void
}

/** Whether its totals are those that the other engine has stored. */
async function addTrace(into: Into, moved: MovedTrace): Promise<boolean> {
  const { trace, labels, receivedAt, scores } = moved
  const { projectId, traceId, updatedAt } = trace
  const arrivedOn = into.arrival(receivedAt ?? updatedAt)
  const counted = await addSpans(into, moved, arrivedOn)
  const version = into.version()
  const values = labels === null ? [] : toLabelValues(labels)
  const tags = labels?.tagChanges === undefined ? [] : toTagValues(labels.tagChanges)
  const rows = [...values, ...tags].map(([label, value]) => ({
    ...{ projectId, traceId, label, version, arrivedOn, value },
  }))
  for (const row of rows) into.add('labels', row, version)
  for (const score of scores) {
    into.add('scores', { ...score, projectId, arrivedOn }, toScoreVersion(score, BigInt(version)))
  }
  // One without a time of arrival is never listed as settled.
  const identity = { projectId, traceId, arrivedOn, receivedAt: receivedAt ?? 0n }
  const labelsVersion = rows.reduce((sum, row) => sum + BigInt(row.version), 0n)
  const sources = { ...countSpans(counted), labels: rows, labelsVersion }
  const computed = await computeTrace(identity, sources)
  const settles = moved.settlesAt ?? settlesAt(computed, updatedAt)
  const stored = { ...computed, updatedAt, settlesAt: settles }
  into.add('traces', stored, stored.version)
  return isSameTrace(stored, trace)
}

async function addSpans(
  { buffer, sums }: Into,
  { trace: { projectId, traceId, spanCount }, spans }: MovedTrace,
  arrivedOn: string,
): Promise<readonly CountedRow[]> {
  const counted: CountedRow[] = []
  for (const span of spans()) {
    const version = await buffer.addSpan(span, projectId, arrivedOn)
    const { body, ...head } = span
    sums.add('spans', { ...head, ...body, projectId, arrivedOn })
    counted.push({ ...head, projectId, version })
  }
  if (counted.length === spanCount) return counted
  const reason = `${spanCount} spans were recorded, but ${counted.length} are stored`
  throw new DamagedRow(`trace ${traceId} of project ${projectId}`, reason)
}

function addLog({ add, arrival }: Into, projectId: string, { content, ...log }: MovedLog): void {
  const arrivedOn = arrival(log.at)
  add('logs', { ...log, projectId, arrivedOn })
  if (content === null) return
  const { traceId, spanId, id: logId, at } = log
  const key = { traceId: traceId ?? '', spanId: spanId ?? '', logId, at }
  add('contents', { ...content, ...key, projectId, arrivedOn })
}

async function addSeries(into: Into, projectId: string, series: MovedSeries): Promise<void> {
  let lastSeenAt: Instant | undefined
  for (const point of series.points()) {
    const value = { ...point, projectId, arrivedOn: into.arrival(point.at), seriesId: series.id }
    into.add('points', value, into.version())
    lastSeenAt = point.at
    await into.buffer.limit()
  }
  // A series is listed by its points.
  if (lastSeenAt !== undefined) into.add('series', { ...series, projectId, lastSeenAt })
}

/** Instants of senders may be anywhere, and each month is a partition. */
const firstDay = '2020-01-01'

function clampDay(day: string, lastDay: string): string {
  if (day < firstDay) return firstDay
  return day > lastDay ? lastDay : day
}

function isSameTrace(stored: StoredTrace, trace: MovedTrace['trace']): boolean {
  const { projectId: _, durationMs: __, ...rest } = trace
  const read = readTraceColumns.fromRow(readTraceColumns.toRow(stored))
  return (
    canonicalText(read) === canonicalText(readTraceColumns.fromRow(readTraceColumns.toRow(rest)))
  )
}

export function openTableSums() {
  const summers = new Map<string, RowSummer>()
  return {
    add<Name extends MovedTableName>(name: Name, value: MovedValue<Name>): void {
      const { toRow, fromRow, dayOf } = movedTables[name]
      const key = `${name} ${dayOf(value as never)}`
      const summer = summers.get(key) ?? openRowSummer()
      summers.set(key, summer)
      // As it is read again: text without what no store accepts.
      summer.add(fromRow(toRow(value as never)))
    },
    values: (): TableSums =>
      Object.fromEntries([...summers].map(([key, summer]) => [key, summer.sum()])),
  }
}

/** Rows in the order in which they must be stored. */
const order = ['labels', 'scores', 'contents', 'logs', 'points', 'series', 'traces'] as const

function openBuffer({ connection, nextVersion, now }: ImportSettings) {
  const rows = new Map<MovedTableName, Row[]>()
  let spans: { span: MovedSpan; projectId: string; arrivedOn: string }[] = []
  let [bytes, rowCount] = [0, 0]
  let spanVersion: string | undefined

  async function insertSpans(): Promise<void> {
    const version = spanVersion
    if (version === undefined) return
    const groups = Map.groupBy(spans, ({ span, projectId, arrivedOn }) =>
      JSON.stringify([projectId, arrivedOn, span.source]),
    )
    const lines: Uint8Array[] = []
    for (const group of groups.values()) {
      const { projectId, arrivedOn, span } = group[0]!
      const batch = { projectId, version, arrivedOn, source: span.source }
      const prefix = toPrefix(batchColumns.toRow(batch))
      const { parts } = encodeSpansForClickHouse(group.map((each) => each.span))
      for (const line of parts.flatMap((part) => [...splitLines(part)])) lines.push(prefix, line)
    }
    spans = []
    spanVersion = undefined
    await connection.insert(`spans (${batchColumns.names}, ${encodedColumns.names})`, lines)
  }

  async function flush(): Promise<void> {
    ;[bytes, rowCount] = [0, 0]
    await insertSpans()
    for (const name of order) {
      const some = rows.get(name) ?? []
      rows.delete(name)
      const { name: table, columns } = movedTables[name]
      const version = name === 'logs' || name === 'contents' || name === 'series' ? '' : ', version'
      await connection.insertRows(`${table} (${columns}${version})`, some)
    }
  }
  const limit = async () => {
    if (bytes > bufferedBytesMax || rowCount > bufferedRowsMax) await flush()
  }
  return {
    flush,
    limit,
    /** Returns the version with which the span is stored. */
    async addSpan(span: MovedSpan, projectId: string, arrivedOn: string): Promise<string> {
      await limit()
      spanVersion ??= String(nextVersion(now()))
      spans.push({ span, projectId, arrivedOn })
      rowCount += 1
      bytes += Object.values(span.body).reduce((sum, { length }) => sum + length, 500)
      return spanVersion
    },
    add<Name extends MovedTableName>(name: Name, value: MovedValue<Name>, version?: string): void {
      const row = movedTables[name].toRow(value as never)
      const some = rows.get(name) ?? []
      rows.set(name, some)
      some.push(version === undefined ? row : [...row, version])
      rowCount += 1
      bytes += row.reduce<number>(
        (sum, cell) => sum + (typeof cell === 'string' ? cell.length : 8),
        0,
      )
    },
  }
}
