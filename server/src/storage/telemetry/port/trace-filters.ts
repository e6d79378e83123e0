import type { TraceFilters as ApiTraceFilters } from '@assay/contract/traces.ts'
import { parseInstant } from '../../../domain/instant.ts'
import { Failure } from '../../../platform/failure.ts'
import type { AttributeFilter, ExcludedValues, ScoreFilter, TraceFilters } from './traces.ts'

/** The filters of the API as those of the port. */
export function toTraceFilters(requested: ApiTraceFilters): TraceFilters {
  const { status, mode, source, name, environment, service, model, kind, q, from, to } = requested
  const { has_score, ...scored } = requested
  const filters: { readonly [Name in keyof TraceFilters]: TraceFilters[Name] | undefined } = {
    ...{ status, mode, source, name, environment, service, model, kind },
    search: q,
    tags: toValues(requested.tag),
    anyTag: toValues(requested.any_tag),
    minCostUsd: requested.min_cost_usd,
    maxCostUsd: requested.max_cost_usd,
    minDurationMs: requested.min_duration_ms,
    maxDurationMs: requested.max_duration_ms,
    minTokens: requested.min_tokens,
    maxTokens: requested.max_tokens,
    sessionId: requested.session_id,
    userId: requested.user_id,
    excluded: toExcluded(requested),
    attributes: toAttributeFilters(requested),
    hasScore: has_score === undefined ? undefined : has_score === 'true',
    score: toScoreFilter(scored),
    from: from === undefined ? undefined : parseInstant(from),
    to: to === undefined ? undefined : parseInstant(to),
  }
  return withoutUndefined(filters)
}

function toAttributeFilters({ attribute, not_attribute }: ApiTraceFilters) {
  const required = (toValues(attribute) ?? []).map(toAttributeFilter)
  const excluded = (toValues(not_attribute) ?? []).map(toAttributeFilter)
  const filters = [...required, ...excluded.map((one) => ({ ...one, isExcluded: true as const }))]
  return filters.length === 0 ? undefined : filters
}

/** `key=value`. */
function toAttributeFilter(text: string): AttributeFilter {
  const end = text.indexOf('=')
  return { key: text.slice(0, end), value: text.slice(end + 1) }
}

function toExcluded(requested: ApiTraceFilters): ExcludedValues | undefined {
  const { not_name, not_environment, not_service, not_model, not_kind, not_tag } = requested
  const excluded = withoutUndefined<ExcludedValues>({
    name: not_name,
    environment: toValues(not_environment),
    service: toValues(not_service),
    sessionId: toValues(requested.not_session_id),
    userId: toValues(requested.not_user_id),
    model: toValues(not_model),
    kind: toValues(not_kind),
    tag: toValues(not_tag),
  })
  return Object.keys(excluded).length === 0 ? undefined : excluded
}

function toValues(given: string | readonly string[] | undefined): readonly string[] | undefined {
  return typeof given === 'string' ? [given] : given
}

function withoutUndefined<T extends object>(
  values: {
    readonly [Name in keyof T]: T[Name] | undefined
  },
): T {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as unknown as T
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
