import type { DatabaseSync } from 'node:sqlite'
import type { Instant } from '../../../domain/instant.ts'
import { prepareRows } from './database.ts'
import type { ScoreWriting } from './score-writing.ts'
import type { SignalRemoval } from './signal-removal.ts'
import {
  blocksOfRemovedSpans,
  deleteRemovedSpans,
  deleteRemovedTrace,
  deleteTrace,
  firstRemovedTrace,
  insertRemovedTrace,
  insertSearchChange,
  oldTraces,
  removedTraceById,
} from './statements/changes.ts'
import { countTraces } from './statements/projects.ts'
import { type StoredTrace, traceColumns } from './trace-columns.ts'
import type { TraceStates } from './trace-states.ts'
import type { Writing } from './write-statements.ts'

/*
 * Removes traces, within the open transaction. A removed trace can no longer be read, because its row in
 * `traces` is deleted. The rows that depend on it may be many: they are deleted a limited number at a time,
 * and `removed_traces` records which traces still have some. So other transactions run in between, and a
 * process that was killed continues after its next start.
 */

export interface TraceRemoval {
  /** Makes the trace unreadable. Its rows are deleted by `deleteRows`. */
  remove(trace: StoredTrace): void
  /** Deletes rows of removed traces, by default of all; true when none are left. */
  deleteRows(limit: RowLimit, of?: TraceId): boolean
  /** Removes traces that started before this instant; true when none are left. */
  removeOld(projectNo: number, before: Instant): OldRemoval
}

export type TraceId = Pick<StoredTrace, 'projectNo' | 'traceId'>

/** How many more rows the transaction may delete. */
export interface RowLimit {
  remaining: number
}

export interface OldRemoval {
  readonly traceCount: number
  readonly isDone: boolean
}

type TraceRow = Parameters<typeof traceColumns.fromRow>[0]

const rowsPerTransaction = 5000
const tracesPerTransaction = 50

export const rowLimit = (): RowLimit => ({ remaining: rowsPerTransaction })

export function prepareTraceRemoval(
  db: DatabaseSync,
  states: TraceStates,
  writing: Writing,
  dependents: { readonly signals: SignalRemoval; readonly scores: ScoreWriting },
): TraceRemoval {
  const removeRow = db.prepare(deleteTrace)
  const insertRemoved = db.prepare(insertRemovedTrace)
  const count = db.prepare(countTraces)
  const enqueueForSearch = db.prepare(insertSearchChange)
  const old = prepareRows(db, oldTraces)
  const deleteRows = prepareRowDeletion(db, writing, dependents)

  const remove = (trace: StoredTrace) => {
    const { traceNo, projectNo, traceId } = trace
    writing.removeFromIndex(trace)
    removeRow.run(traceNo)
    insertRemoved.run({ traceNo, projectNo, traceId })
    count.run(-1, projectNo)
    enqueueForSearch.run(traceNo)
    states.invalidate([trace])
  }
  return {
    remove,
    deleteRows,
    removeOld(projectNo, before) {
      const limit = rowLimit()
      if (!deleteRows(limit)) return { traceCount: 0, isDone: false }
      const rows = old.all(projectNo, before, tracesPerTransaction) as unknown as TraceRow[]
      let traceCount = 0
      for (const row of rows) {
        remove(traceColumns.fromRow(row))
        traceCount += 1
        if (!deleteRows(limit)) return { traceCount, isDone: false }
      }
      return { traceCount, isDone: rows.length < tracesPerTransaction }
    },
  }
}

type RemovedTrace = readonly [traceNo: number, projectNo: number, traceId: string]

function prepareRowDeletion(
  db: DatabaseSync,
  writing: Writing,
  { signals, scores }: { readonly signals: SignalRemoval; readonly scores: ScoreWriting },
): TraceRemoval['deleteRows'] {
  const first = prepareRows(db, firstRemovedTrace)
  const byId = prepareRows(db, removedTraceById)
  const finish = db.prepare(deleteRemovedTrace)
  const blocks = prepareRows(db, blocksOfRemovedSpans)
  const spans = db.prepare(deleteRemovedSpans)

  const deleteSpans = (traceNo: number, limit: number): number => {
    const blockNos = blocks.all({ traceNo, limit }) as unknown as [number][]
    for (const [blockNo] of blockNos) writing.deleteBlock(blockNo)
    return Number(spans.run({ traceNo, limit }).changes)
  }
  return (limit, of) => {
    for (;;) {
      const found =
        of === undefined ? first.get() : byId.get({ projectNo: of.projectNo, traceId: of.traceId })
      const row = found as unknown as RemovedTrace | undefined
      if (row === undefined) return true
      const [traceNo, projectNo, traceId] = row
      limit.remaining -= signals.removeByTrace(projectNo, traceId, limit.remaining)
      limit.remaining -= scores.removeByTrace(projectNo, traceNo, limit.remaining)
      limit.remaining -= deleteSpans(traceNo, limit.remaining)
      // When nothing remains of the limit, rows of this trace may be left.
      if (limit.remaining <= 0) return false
      finish.run(traceNo)
    }
  }
}
