import type { TraceFilters as ApiTraceFilters } from '@assay/contract/traces.ts'
import { parseInstant } from '../../../domain/instant.ts'
import { Failure } from '../../../platform/failure.ts'
import type { ScoreFilter, TraceFilters } from './traces.ts'

/** The filters of the API as those of the port. */
export function toTraceFilters(requested: ApiTraceFilters): TraceFilters {
  const { session_id, user_id, tag, q, from, to, has_score, ...rest } = requested
  const { min_cost_usd, min_duration_ms, min_tokens, score, min_score, max_score, ...same } = rest
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
    score: toScoreFilter(score, min_score, max_score),
    from: from === undefined ? undefined : parseInstant(from),
    to: to === undefined ? undefined : parseInstant(to),
  }
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined))
}

function toScoreFilter(
  name: string | undefined,
  min: number | undefined,
  max: number | undefined,
): ScoreFilter | undefined {
  if (name === undefined) {
    if (min === undefined && max === undefined) return undefined
    throw new Failure('VALIDATION_ERROR', 'score is required with min_score and max_score')
  }
  return { name, ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
}
