import type { DatabaseSync } from 'node:sqlite'
import { type Instant, lastInstant } from '../../../domain/instant.ts'
import type { Score } from '../../../domain/score.ts'
import type { SpanRef } from '../port/pricing.ts'
import type { Steps } from '../steps.ts'
import { prepareRows } from './database.ts'
import { prepareRepricing, type Repricing } from './repricing.ts'
import { prepareScoreWriting, type ScoreWriting } from './score-writing.ts'
import { prepareSignalRemoval, type SignalRemoval, type SignalsPosition } from './signal-removal.ts'
import type { SignalWriting } from './signal-writing.ts'
import { deleteSearchChanges, insertSearchChange } from './statements/changes.ts'
import { deleteProjectBatch } from './statements/project-removal.ts'
import { countTraces } from './statements/projects.ts'
import { findStoredTrace } from './statements/traces.ts'
import { prepareTagging, type Tagging } from './tag-changes.ts'
import { type StoredTrace, traceColumns } from './trace-columns.ts'
import { prepareTraceRemoval, rowLimit, type TraceRemoval } from './trace-removal.ts'
import type { TraceStates } from './trace-states.ts'
import type { Transaction } from './transactions.ts'
import type { Writing } from './write-statements.ts'

/*
 * Changes to stored traces and signals other than recording them.
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
    }
  | { readonly type: 'delete-removed' }
  | { readonly type: 'delete-rows'; readonly projectId: string; readonly traceId: string }
  | {
      readonly type: 'remove-old-signals'
      readonly projectId: string
      readonly before: Instant
      readonly after: SignalsPosition | undefined
    }
  | { readonly type: 'remove-old-idempotency-records'; readonly before: Instant }
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
      readonly authorId: string | null
    }
  | ({ readonly type: 'reprice' } & Repricing)
  | ({ readonly type: 'tag' } & Tagging)
  | { readonly type: 'delete-search-changes'; readonly upTo: number }

export interface ChangeResult {
  /** The traces that it changed. */
  readonly traceIds: readonly string[]
  /** Those that cannot have more scores of a person. */
  readonly fullTraceIds?: readonly string[]
  readonly reason?: 'not_found' | 'exists'
  /** Those that were re-priced. */
  readonly spans?: readonly SpanRef[]
  readonly count?: number
  /** Whether the change needs another step. */
  readonly isMore?: boolean
  /** Where the next step continues. */
  readonly next?: SignalsPosition | undefined
}

export interface Changes {
  make(change: Change, at: Instant): Steps<ChangeResult>
}

/** Takes a single step. */
type ShortChange = Exclude<Change, { type: 'reprice' | 'tag' | 'adopt' }>
type Move = Change & { readonly type: 'adopt' }

/** In one transaction, of a removed project or of old idempotency records. */
const removedRowsMax = 5000

export function openChanges(
  db: DatabaseSync,
  states: TraceStates,
  writing: Writing,
  signals: Pick<SignalWriting, 'invalidate'>,
  transaction: Transaction,
): Changes {
  const signalRemoval = prepareSignalRemoval(db, writing.addToRowCount, signals.invalidate)
  const scores = prepareScoreWriting(db, writing.addToRowCount)
  const forgetSearchChanges = db.prepare(deleteSearchChanges)
  const removeProjectRows = prepareProjectRemoval(db, writing, signals)
  const reprice = prepareRepricing(db, states, writing, transaction)
  const tag = prepareTagging(states, writing, transaction)

  const dependents = { signals: signalRemoval, scores }
  const removal = prepareTraceRemoval(db, states, writing, dependents)
  const findTrace = prepareFind(db, writing)
  const adopt = prepareMove(db, findTrace, states, writing, dependents, transaction)
  const removeOld = prepareOldRemoval(removal, writing)
  const make = (change: ShortChange): ChangeResult => {
    if (change.type === 'record-scores' || change.type === 'remove-scores') {
      return changeScores(change, scores, writing)
    }
    if (change.type === 'remove-project') {
      const traces = removeOld(change.projectId, lastInstant + 1n)
      return traces.isMore === true || traces.count !== 0
        ? { traceIds: [], isMore: true }
        : removeProjectRows(change.projectId)
    }
    if (change.type === 'remove-old') return removeOld(change.projectId, change.before)
    if (change.type === 'delete-removed') {
      return { traceIds: [], isMore: !removal.deleteRows(rowLimit()) }
    }
    if (change.type === 'delete-rows') {
      const projectNo = writing.findProjectNo(change.projectId)
      if (projectNo === undefined) return { traceIds: [] }
      const of = { projectNo, traceId: change.traceId }
      return { traceIds: [], isMore: !removal.deleteRows(rowLimit(), of) }
    }
    if (change.type === 'remove-old-signals') {
      const projectNo = writing.findProjectNo(change.projectId)
      if (projectNo === undefined) return { traceIds: [] }
      const next = signalRemoval.removeOld(projectNo, change.before, change.after)
      return { traceIds: [], next }
    }
    if (change.type === 'remove-old-idempotency-records') {
      const isMore = writing.removeOldIdempotencyRecords(change.before, removedRowsMax)
      return { traceIds: [], isMore }
    }
    if (change.type === 'delete-search-changes') {
      forgetSearchChanges.run(change.upTo)
      return { traceIds: [] }
    }
    const trace = findTrace(change.projectId, change.traceId)
    if (trace === undefined) return { traceIds: [], reason: 'not_found' }
    removal.remove(trace)
    return { traceIds: [change.traceId], isMore: !removal.deleteRows(rowLimit(), trace) }
  }
  return {
    *make(change, at) {
      if (change.type === 'reprice') return yield* reprice(change, at)
      if (change.type === 'tag') return yield* tag(change, at)
      if (change.type === 'adopt') return yield* adopt(change, at)
      return transaction([], () => make(change))
    },
  }
}

function prepareOldRemoval(removal: TraceRemoval, writing: Writing) {
  return (projectId: string, before: Instant): ChangeResult => {
    const projectNo = writing.findProjectNo(projectId)
    if (projectNo === undefined) return { traceIds: [], count: 0 }
    const { traceCount, isDone } = removal.removeOld(projectNo, before)
    return { traceIds: [], count: traceCount, isMore: !isDone }
  }
}

/** Its project may be storing a trace with the same id in steps. */
function* untilTargetIsFree(
  { projectId, traceId }: Move,
  states: TraceStates,
  writing: Writing,
): Steps<void> {
  const projectNo = writing.findProjectNo(projectId)
  if (projectNo === undefined) return
  while (states.isTaken({ projectNo, traceId })) yield 'waiting'
}

function changeScores(
  change: Change & { type: 'record-scores' | 'remove-scores' },
  scores: ScoreWriting,
  writing: Writing,
): ChangeResult {
  const projectNo = writing.findProjectNo(change.projectId)
  if (projectNo === undefined) return { traceIds: [] }
  if (change.type === 'record-scores') {
    return scores.record(projectNo, change.scores)
  }
  const { traceId, scoreIds, authorId } = change
  return { traceIds: [], count: scores.remove(projectNo, traceId, scoreIds, authorId) }
}

type FindTrace = (projectId: string, traceId: string) => StoredTrace | undefined

function prepareFind(db: DatabaseSync, writing: Writing): FindTrace {
  const find = prepareRows(db, findStoredTrace)
  return (projectId, traceId) => {
    const projectNo = writing.findProjectNo(projectId)
    if (projectNo === undefined) return undefined
    const row = find.get(projectNo, traceId) as unknown as
      | Parameters<typeof traceColumns.fromRow>[0]
      | undefined
    return row && traceColumns.fromRow(row)
  }
}

function prepareMove(
  db: DatabaseSync,
  findTrace: FindTrace,
  states: TraceStates,
  writing: Writing,
  { signals, scores }: { readonly signals: SignalRemoval; readonly scores: ScoreWriting },
  transaction: Transaction,
) {
  const count = db.prepare(countTraces)
  const enqueueForSearch = db.prepare(insertSearchChange)
  const find = ({ projectId, fromProjectId, traceId }: Move): StoredTrace | ChangeResult => {
    if (findTrace(projectId, traceId) !== undefined) return { traceIds: [], reason: 'exists' }
    return findTrace(fromProjectId, traceId) ?? { traceIds: [], reason: 'not_found' }
  }
  /** Some of its log records, or the trace itself when they are moved; undefined when there is more to do. */
  const moveSome = (change: Move, at: Instant): ChangeResult | undefined => {
    const { projectId, traceId } = change
    const trace = find(change)
    if ('traceIds' in trace) return trace
    const projectNo = writing.projectNo(projectId)
    if (signals.moveOfTrace(trace.projectNo, projectNo, traceId)) return undefined
    states.invalidate([trace])
    writing.moveToProject(trace, projectNo, at)
    count.run(-1, trace.projectNo)
    count.run(1, projectNo)
    enqueueForSearch.run(trace.traceNo)
    scores.moveOfTrace(trace.projectNo, projectNo, trace.traceNo)
    return { traceIds: [traceId] }
  }
  return function* (change: Move, at: Instant): Steps<ChangeResult> {
    for (;;) {
      yield* untilTargetIsFree(change, states, writing)
      const result = transaction([], () => moveSome(change, at))
      if (result !== undefined) return result
      yield
    }
  }
}

/** Deletes some of what is left of a project without traces. */
function prepareProjectRemoval(
  db: DatabaseSync,
  writing: Writing,
  signals: Pick<SignalWriting, 'invalidate'>,
): (projectId: string) => ChangeResult {
  const statements = deleteProjectBatch.map((statement) => db.prepare(statement))
  return (projectId) => {
    const projectNo = writing.findProjectNo(projectId)
    // The writer's caches may reference the deleted rows.
    writing.invalidate()
    signals.invalidate()
    const isMore =
      projectNo !== undefined &&
      statements.some((one) => one.run({ projectNo, limit: removedRowsMax }).changes > 0)
    return { traceIds: [], isMore }
  }
}
