import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { limits } from '@assay/contract/limits.ts'
import { isScan } from '../log-scan.ts'
import type { LogPage, LogQuery, StoredLog } from '../port/logs.ts'
import { type At, encodeTime, firstInstant, lastInstant, type TimePosition } from '../positions.ts'
import { iterateRows, prepareRows } from './database.ts'
import { type LogRow, toLog } from './log-columns.ts'
import { logsOfTrace, newestLogs, scanEnd } from './statements/logs.ts'

export interface LogReads {
  logPage(projectId: string, query: At<TimePosition, LogQuery>): LogPage
}

/** Sorts before every id. */
const noId = Buffer.alloc(0)

export function openLogReads(db: DatabaseSync, inSnapshot: <T>(read: () => T) => T): LogReads {
  const boundary = prepareRows(db, scanEnd)
  const newest = prepareRows(db, newestLogs)
  const ofTrace = prepareRows(db, logsOfTrace)
  for (const each of [boundary, newest, ofTrace]) each.setAllowUnknownNamedParameters(true)

  return {
    logPage: (projectId, query) =>
      inSnapshot(() => {
        const { filters, limit } = query
        const bindings = toBindings(projectId, query)
        const statement = filters.traceId === undefined ? newest : ofTrace
        const last = isScan(filters)
          ? (boundary.get({ ...bindings, skip: query.scanLimit - 1 }) as unknown as
              | ScanEnd
              | undefined)
          : undefined
        const [endAt, endId] = last ?? [firstInstant, noId]
        const bounded = { ...bindings, endAt: BigInt(endAt), endId, limit: limit + 1 }
        const { logs, hasMore } = takePage(iterateRows<LogRow>(statement, bounded), limit)
        const lastLog = hasMore ? logs.at(-1) : undefined
        if (lastLog !== undefined) return { logs, next: encodeTime(lastLog) }
        if (last === undefined) return { logs, next: undefined }
        const end = { at: BigInt(last[0]), id: Buffer.from(last[1]).toString('hex') }
        return { logs, next: encodeTime(end) }
      }),
  }
}

type ScanEnd = readonly [at: string, id: Uint8Array]

function toBindings(
  projectId: string,
  { after, filters }: At<TimePosition, LogQuery>,
): Record<string, SQLInputValue> {
  const to = { at: filters.to ?? lastInstant, id: '' }
  const before = after !== undefined && after.at < to.at ? after : to
  return {
    projectId,
    beforeAt: before.at,
    beforeId: Buffer.from(before.id, 'hex'),
    from: filters.from ?? firstInstant,
    severity: filters.severity ?? null,
    traceId: filters.traceId ?? null,
    spanId: filters.spanId ?? null,
    eventName: filters.eventName ?? null,
    service: filters.service ?? null,
    words: JSON.stringify((filters.words ?? []).map(toLikePattern)),
  }
}

/** Bodies and attributes are JSON, so words are compared in their JSON form. */
function toLikePattern(word: string): string {
  return `%${JSON.stringify(word)
    .slice(1, -1)
    .replaceAll(/[\\%_]/g, '\\$&')}%`
}

function takePage(rows: Iterable<LogRow>, limit: number) {
  const logs: StoredLog[] = []
  let bytes = 0
  for (const row of rows) {
    bytes += row[9].length + row[10].length + row[11].length + row[12].length
    if (logs.length === limit || (logs.length > 0 && bytes > limits.pageBytes.value)) {
      return { logs, hasMore: true }
    }
    logs.push(toLog(row))
  }
  return { logs, hasMore: false }
}
