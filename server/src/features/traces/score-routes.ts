import { limits } from '@assay/contract/limits.ts'
import {
  type Score as ApiScore,
  listScoredTraces,
  listScores,
  putScore,
  readScoreStats,
  removeScore,
} from '@assay/contract/scores.ts'
import { formatInstant, parseInstant } from '../../domain/instant.ts'
import { emptyObject } from '../../domain/json-text.ts'
import type { Score } from '../../domain/score.ts'
import type { Bind, CallReadOptions } from '../../http/call.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import { nameId } from '../../platform/name-id.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import { toTraceFilters } from '../../storage/telemetry/port/trace-filters.ts'
import { toApiTrace } from './serialize-trace.ts'

/*
 * Scores of traces: those of people, and what the scores of all show.
 */

export interface ScorePorts {
  readonly bind: Bind
  readonly telemetry: TelemetryStore
  readonly clock: Clock
}

const hourNanos = 3_600_000_000_000n
const bucketNanos = { hour: hourNanos, day: 24n * hourNanos } as const
const defaultRange = 30n * bucketNanos.day

export function registerScores(ports: ScorePorts): void {
  registerScoresOfTrace(ports)
  registerScoreReads(ports)
}

function registerScoresOfTrace({ bind, telemetry, clock }: ScorePorts): void {
  const checkTrace = async (projectId: string, traceId: string, options: CallReadOptions) => {
    if ((await telemetry.findTrace(projectId, traceId, options)) === undefined)
      throw traceNotFound()
  }

  bind(listScores, async ({ caller: { projectId }, params: { traceId }, query, readOptions }) => {
    await checkTrace(projectId, traceId, readOptions)
    const { limit, cursor } = query
    const page = { limit, ...(cursor !== undefined && { after: cursor }) }
    const { scores, next } = await telemetry.listScores(projectId, traceId, page, readOptions)
    const data = scores.map(toApiScore)
    return { data, meta: { pageSize: data.length, cursor: next ?? null } }
  })

  bind(putScore, async ({ caller: { projectId, user }, params: { traceId }, body }) => {
    const at = parseInstant(clock.now().toISOString())
    const { name, score: value, passed = value >= 0.5, reasoning } = body
    const score: Score = {
      ...{ id: nameId(user.id, name), traceId, spanId: null, name, evaluatorId: null, runId: null },
      ...{ source: 'person', authorId: user.id, status: 'scored', value, passed, reasoning },
      ...{ evalType: null, tokensIn: null, tokensOut: null, costUsd: null, latencyMs: null },
      ...{ details: emptyObject, createdAt: at, updatedAt: at },
    }
    const { missingTraceIds } = await telemetry.recordScores(projectId, [score])
    if (missingTraceIds.length > 0) throw traceNotFound()
    return toApiScore(score)
  })

  bind(removeScore, async ({ caller: { projectId, user }, params, readOptions }) => {
    const { traceId, scoreId } = params
    await checkTrace(projectId, traceId, readOptions)
    const own = await findOwn(projectId, traceId, user.id, scoreId, readOptions)
    if (own === undefined) throw new Failure('NOT_FOUND', 'Score not found.')
    await telemetry.removeScores(projectId, traceId, [scoreId])
    return { status: 'removed' as const }
  })

  const findOwn = async (
    projectId: string,
    traceId: string,
    userId: string,
    scoreId: string,
    options: CallReadOptions,
  ): Promise<Score | undefined> => {
    for (let after: string | undefined, isMore = true; isMore; isMore = after !== undefined) {
      const page = { limit: limits.listPageMax.value, ...(after !== undefined && { after }) }
      const { scores, next } = await telemetry.listScores(projectId, traceId, page, options)
      const found = scores.find(({ id }) => id === scoreId)
      if (found !== undefined) {
        return found.source === 'person' && found.authorId === userId ? found : undefined
      }
      after = next
    }
    return undefined
  }
}

function registerScoreReads({ bind, telemetry, clock }: ScorePorts): void {
  bind(listScoredTraces, async ({ caller: { projectId }, query, readOptions }) => {
    const { name, trace_name, order, limit, cursor, ...filters } = query
    const named = trace_name === undefined ? filters : { ...filters, name: trace_name }
    const scored = {
      ...{ name, order, limit, filters: toTraceFilters(named) },
      scanLimit: limits.scoredTracesScanned.value,
      ...(cursor !== undefined && { after: cursor }),
    }
    const page = await telemetry.listScoredTraces(projectId, scored, readOptions)
    return {
      data: page.traces.map(({ trace, value, passed }) => ({
        ...{ trace: toApiTrace(trace), score: value, passed },
      })),
      meta: {
        ...{ pageSize: page.traces.length, cursor: page.next ?? null },
        is_complete: page.isComplete,
      },
    }
  })

  bind(readScoreStats, async ({ caller: { projectId }, query, readOptions }) => {
    const to = parseInstant(query.to ?? clock.now().toISOString())
    const from = query.from === undefined ? to - defaultRange : parseInstant(query.from)
    if (from >= to) throw new Failure('VALIDATION_ERROR', 'from must be before to')
    const width = bucketNanos[query.bucket]
    if ((to - from) / width >= BigInt(limits.statsBuckets.value))
      throw new Failure('VALIDATION_ERROR', 'from must be closer to to, or bucket must be day')
    const range = { from, to, bucketNanos: width }
    const scan = { ...range, scanLimit: limits.scoresCounted.value }
    const { groups, coverageStart } = await telemetry.readScoreStats(projectId, scan, readOptions)
    return {
      groups: groups.map(({ name, evaluatorId, buckets }) => ({
        ...{ name, evaluator_id: evaluatorId },
        buckets: buckets.map(({ startedAt, passRate, notApplicable, ...counts }) => ({
          ...{ started_at: formatInstant(startedAt), ...counts },
          ...{ pass_rate: passRate, not_applicable: notApplicable },
        })),
      })),
      complete_from: formatInstant(coverageStart),
    }
  })
}

const traceNotFound = () => new Failure('NOT_FOUND', 'Trace not found.')

function toApiScore(score: Score): ApiScore {
  const { id, traceId, name, source, authorId, evaluatorId, runId, status } = score
  return {
    ...{ id, trace_id: traceId, name, source, author_id: authorId, evaluator_id: evaluatorId },
    ...{ run_id: runId, status, score: score.value, passed: score.passed },
    reasoning: score.reasoning,
    created_at: formatInstant(score.createdAt),
    updated_at: formatInstant(score.updatedAt),
  }
}
