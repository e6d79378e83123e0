import type { DatabaseSync } from 'node:sqlite'
import { type Instant, lastInstant } from '../../../domain/instant.ts'
import type { Score } from '../../../domain/score.ts'
import { totalsOf } from '../../../domain/trace-totals.ts'
import { prepareRows } from './database.ts'
import { prepareRepricing, type Repricing } from './repricing.ts'
import { prepareScoreWriting, type ScoreWriting } from './score-writing.ts'
import { prepareSignalRemoval, type SignalRemoval, type SignalsPosition } from './signal-removal.ts'
import type { SignalWriting } from './signal-writing.ts'
import {
  deleteSearchChanges,
  deleteSpansOfTrace,
  deleteTrace,
  insertSearchChange,
  moveTraceToProject,
  oldTraces,
} from './statements/changes.ts'
import { deleteProjectBatch } from './statements/project-removal.ts'
import { countTraces } from './statements/projects.ts'
import type { TraceState, TraceStates } from './trace-states.ts'
import type { Writing } from './write-statements.ts'

/*
 * What happens to traces besides being recorded. Each change is a transaction of its own.
 */

export type Change =
  | { readonly type: 'remove'; readonly projectId: string; readonly traceId: string }
  | {
      readonly type: 'adopt'
      readonly projectId: string
      readonly fromProjectId: string
      readonly traceId: string
    }
  | {
      readonly type: 'remove-old'
      readonly projectId: string
      readonly before: Instant
      readonly limit: number
    }
  | {
      readonly type: 'remove-old-signals'
      readonly projectId: string
      readonly before: Instant
      readonly after: SignalsPosition | undefined
    }
  | { readonly type: 'remove-project'; readonly projectId: string }
  | {
      readonly type: 'record-scores'
      readonly projectId: string
      readonly scores: readonly Score[]
    }
  | {
      readonly type: 'remove-scores'
      readonly projectId: string
      readonly traceId: string
      readonly scoreIds: readonly string[]
    }
  | ({ readonly type: 'reprice' } & Repricing)
  | { readonly type: 'forget-search-changes'; readonly upTo: number }

export interface ChangeResult {
  /** What it changed. */
  readonly traceIds: readonly string[]
  readonly reason?: 'not_found' | 'exists'
  readonly spanCount?: number
  readonly count?: number
  /** Whether there is more to do of what was asked. */
  readonly isMore?: boolean
  /** Where it is to go on. */
  readonly next?: SignalsPosition | undefined
}

export interface Changes {
  make(change: Change, at: Instant): ChangeResult
}

/** Spans, of the traces that are removed in one transaction; a larger trace goes alone. */
const removedSpansMax = 5000
/** Of a project that is removed, in one transaction. */
const removedTracesMax = 500
const removedRowsMax = 5000

export function openChanges(
  db: DatabaseSync,
  states: TraceStates,
  writing: Writing,
  signals: Pick<SignalWriting, 'invalidate'>,
): Changes {
  const removal = prepareSignalRemoval(db, writing.countStored, signals.invalidate)
  const scores = prepareScoreWriting(db, writing.countStored)
  const deleteTraceData = prepareRemoval(db, writing, removal, scores)
  const forgetSearchChanges = db.prepare(deleteSearchChanges)
  const removeProjectRows = prepareProjectRemoval(db, writing, signals)
  const reprice = prepareRepricing(db, states, writing)

  const remove = (trace: TraceState) => {
    deleteTraceData(trace)
    states.invalidate([trace])
  }
  const storedTrace = storedTraceOf(states, writing)
  const adopt = prepareMove(db, states, writing, { removal, scores })
  const removeOld = prepareOldRemoval(db, states, writing, remove)
  const make = (change: Change, at: Instant): ChangeResult => {
    if (change.type === 'adopt') return adopt(change, at)
    if (change.type === 'reprice') return reprice(change, at)
    if (change.type === 'record-scores' || change.type === 'remove-scores') {
      return changeScores(change, scores, writing)
    }
    if (change.type === 'remove-project') {
      const result = removeOld({ ...change, before: lastInstant + 1n, limit: removedTracesMax })
      return result.traceIds.length > 0
        ? { ...result, isMore: true }
        : removeProjectRows(change.projectId)
    }
    if (change.type === 'remove-old') return removeOld(change)
    if (change.type === 'remove-old-signals') {
      const projectNo = writing.findProjectNo(change.projectId)
      if (projectNo === undefined) return { traceIds: [] }
      const next = removal.removeOld(projectNo, change.before, change.after)
      return { traceIds: [], next }
    }
    if (change.type === 'forget-search-changes') {
      forgetSearchChanges.run(change.upTo)
      return { traceIds: [] }
    }
    const trace = storedTrace(change.projectId, change.traceId)
    if (trace === undefined) return { traceIds: [], reason: 'not_found' }
    remove(trace)
    return { traceIds: [change.traceId] }
  }
  return {
    make(change, at) {
      db.exec('BEGIN IMMEDIATE')
      try {
        const result = make(change, at)
        writing.writeRollups()
        db.exec('COMMIT')
        return result
      } catch (error) {
        writing.invalidate()
        if (db.isTransaction) db.exec('ROLLBACK')
        throw error
      }
    },
  }
}

function changeScores(
  change: Change & { type: 'record-scores' | 'remove-scores' },
  scores: ScoreWriting,
  writing: Writing,
): ChangeResult {
  const projectNo = writing.findProjectNo(change.projectId)
  if (projectNo === undefined) return { traceIds: [] }
  if (change.type === 'record-scores') {
    return { traceIds: scores.record(projectNo, change.scores) }
  }
  return { traceIds: [], count: scores.remove(projectNo, change.traceId, change.scoreIds) }
}

type StoredTrace = (projectId: string, traceId: string) => TraceState | undefined

function storedTraceOf(states: TraceStates, writing: Writing): StoredTrace {
  return (projectId, traceId) => {
    const projectNo = writing.findProjectNo(projectId)
    if (projectNo === undefined) return undefined
    const trace = states.find(projectNo, traceId)
    return trace.isStored ? trace : undefined
  }
}

function prepareMove(
  db: DatabaseSync,
  states: TraceStates,
  writing: Writing,
  { removal, scores }: { readonly removal: SignalRemoval; readonly scores: ScoreWriting },
) {
  const storedTrace = storedTraceOf(states, writing)
  const moveToProject = db.prepare(moveTraceToProject)
  const count = db.prepare(countTraces)
  const enqueueForSearch = db.prepare(insertSearchChange)
  return (change: Change & { type: 'adopt' }, at: Instant): ChangeResult => {
    const { projectId, fromProjectId, traceId } = change
    if (storedTrace(projectId, traceId) !== undefined) return { traceIds: [], reason: 'exists' }
    const trace = storedTrace(fromProjectId, traceId)
    if (trace === undefined) return { traceIds: [], reason: 'not_found' }
    const projectNo = writing.projectNo(projectId)
    states.invalidate([trace])
    writing.removeFromIndex(trace)
    moveToProject.run(projectNo, trace.traceNo)
    count.run(-1, trace.projectNo)
    count.run(1, projectNo)
    enqueueForSearch.run(trace.traceNo)
    removal.moveOfTrace(trace.projectNo, projectNo, traceId)
    scores.moveOfTrace(trace.projectNo, projectNo, trace.traceNo)
    const movedTrace = { ...trace, projectNo, rollupDelta: null, indexEntry: null, totals: null }
    writing.putTrace(movedTrace, totalsOf([...trace.spans.values()], trace.labels), at)
    return { traceIds: [traceId] }
  }
}

type OldTraces = Omit<Change & { type: 'remove-old' }, 'type'>

function prepareOldRemoval(
  db: DatabaseSync,
  states: TraceStates,
  writing: Writing,
  remove: (trace: TraceState) => void,
): (request: OldTraces) => ChangeResult {
  const old = prepareRows(db, oldTraces)
  return ({ projectId, before, limit }) => {
    const projectNo = writing.findProjectNo(projectId)
    if (projectNo === undefined) return { traceIds: [] }
    const rows = old.all(projectNo, before, limit) as unknown as [traceId: string][]
    const traceIds: string[] = []
    let spans = 0
    for (const [traceId] of rows) {
      const trace = states.find(projectNo, traceId)
      spans += trace.spans.size
      if (traceIds.length > 0 && spans > removedSpansMax) break
      remove(trace)
      traceIds.push(traceId)
    }
    return { traceIds }
  }
}

/** Takes a trace away with all that is its own. */
function prepareRemoval(
  db: DatabaseSync,
  writing: Writing,
  signals: SignalRemoval,
  scores: ScoreWriting,
): (trace: TraceState) => void {
  const removeSpans = db.prepare(deleteSpansOfTrace)
  const removeRow = db.prepare(deleteTrace)
  const count = db.prepare(countTraces)
  const enqueueForSearch = db.prepare(insertSearchChange)
  return (trace) => {
    writing.removeFromIndex(trace)
    const blockNos = new Set([...trace.spans.values()].map(({ blockNo }) => blockNo))
    for (const blockNo of blockNos) writing.deleteBlock(blockNo)
    removeSpans.run(trace.traceNo)
    removeRow.run(trace.traceNo)
    count.run(-1, trace.projectNo)
    enqueueForSearch.run(trace.traceNo)
    signals.removeOfTrace(trace.projectNo, trace.traceId)
    scores.removeOfTrace(trace.projectNo, trace.traceNo, Number.MAX_SAFE_INTEGER)
  }
}

/** Takes some of what is left of a project without traces. */
function prepareProjectRemoval(
  db: DatabaseSync,
  writing: Writing,
  signals: Pick<SignalWriting, 'invalidate'>,
): (projectId: string) => ChangeResult {
  const statements = deleteProjectBatch.map((statement) => db.prepare(statement))
  return (projectId) => {
    const projectNo = writing.findProjectNo(projectId)
    // What the writer remembers of the project would lead to rows that are gone.
    writing.invalidate()
    signals.invalidate()
    const isMore =
      projectNo !== undefined &&
      statements.some((one) => one.run({ projectNo, limit: removedRowsMax }).changes > 0)
    return { traceIds: [], isMore }
  }
}
