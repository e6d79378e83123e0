import {
  type AlertFilters,
  type AlertMetric,
  type AlertRule,
  alertWindows,
  thresholdRanges,
} from '@assay/contract/alerts.ts'
import type { AlertRuleBody } from '../../api/alerts.ts'
import { type FilterValues, toFilters } from '../../form/filter-values.ts'
import { parseNumber } from '../../form/parse-number.ts'

/*
 * An alert rule in a form, with its fields as text. The contract validates the result.
 */

export interface AlertValues extends FilterValues {
  readonly name: string
  readonly metric: AlertMetric
  /** In the unit of the form: percent, seconds, US dollars or a score. */
  readonly threshold: string
  readonly window_minutes: string
  readonly score_name: string
  readonly min_count: string
  readonly recipient_ids: readonly string[]
  /** Empty: the webhook stays as it is. */
  readonly webhook_url: string
  readonly removes_webhook: boolean
}

/** How many of the unit of the API are one of the form. */
const unitScales: Readonly<Record<AlertMetric, number>> = {
  error_rate: 0.01,
  latency_p90: 1000,
  cost_per_day: 1,
  score_mean: 1,
  no_data: 1,
}

const initialThresholds: Readonly<Record<AlertMetric, string>> = {
  error_rate: '5',
  latency_p90: '10',
  cost_per_day: '10',
  score_mean: '0.5',
  no_data: '',
}

/** For a new rule whose metric is chosen. */
export function initialThreshold(metric: AlertMetric): string {
  return initialThresholds[metric]
}

/** A new rule leaves simulations out, as the list of traces does. */
const newFilters: AlertFilters = { mode: 'live' }

export function toAlertValues(rule: AlertRule | null): AlertValues {
  const { metric = 'error_rate', threshold = null } = rule ?? {}
  return {
    ...{ name: rule?.name ?? '', metric },
    threshold:
      rule === null ? initialThreshold(metric) : formatNumber(threshold, 1 / unitScales[metric]),
    window_minutes: String(rule?.window_minutes ?? 60),
    score_name: rule?.score_name ?? '',
    min_count: String(rule?.min_count ?? 1),
    ...toFilterValues(rule === null ? newFilters : rule.filters),
    recipient_ids: rule?.recipient_ids ?? [],
    ...{ webhook_url: '', removes_webhook: false },
  }
}

function toFilterValues({ name = '', tag = [], ...filters }: AlertFilters) {
  const { mode = '', environment = '', service = '', model = '' } = filters
  const tags = [tag].flat().join(', ')
  return { mode, trace_name: name, environment, service, model, tags } as const
}

function formatNumber(value: number | null, scale: number): string {
  return value === null ? '' : String(Number((value * scale).toPrecision(9)))
}

export function toAlertBody(values: AlertValues): AlertRuleBody {
  const { metric, webhook_url, removes_webhook } = values
  const url = webhook_url.trim()
  return {
    ...{ name: values.name, metric },
    threshold: metric === 'no_data' ? null : toThreshold(values),
    window_minutes: alertWindows.find((one) => String(one) === values.window_minutes) ?? 60,
    score_name: metric === 'score_mean' ? values.score_name : null,
    min_count: usesMinCount(metric) ? (parseNumber(values.min_count) ?? Number.NaN) : 1,
    filters: metric === 'score_mean' ? {} : toFilters(values),
    recipient_ids: [...values.recipient_ids],
    ...(removes_webhook ? { webhook_url: null } : url !== '' && { webhook_url: url }),
  }
}

/** NaN if it is not a number in the range of the metric. */
function toThreshold({ metric, threshold }: AlertValues): number {
  const value = Number(
    ((parseNumber(threshold) ?? Number.NaN) * unitScales[metric]).toPrecision(12),
  )
  const [least, most] = thresholdRanges[metric] ?? [0, 0]
  return value >= least && value <= most ? value : Number.NaN
}

/** `0 to 100`, in the unit of the form. */
export function formatThresholdRange(metric: AlertMetric): string {
  const [least, most] = thresholdRanges[metric] ?? [0, 0]
  const inUnit = (value: number) =>
    Number((value / unitScales[metric]).toPrecision(9)).toLocaleString('en-US')
  return `${inUnit(least)} to ${inUnit(most)}`
}

export function usesMinCount(metric: AlertMetric): boolean {
  return metric === 'error_rate' || metric === 'latency_p90' || metric === 'score_mean'
}

export function usesWindow(metric: AlertMetric): boolean {
  return metric !== 'cost_per_day'
}
