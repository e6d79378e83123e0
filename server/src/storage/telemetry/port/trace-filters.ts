import type { TraceFilters as ApiTraceFilters } from '@assay/contract/traces.ts'
import { parseInstant } from '../../../domain/instant.ts'
import { Failure } from '../../../platform/failure.ts'
import type { ScoreFilter, TraceFilters } from './traces.ts'

/** The filters of the API as those of the port. */
export function toTraceFilters(requested: ApiTraceFilters): TraceFilters {
  const { session_id, user_id, tag, q, from, to, has_score, ...rest } = requested
  const { min_cost_usd, min_duration_ms, min_tokens, ...others } = rest
  const { score, min_score, max_score, passed, ...same } = others
  const filters = {
    ...same,
    search: q,
    tags: typeof tag === 'string' ? [tag] : tag,
    minCostUsd: min_cost_usd,
    minDurationMs: min_duration_ms,
    minTokens: min_tokens,
    sessionId: session_id,
    userId: user_id,
    hasScore: has_score === undefined ? undefined : has_score === 'true',
    score: toScoreFilter({ score, min_score, max_score, passed }),
    from: from === undefined ? undefined : parseInstant(from),
    to: to === undefined ? undefined : parseInstant(to),
  }
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined))
}

function toScoreFilter({
  score,
  min_score,
  max_score,
  passed,
}: Pick<ApiTraceFilters, 'score' | 'min_score' | 'max_score' | 'passed'>): ScoreFilter | undefined {
  if (score === undefined) {
    if ([min_score, max_score, passed].every((one) => one === undefined)) return undefined
    const message = 'score is required with min_score, max_score and passed'
    throw new Failure('VALIDATION_ERROR', message)
  }
  return {
    name: score,
    ...(min_score !== undefined && { min: min_score }),
    ...(max_score !== undefined && { max: max_score }),
    ...(passed !== undefined && { passed: passed === 'true' }),
  }
}
