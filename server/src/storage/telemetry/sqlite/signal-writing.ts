import type { DatabaseSync } from 'node:sqlite'
import { prepareRows } from './database.ts'
import {
  decodeSignals,
  type LogRows,
  type MetricRows,
  type ResourceScopeColumns,
  type SeriesColumns,
} from './encode-signals.ts'
import { insertContent, insertLog } from './statements/logs.ts'
import {
  findResourceScope,
  findSeries,
  insertPoint,
  insertResourceScope,
  insertSeries,
  updatePoint,
} from './statements/metrics.ts'
import type { Writing } from './write-statements.ts'

/*
 * Writes metrics and log records, within the open transaction.
 */

export interface SignalWriting {
  writeMetrics(projectNo: number, rows: Uint8Array): void
  writeLogs(projectNo: number, rows: Uint8Array): void
  /** Call after a rollback: cached numbers may not be stored. */
  invalidate(): void
}

/** Cached numbers of resource scopes and series, so that a point costs no lookup. */
const cacheEntriesMax = 100_000

export function prepareSignalWriting(
  db: DatabaseSync,
  { addToRowCount }: Pick<Writing, 'addToRowCount'>,
): SignalWriting {
  const { resourceScopeNo, seriesNo, invalidate } = openNumbers(db)
  const statements = {
    insertPoint: db.prepare(insertPoint),
    updatePoint: db.prepare(updatePoint),
    insertLog: db.prepare(insertLog),
    insertContent: db.prepare(insertContent),
  }
  return {
    writeMetrics(projectNo, rows) {
      const { resourceScopes, series, points } = decodeSignals<MetricRows>(rows)
      const resourceScopeNos = resourceScopes.map((each) => resourceScopeNo(projectNo, each))
      const seriesNos = series.map((each) => seriesNo(projectNo, each, resourceScopeNos[each[1]]!))
      for (const [position, ...columns] of points) {
        const row = [seriesNos[position]!, ...columns] as const
        if (statements.insertPoint.run(...row).changes === 1) addToRowCount(projectNo, 'points', 1)
        else statements.updatePoint.run(...row)
      }
    },

    writeLogs(projectNo, rows) {
      const { resourceScopes, records } = decodeSignals<LogRows>(rows)
      const resourceScopeNos = resourceScopes.map((each) => resourceScopeNo(projectNo, each))
      for (const [position, record] of records.entries()) {
        const [id, resourceScope, at, observedAt, ...rest] = record
        const [severity, severityText, eventName, traceId, spanId, body, attributes] = rest
        const [input, output] = rest.slice(-2) as (string | null)[]
        const bytes = Buffer.from(id, 'hex')
        const head = [
          projectNo,
          bytes,
          resourceScopeNos[resourceScope]!,
          at,
          observedAt,
          severity,
        ] as const
        const inserted = statements.insertLog.run(
          ...head,
          ...[severityText, eventName, traceId, spanId, body, attributes],
        )
        addToRowCount(projectNo, 'logs', Number(inserted.changes))
        if (traceId === null || spanId === null || (input ?? output ?? null) === null) continue
        const key = [projectNo, traceId, spanId, at, observedAt ?? at, position, bytes] as const
        statements.insertContent.run(...key, input ?? null, output ?? null)
      }
    },

    invalidate,
  }
}

/** The numbers of resource scopes and series, which are created if necessary. */
function openNumbers(db: DatabaseSync) {
  const statements = {
    findResourceScope: prepareRows(db, findResourceScope),
    insertResourceScope: prepareRows(db, insertResourceScope),
    findSeries: prepareRows(db, findSeries),
    insertSeries: prepareRows(db, insertSeries),
  }
  const cached = new Map<string, number>()

  const findOrInsert = (
    projectNo: number,
    id: string,
    find: () => unknown,
    insert: () => unknown,
  ) => {
    const key = `${projectNo} ${id}`
    const known = cached.get(key)
    if (known !== undefined) return known
    const [number] = (find() ?? insert()) as readonly [number]
    if (cached.size >= cacheEntriesMax) cached.clear()
    cached.set(key, number)
    return number
  }
  const resourceScopeNo = (
    projectNo: number,
    [id, service, resource, scope]: ResourceScopeColumns,
  ) => {
    const bytes = Buffer.from(id, 'hex')
    return findOrInsert(
      projectNo,
      id,
      () => statements.findResourceScope.get(projectNo, bytes),
      () => statements.insertResourceScope.get(projectNo, bytes, service, resource, scope),
    )
  }
  const seriesNo = (
    projectNo: number,
    [id, , ...columns]: SeriesColumns,
    resourceScope: number,
  ) => {
    const bytes = Buffer.from(id, 'hex')
    return findOrInsert(
      projectNo,
      id,
      () => statements.findSeries.get(projectNo, bytes),
      () => statements.insertSeries.get(projectNo, bytes, ...columns, resourceScope),
    )
  }
  return { resourceScopeNo, seriesNo, invalidate: () => cached.clear() }
}
