import type {
  AlertFilters,
  AlertMetric,
  AlertStatus,
  ShownAlertStatus,
} from '@assay/contract/alerts.ts'
import type { AlertRuleRow } from '../../storage/accounts/alert-tables.ts'
import type { ProjectRow } from '../../storage/accounts/people-tables.ts'

/*
 * The messages of alert rules: the body for webhooks, whose title and text are also those of mails.
 */

export interface AlertMessage {
  readonly type: 'alert.firing' | 'alert.no_data' | 'alert.resolved' | 'alert.test'
  readonly timestamp: string
  readonly title: string
  readonly text: string
  readonly rule: {
    readonly id: string
    readonly name: string
    readonly metric: AlertMetric
    readonly threshold: number | null
    readonly window_minutes: number
    readonly filters: AlertFilters
  }
  readonly project: { readonly id: string; readonly name: string }
  readonly value: number | null
  /** The history of the rule. */
  readonly url: string
}

export interface MessageInput {
  readonly rule: AlertRuleRow
  readonly project: Pick<ProjectRow, 'id' | 'name'>
  readonly status: ShownAlertStatus | 'test'
  readonly value: number | null
  readonly at: string
  readonly baseUrl: string
}

const titles = {
  ...{ firing: 'Firing', no_data: 'Not enough data', resolved: 'Resolved', test: 'Test' },
} as const

export function toMessage({ rule, project, status, value, at, baseUrl }: MessageInput) {
  const isResolved = status === 'ok' || status === 'pending' || status === 'disabled'
  const type = isResolved ? 'resolved' : status
  const { id, name, metric, threshold, window_minutes } = rule
  const filters = JSON.parse(rule.filters) as AlertFilters
  return {
    type: `alert.${type}`,
    timestamp: at,
    title: `${titles[type]}: ${name} (${project.name})`,
    text: formatText(rule, status, value),
    rule: { id, name, metric, threshold, window_minutes, filters },
    project: { id: project.id, name: project.name },
    value,
    url: `${baseUrl}/p/${project.id}/alerts?rule=${id}`,
  } satisfies AlertMessage
}

function formatText(
  rule: AlertRuleRow,
  status: MessageInput['status'],
  value: number | null,
): string {
  if (status === 'test') return 'This is a test message. It says nothing about the status.'
  if (status === 'disabled') return 'The rule was disabled.'
  const filters = JSON.parse(rule.filters) as AlertFilters
  return formatFinding(rule, status, value) + formatFilters(filters)
}

function formatFinding(rule: AlertRuleRow, status: AlertStatus, value: number | null): string {
  const { metric } = rule
  const range = formatWindow(rule.window_minutes)
  if (status === 'no_data') {
    return `The rule has stopped firing: there is too little data in the last ${range}.`
  }
  if (metric === 'no_data') {
    return status === 'firing'
      ? `No trace has started in the last ${range}.`
      : `Traces arrive again: ${value ?? 0} in the last ${range}.`
  }
  const threshold =
    rule.threshold === null ? '' : ` (threshold ${formatValue(metric, rule.threshold)})`
  return `${formatSubject(rule, range)} is ${formatValue(metric, value ?? 0)}${threshold}.`
}

/** ` Filters: environment prod, tags a and b.` */
function formatFilters({ mode, tag, ...named }: AlertFilters): string {
  const tags = tag === undefined ? [] : [tag].flat()
  const all = [
    ...Object.entries(named).map(([key, value]) => `${key} ${value}`),
    ...(tags.length === 0 ? [] : [`${tags.length === 1 ? 'tag' : 'tags'} ${tags.join(' and ')}`]),
    ...(mode === undefined ? [] : [`mode ${mode}`]),
  ]
  return all.length === 0 ? '' : ` Filters: ${all.join(', ')}.`
}

function formatSubject({ metric, score_name }: AlertRuleRow, range: string): string {
  switch (metric) {
    case 'cost_per_day':
      return 'The cost of today (UTC)'
    case 'latency_p90':
      return `The p90 latency of the last ${range}`
    case 'score_mean':
      return `The mean score "${score_name ?? ''}" of the last ${range}`
    default:
      return `The error rate of the last ${range}`
  }
}

function formatValue(metric: AlertMetric, value: number): string {
  switch (metric) {
    case 'error_rate':
      return `${round(value * 100, 3)}%`
    case 'latency_p90':
      return value < 1000 ? `${round(value, 3)} ms` : `${round(value / 1000, 3)} s`
    case 'cost_per_day':
      return `$${round(value, 4)}`
    default:
      return round(value, 3)
  }
}

function round(value: number, digits: number): string {
  return String(Number(value.toPrecision(digits)))
}

function formatWindow(minutes: number): string {
  if (minutes < 120) return `${minutes} minutes`
  return `${minutes / 60} hours`
}
