import type { EvaluationRule, RuleFilters } from '@assay/contract/evaluation-rules.ts'
import { limits } from '@assay/contract/limits.ts'
import {
  type ChosenEvaluation,
  type EvaluationChoice,
  noEvaluationChoice,
  toEvaluationBody,
} from '../../api/evaluation-choices.ts'
import type { EvaluationRuleBody } from '../../api/evaluation-rules.ts'
import { parseNumber } from '../../form/parse-number.ts'

/*
 * An evaluation rule in a form, with its fields as text. The contract validates the result.
 */

export interface RuleValues extends EvaluationChoice {
  readonly name: string
  /** Empty: any. */
  readonly status: '' | 'OK' | 'ERROR'
  readonly trace_name: string
  readonly environment: string
  readonly service: string
  /** Separated by commas. */
  readonly tags: string
  readonly sample_rate: string
  readonly max_cost_usd_per_day: string
}

export function toRuleValues(rule: EvaluationRule | null): RuleValues {
  const { status, name, environment, service, tag = [] } = rule?.filters ?? {}
  return {
    ...noEvaluationChoice,
    name: rule?.name ?? '',
    ...{ status: status ?? '', trace_name: name ?? '' },
    ...{ environment: environment ?? '', service: service ?? '', tags: [tag].flat().join(', ') },
    sample_rate: String(rule?.sample_rate ?? 1),
    max_cost_usd_per_day: String(rule?.max_cost_usd_per_day ?? limits.evaluationRuleUsd.value),
    ...(rule !== null && {
      collection_id: rule.collection_id,
      model_config_id: rule.model_config_id ?? '',
    }),
  }
}

/** Filters that the form has no input for. */
export function otherFilters(rule: EvaluationRule | null): RuleFilters {
  const { status, name, environment, service, tag, ...others } = rule?.filters ?? {}
  return others
}

export function toRuleBody(
  values: RuleValues,
  chosen: ChosenEvaluation,
  others: RuleFilters,
): EvaluationRuleBody {
  const text = (value: string) => value.trim() || undefined
  const tag = values.tags.split(',').flatMap((one) => text(one) ?? [])
  const inputs = {
    status: values.status || undefined,
    name: text(values.trace_name),
    environment: text(values.environment),
    service: text(values.service),
    tag: tag.length === 0 ? undefined : tag,
  }
  const given = Object.entries(inputs).filter(([, value]) => value !== undefined)
  return {
    ...toEvaluationBody(chosen),
    name: values.name,
    filters: { ...others, ...Object.fromEntries(given) },
    sample_rate: Number(values.sample_rate),
    ...(chosen.needsModel && {
      max_cost_usd_per_day: parseNumber(values.max_cost_usd_per_day) ?? Number.NaN,
    }),
  }
}

/** Shares to choose from, with the one of the rule. */
export function sampleRates(own: string): readonly { readonly value: string; label: string }[] {
  const rates = new Set([1, 0.5, 0.25, 0.1, 0.05, 0.01, Number(own)])
  return [...rates]
    .toSorted((a, b) => b - a)
    .map((rate) => ({ value: String(rate), label: formatRate(rate) }))
}

export function formatRate(rate: number): string {
  return rate === 1 ? 'All traces' : `${Number((rate * 100).toPrecision(6))}% of traces`
}
