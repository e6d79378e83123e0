import type { DatabaseSync } from 'node:sqlite'
import { prepareRows } from './database.ts'
import {
  decodeSignals,
  type LogRows,
  type MetricRows,
  type OriginColumns,
  type SeriesColumns,
} from './encode-signals.ts'
import { insertContent, insertLog } from './statements/logs.ts'
import {
  findOrigin,
  findSeries,
  insertOrigin,
  insertPoint,
  insertSeries,
  updatePoint,
} from './statements/metrics.ts'
import type { Writing } from './write-statements.ts'

/*
 * The writer's part for metrics and log records. Runs within the transaction that is open.
 */

export interface SignalWriting {
  writeMetrics(projectNo: number, rows: Uint8Array): void
  writeLogs(projectNo: number, rows: Uint8Array): void
  /** To be called after a roll-back: what was remembered may not be stored. */
  forget(): void
}

/** Numbers of origins and series that are remembered, so that a point costs no look-up. */
const rememberedMax = 100_000

export function prepareSignalWriting(
  db: DatabaseSync,
  { countStored }: Pick<Writing, 'countStored'>,
): SignalWriting {
  const { originNo, seriesNo, forget } = openNumbers(db)
  const statements = {
    insertPoint: db.prepare(insertPoint),
    updatePoint: db.prepare(updatePoint),
    insertLog: db.prepare(insertLog),
    insertContent: db.prepare(insertContent),
  }
  return {
    writeMetrics(projectNo, rows) {
      const { origins, series, points } = decodeSignals<MetricRows>(rows)
      const originNos = origins.map((each) => originNo(projectNo, each))
      const seriesNos = series.map((each) => seriesNo(projectNo, each, originNos[each[1]]!))
      for (const [place, ...columns] of points) {
        const row = [seriesNos[place]!, ...columns] as const
        if (statements.insertPoint.run(...row).changes === 1) countStored(projectNo, 'points', 1)
        else statements.updatePoint.run(...row)
      }
    },

    writeLogs(projectNo, rows) {
      const { origins, records } = decodeSignals<LogRows>(rows)
      const originNos = origins.map((each) => originNo(projectNo, each))
      for (const [place, record] of records.entries()) {
        const [id, origin, at, observedAt, ...rest] = record
        const [severity, severityText, eventName, traceId, spanId, body, attributes] = rest
        const [input, output] = rest.slice(-2) as (string | null)[]
        const bytes = Buffer.from(id, 'hex')
        const head = [projectNo, bytes, originNos[origin]!, at, observedAt, severity] as const
        const inserted = statements.insertLog.run(
          ...head,
          ...[severityText, eventName, traceId, spanId, body, attributes],
        )
        countStored(projectNo, 'logs', Number(inserted.changes))
        if (traceId === null || spanId === null || (input ?? output ?? null) === null) continue
        const key = [projectNo, traceId, spanId, at, observedAt ?? at, place, bytes] as const
        statements.insertContent.run(...key, input ?? null, output ?? null)
      }
    },

    forget,
  }
}

/** The numbers of origins and series, which are made if need be. */
function openNumbers(db: DatabaseSync) {
  const statements = {
    findOrigin: prepareRows(db, findOrigin),
    insertOrigin: prepareRows(db, insertOrigin),
    findSeries: prepareRows(db, findSeries),
    insertSeries: prepareRows(db, insertSeries),
  }
  const remembered = new Map<string, number>()

  const numberOf = (projectNo: number, id: string, find: () => unknown, insert: () => unknown) => {
    const key = `${projectNo} ${id}`
    const known = remembered.get(key)
    if (known !== undefined) return known
    const [number] = (find() ?? insert()) as readonly [number]
    if (remembered.size >= rememberedMax) remembered.clear()
    remembered.set(key, number)
    return number
  }
  const originNo = (projectNo: number, [id, service, resource, scope]: OriginColumns) => {
    const bytes = Buffer.from(id, 'hex')
    return numberOf(
      projectNo,
      id,
      () => statements.findOrigin.get(projectNo, bytes),
      () => statements.insertOrigin.get(projectNo, bytes, service, resource, scope),
    )
  }
  const seriesNo = (projectNo: number, [id, , ...columns]: SeriesColumns, origin: number) => {
    const bytes = Buffer.from(id, 'hex')
    return numberOf(
      projectNo,
      id,
      () => statements.findSeries.get(projectNo, bytes),
      () => statements.insertSeries.get(projectNo, bytes, ...columns, origin),
    )
  }
  return { originNo, seriesNo, forget: () => remembered.clear() }
}
