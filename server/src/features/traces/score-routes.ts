import { limits } from '@assay/contract/limits.ts'
import {
  listScoredTraces,
  listScores,
  putScore,
  readScoreStats,
  removeScore,
} from '@assay/contract/scores.ts'
import { formatInstant } from '../../domain/instant.ts'
import type { Bind } from '../../http/call.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { ReadOptions } from '../../storage/telemetry/port/read-options.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import { toTraceFilters } from '../../storage/telemetry/port/trace-filters.ts'
import {
  getEvaluatorName,
  type PersonRating,
  recordPersonScore,
  traceNotFound,
} from './person-score.ts'
import { readScoreRange } from './score-range.ts'
import { openScoreSerializer } from './serialize-score.ts'
import { toApiTrace } from './serialize-trace.ts'

/*
 * Scores of traces: those of people, and what the scores of all show.
 */

export interface ScorePorts {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly telemetry: TelemetryStore
  readonly clock: Clock
}

const hourNanos = 3_600_000_000_000n
const bucketNanos = { hour: hourNanos, day: 24n * hourNanos } as const

export function registerScores(ports: ScorePorts): void {
  registerScoresOfTrace(ports)
  registerScoreReads(ports)
}

function registerScoresOfTrace(ports: ScorePorts): void {
  const { bind, accounts, telemetry } = ports
  bind(listScores, async ({ caller: { projectId }, params: { traceId }, query, readOptions }) => {
    if ((await telemetry.findTrace(projectId, traceId, readOptions)) === undefined)
      throw traceNotFound()
    const { limit, cursor, source } = query
    const page = {
      limit,
      ...(source !== undefined && { source }),
      ...(cursor !== undefined && { after: cursor }),
    }
    const { scores, next } = await telemetry.listScores(projectId, traceId, page, readOptions)
    const data = scores.map(await openScoreSerializer(scores, accounts))
    return { data, meta: { pageSize: data.length, cursor: next ?? null } }
  })

  bind(putScore, async ({ caller, params: { traceId }, body, readOptions }) => {
    const { name, evaluator_id: evaluatorId = null, span_id: spanId = null } = body
    const rating = {
      ...{ traceId, spanId, evaluatorId, score: body.score, reasoning: body.reasoning },
      ...{ name: name ?? (await getEvaluatorName(caller.organizationId, evaluatorId!, accounts)) },
      passed: body.passed,
    }
    if (spanId !== null) await checkSpan(rating, caller.projectId, ports, readOptions)
    return await recordPersonScore(rating, caller, ports)
  })

  bind(removeScore, async ({ caller: { projectId, user }, params: { traceId, scoreId } }) => {
    const removed = await telemetry.removeScores(projectId, traceId, [scoreId], user.id)
    if (removed === 0) throw new Failure('NOT_FOUND', 'Score not found.')
    return { status: 'removed' as const }
  })
}

async function checkSpan(
  { traceId, spanId }: PersonRating,
  projectId: string,
  { telemetry }: ScorePorts,
  options: ReadOptions,
): Promise<void> {
  if ((await telemetry.findTrace(projectId, traceId, options)) === undefined) throw traceNotFound()
  if ((await telemetry.findSpan(projectId, traceId, spanId!, options)) === undefined)
    throw new Failure('NOT_FOUND', 'Span not found.')
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
    const { from, to } = readScoreRange(query, clock)
    const width = bucketNanos[query.bucket]
    if ((to - from) / width >= BigInt(limits.statsBuckets.value))
      throw new Failure('VALIDATION_ERROR', 'from must be closer to to, or bucket must be day')
    const range = { from, to, bucketNanos: width }
    const scan = { ...range, scanLimit: limits.scoresCounted.value }
    const { groups, coverageStart } = await telemetry.readScoreStats(projectId, scan, readOptions)
    return {
      groups: groups.map(({ name, evaluatorId, source, buckets }) => ({
        ...{ name, evaluator_id: evaluatorId, source },
        buckets: buckets.map(({ startedAt, passRate, notApplicable, ...counts }) => ({
          ...{ started_at: formatInstant(startedAt), ...counts },
          ...{ pass_rate: passRate, not_applicable: notApplicable },
        })),
      })),
      complete_from: formatInstant(coverageStart),
    }
  })
}
