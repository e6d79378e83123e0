import type { DatabaseSync } from 'node:sqlite'
import type { Instant } from '../../../domain/instant.ts'
import { prepareRows, readRows } from './database.ts'
import type { RowCounts } from './row-counts.ts'
import {
  copyResourceScopes,
  deleteContent,
  deleteContentOfTrace,
  deleteEmptySeries,
  deleteLogsOfTrace,
  deleteMovedContent,
  deleteMovedLogs,
  deleteOldLogs,
  deleteOldPoints,
  moveContent,
  moveLogs,
  nextSeries,
} from './statements/signal-removal.ts'

/*
 * Removes and moves metrics and log records, within the open transaction.
 */

export interface SignalRemoval {
  /**
   * Removes log records that reference a trace, and the span contents that came from them: at most `limit` rows.
   * Returns how many.
   */
  removeByTrace(projectNo: number, traceId: string, limit: number): number
  /** Moves some of them to another project, until it returns false; what that project already has is removed. */
  moveOfTrace(fromNo: number, toNo: number, traceId: string): boolean
  /** Removes some older rows. Returns where to continue; undefined when none are left. */
  removeOld(
    projectNo: number,
    before: Instant,
    after: SignalsPosition | undefined,
  ): SignalsPosition | undefined
}

/** A metric series by number, after which to continue. */
export type SignalsPosition = number

interface Moved {
  readonly moved: number
  /** With those that the target already had. */
  readonly taken: number
}

/** In one transaction. */
const removedRows = 2000
const movedRows = 500
const visitedSeries = 1000

export function prepareSignalRemoval(
  db: DatabaseSync,
  addToRowCount: RowCounts['add'],
  invalidateSeries: () => void,
): SignalRemoval {
  const logsOfTrace = db.prepare(deleteLogsOfTrace)
  const contentOfTrace = db.prepare(deleteContentOfTrace)
  const copy = db.prepare(copyResourceScopes)
  const moveRows = {
    logs: [db.prepare(deleteMovedLogs), db.prepare(moveLogs)],
    contents: [db.prepare(deleteMovedContent), db.prepare(moveContent)],
  } as const
  const removeOldLogs = prepareOldLogs(db, addToRowCount)
  const removeOldPoints = prepareOldPoints(db, addToRowCount, invalidateSeries)

  const removeByTrace = (projectNo: number, traceId: string, limit: number): number => {
    const bindings = { projectNo, traceId }
    const contents = Number(contentOfTrace.run({ ...bindings, limit }).changes)
    const logs = Number(logsOfTrace.run({ ...bindings, limit: limit - contents }).changes)
    addToRowCount(projectNo, 'logs', -logs)
    return contents + logs
  }
  return {
    removeByTrace,
    moveOfTrace(fromNo, toNo, traceId) {
      const bindings = { fromNo, toNo, traceId }
      copy.run({ ...bindings, limit: movedRows })
      const [logs, contents] = [moveRows.logs, moveRows.contents].map(([removeKnown, move]) => {
        const removed = Number(removeKnown.run({ ...bindings, limit: movedRows }).changes)
        const moved = Number(move.run({ ...bindings, limit: movedRows - removed }).changes)
        return { moved, taken: removed + moved }
      }) as [Moved, Moved]
      addToRowCount(fromNo, 'logs', -logs.taken)
      addToRowCount(toNo, 'logs', logs.moved)
      return logs.taken === movedRows || contents.taken === movedRows
    },
    removeOld: (projectNo, before, after) =>
      removeOldLogs(projectNo, before)
        ? (after ?? 0)
        : removeOldPoints(projectNo, before, after ?? 0),
  }
}

type RemovedLog = readonly [traceId: string | null, spanId: string | null, logId: Uint8Array]

/** True when there may be more. */
function prepareOldLogs(db: DatabaseSync, addToRowCount: RowCounts['add']) {
  const remove = prepareRows(db, deleteOldLogs)
  const removeContent = db.prepare(deleteContent)
  return (projectNo: number, before: Instant): boolean => {
    const removed: RemovedLog[] = readRows(remove, { projectNo, before, limit: removedRows })
    for (const [traceId, spanId, logId] of removed) {
      if (traceId !== null && spanId !== null) removeContent.run(projectNo, traceId, spanId, logId)
    }
    addToRowCount(projectNo, 'logs', -removed.length)
    return removed.length === removedRows
  }
}

function prepareOldPoints(
  db: DatabaseSync,
  addToRowCount: RowCounts['add'],
  invalidateSeries: () => void,
) {
  const series = prepareRows(db, nextSeries)
  const remove = db.prepare(deleteOldPoints)
  const removeSeries = db.prepare(deleteEmptySeries)
  return (projectNo: number, before: Instant, after: SignalsPosition) => {
    const rows = readRows<readonly [number]>(series, { projectNo, after, limit: visitedSeries })
    let removed = 0
    let done = after
    for (const [seriesNo] of rows) {
      const limit = removedRows - removed
      const changes = Number(remove.run({ seriesNo, before, limit }).changes)
      removed += changes
      addToRowCount(projectNo, 'points', -changes)
      if (removed === removedRows) return done
      // The writer's cache may reference the deleted row.
      if (Number(removeSeries.run({ seriesNo }).changes) > 0) invalidateSeries()
      done = seriesNo
    }
    return rows.length === visitedSeries ? done : undefined
  }
}
