import type { Instant } from '../../../domain/instant.ts'
import type { Score, ScoreSource } from '../../../domain/score.ts'
import type { Trace } from '../../../domain/span.ts'
import type { Position } from './position.ts'
import type { ReadOptions } from './read-options.ts'
import type { TraceFilters } from './traces.ts'

/*
 * Scores of traces and their spans, from any source.
 *
 * Identity. A score is (project, trace id, score id). Recording it again replaces it, unless the stored one
 * has a later `updatedAt`; of two with the same `updatedAt`, the one recorded last wins. So the same
 * recordings in any order result in the same scores.
 *
 * Lifetime. A score belongs to a stored trace: it is removed with the trace, moves with it to another
 * project, and is counted in the storage of its project. A trace that is removed and recorded again has no
 * scores.
 *
 * The score of a trace by a name is the newest one of that name without a span, by (createdAt, id), whose
 * status is `scored`. Filters and sorting use that one.
 */
export interface Scores {
  /**
   * Records at most 1,000 scores, of any traces of the project. Scores of a trace that is not stored are skipped:
   * their trace ids are returned. So are new scores of a person who has as many on the trace as
   * `limits.personScores`.
   */
  recordScores(projectId: string, scores: readonly Score[]): Promise<RecordedScores>

  /**
   * Removes scores of a trace and returns how many existed. With an author, only those that this person gave. A removed
   * score can be recorded again.
   */
  removeScores(
    projectId: string,
    traceId: string,
    scoreIds: readonly string[],
    authorId?: string,
  ): Promise<number>

  /** Newest first, by (createdAt, id). */
  listScores(
    projectId: string,
    traceId: string,
    query: ScoreQuery,
    options?: ReadOptions,
  ): Promise<ScorePage>

  /** The newest `limit` evaluation runs of a trace, newest first, each with at most 1,000 scores. */
  listScoreRuns(
    projectId: string,
    traceId: string,
    limit: number,
    options?: ReadOptions,
  ): Promise<readonly ScoreRun[]>

  /** The scores of one run, oldest first; undefined when the trace has none of it. */
  findScoreRun(
    projectId: string,
    traceId: string,
    runId: string,
    options?: ReadOptions,
  ): Promise<ScoreRun | undefined>

  /** How many names each trace has a score of, and by how many of these it passes. Leaves out traces without any. */
  countScores(
    projectId: string,
    traceIds: readonly string[],
    options?: ReadOptions,
  ): Promise<readonly ScoreCount[]>

  /**
   * Traces with their score by one name, ordered by its value; traces without one are left out. Filters examine at
   * least `scanLimit` scores: a page that ends there has fewer traces, maybe none, and `next` to continue from there.
   */
  listScoredTraces(
    projectId: string,
    query: ScoredTraceQuery,
    options?: ReadOptions,
  ): Promise<ScoredTracePage>

  /** Aggregates of the scores created in a time range, by name, evaluator and source. */
  readScoreStats(
    projectId: string,
    query: ScoreStatsQuery,
    options?: ReadOptions,
  ): Promise<ScoreStats>
}

export interface RecordedScores {
  /** Of traces that are not stored. */
  readonly missingTraceIds: readonly string[]
  /** On which the person has as many scores as possible. */
  readonly fullTraceIds: readonly string[]
}

export interface ScoreQuery {
  readonly limit: number
  readonly source?: ScoreSource
  readonly after?: Position
}

export interface ScorePage {
  readonly scores: readonly Score[]
  /** Undefined on the last page. */
  readonly next: Position | undefined
}

export interface ScoreRun {
  readonly runId: string
  /** Oldest first, by (createdAt, id). */
  readonly scores: readonly Score[]
}

export interface ScoreCount {
  readonly traceId: string
  readonly scored: number
  readonly passed: number
}

export interface ScoredTraceQuery {
  readonly name: string
  readonly order: 'lowest-first' | 'highest-first'
  readonly filters: Omit<TraceFilters, 'search'>
  readonly limit: number
  /** Scores to examine for the filters. */
  readonly scanLimit: number
  readonly after?: Position
}

export interface ScoredTrace {
  readonly trace: Trace
  readonly value: number
  readonly passed: boolean
}

export interface ScoredTracePage {
  readonly traces: readonly ScoredTrace[]
  /** Undefined on the last page. */
  readonly next: Position | undefined
  /** False when the scan limit ended the page early. */
  readonly isComplete: boolean
}

export interface ScoreStatsQuery {
  /** Created at this instant or later. */
  readonly from: Instant
  /** Created before this instant. */
  readonly to: Instant
  /** Buckets start at multiples of it since 1970. */
  readonly bucketNanos: bigint
  /** Only the newest `scanLimit` scores are counted. */
  readonly scanLimit: number
}

export interface ScoreStats {
  /** At most `limits.scoreStatsGroups`, those with the most scores first. */
  readonly groups: readonly ScoreGroup[]
  /** All scores created at or after this instant are counted. */
  readonly coverageStart: Instant
}

export interface ScoreGroup {
  readonly name: string
  readonly evaluatorId: string | null
  readonly source: ScoreSource
  /** Those with scores, oldest first. */
  readonly buckets: readonly ScoreBucket[]
}

export interface ScoreBucket {
  readonly startedAt: Instant
  /** Scores whose status is `scored`: the mean and the pass rate are over these, and null when there are none. */
  readonly count: number
  readonly mean: number | null
  readonly passRate: number | null
  readonly notApplicable: number
  readonly errors: number
}
