import type { EvaluationRule, RuleFilters } from '@assay/contract/evaluation-rules.ts'
import { limits } from '@assay/contract/limits.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { formatCount } from '@assay/ui/number-format.ts'
import {
  type ChosenEvaluation,
  type EvaluationChoice,
  noEvaluationChoice,
  toEvaluationBody,
} from '../../api/evaluation-choices.ts'
import type { EvaluationRuleBody } from '../../api/evaluation-rules.ts'
import { type FilterValues, givenOnly, textOf, toFilters } from '../../form/filter-values.ts'
import { parseNumber } from '../../form/parse-number.ts'

/*
 * An evaluation rule in a form, with its fields as text. The contract validates the result.
 */

export interface RuleValues extends EvaluationChoice, FilterValues {
  readonly name: string
  /** Empty: any. */
  readonly status: '' | 'OK' | 'ERROR'
  readonly user_id: string
  readonly session_id: string
  readonly sample_rate: string
  readonly max_cost_usd_per_day: string
}

/** A new rule leaves simulations out, as the list of traces does. */
const newFilters: RuleFilters = { mode: 'live' }

export function toRuleValues(rule: EvaluationRule | null): RuleValues {
  const { name, tag = [], status = '', mode = '', ...filters } = rule?.filters ?? newFilters
  return {
    ...noEvaluationChoice,
    ...{ name: rule?.name ?? '', status, mode, trace_name: name ?? '' },
    ...{ model: toInput(filters.model), environment: toInput(filters.environment) },
    ...{ service: toInput(filters.service), user_id: toInput(filters.user_id) },
    ...{ session_id: toInput(filters.session_id), tags: [tag].flat().join(', ') },
    sample_rate: formatPercent(rule?.sample_rate ?? 1),
    max_cost_usd_per_day: String(rule?.max_cost_usd_per_day ?? limits.evaluationRuleUsd.value),
    ...(rule !== null && {
      collection_id: rule.collection_id,
      model_config_id: rule.model_config_id ?? '',
    }),
  }
}

/** Several values, of which one matches, have no input. */
function toInput(values: string | readonly string[] | undefined): string {
  return typeof values === 'string' ? values : ''
}

/** Filters that the form has no input for. */
export function otherFilters(rule: EvaluationRule | null): RuleFilters {
  const { status, mode, name, tag, ...filters } = rule?.filters ?? {}
  const inputs = ['model', 'environment', 'service', 'user_id', 'session_id']
  const others = Object.entries(filters).filter(
    ([key, value]) => !inputs.includes(key) || typeof value !== 'string',
  )
  return Object.fromEntries(others)
}

/** The filters of the form, and those of the rule that it has no input for. */
export function toRuleFilters(values: RuleValues, rule: EvaluationRule | null): RuleFilters {
  const others = givenOnly({
    status: values.status || undefined,
    user_id: textOf(values.user_id),
    session_id: textOf(values.session_id),
  })
  return { ...otherFilters(rule), ...toFilters(values), ...others }
}

export function toRuleBody(
  values: RuleValues,
  chosen: ChosenEvaluation,
  rule: EvaluationRule | null,
): EvaluationRuleBody {
  return {
    ...toEvaluationBody(chosen),
    name: values.name,
    filters: toRuleFilters(values, rule),
    sample_rate: toSampleRate(values, rule),
    ...(chosen.needsModel && {
      max_cost_usd_per_day: parseNumber(values.max_cost_usd_per_day) ?? Number.NaN,
    }),
  }
}

/** From 0.1 % to 100 %, or NaN. A share that was not changed stays as exact as it is. */
export function toSampleRate(
  { sample_rate: text }: RuleValues,
  rule: EvaluationRule | null,
): number {
  if (rule !== null && text === formatPercent(rule.sample_rate)) return rule.sample_rate
  const percent = parseNumber(text) ?? Number.NaN
  return percent >= 0.1 && percent <= 100 ? percent / 100 : Number.NaN
}

function formatPercent(rate: number): string {
  return String(Number((rate * 100).toPrecision(6)))
}

export function formatRate(rate: number): string {
  return rate === 1 ? 'All traces' : `${formatPercent(rate)}% of traces`
}

/** How many traces a rule would have evaluated, from those that matched within some days. */
export function formatMatchesPerDay(count: number, days: number, sampleRate: number): string {
  if (count === 0) return 'No recent trace matches.'
  const perDay = formatPerDay(count / days)
  const matching =
    days < matchedDays
      ? `Of the newest traces, ${perDay} match.`
      : `${countOf(count, 'trace')} of the last ${days} days ${count === 1 ? 'matches' : 'match'}, ${perDay}.`
  if (sampleRate === 1) return matching
  return `${matching} Of these, ${formatPerDay((count / days) * sampleRate)} would be evaluated.`
}

function formatPerDay(count: number): string {
  return count < 1 ? 'less than 1 a day' : `about ${formatCount(Math.round(count))} a day`
}

/** As many days before now are counted. */
export const matchedDays = 7
