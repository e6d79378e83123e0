import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import {
  appBody,
  changeOf,
  id,
  inProject,
  label,
  limitedList,
  pathId,
  removed,
  timestamp,
} from './fields.ts'
import { limits } from './limits.ts'
import { statsFilters } from './stats.ts'

/*
 * Alert rules: a threshold on the stats or scores of a project, checked every minute, and whom to notify.
 */

export const alertMetrics = [
  'error_rate',
  'latency_p90',
  'cost_per_day',
  'score_mean',
  'no_data',
] as const
export type AlertMetric = (typeof alertMetrics)[number]

/** In minutes. Ranges of 6 hours or more consist of whole hours. */
export const alertWindows = [5, 15, 60, 360, 1440] as const

const filters = statsFilters.strict()
export type AlertFilters = z.output<typeof filters>

const webhookUrl = z
  .string()
  .max(limits.webhookUrlLength.value)
  .refine(isWebhookUrl, 'must be an http or https URL without user name and fragment')

const condition = {
  metric: z
    .enum(alertMetrics)
    .describe(
      '`error_rate`: the share of traces in error is above the threshold; `latency_p90`: the 90th percentile of the durations of traces, in milliseconds, is above it; `cost_per_day`: the cost of the current day (UTC), in US dollars, is above it; `score_mean`: the mean of the scores of one name is below it; `no_data`: no trace has started',
    ),
  threshold: z.number().nullable().describe('null for `no_data`'),
  window_minutes: z
    .literal([...alertWindows])
    .describe('how far back traces and scores count; `cost_per_day` does not use it'),
  score_name: label.nullable().describe('only for `score_mean`'),
  min_count: z
    .int()
    .min(1)
    .max(limits.alertMinCountMax.value)
    .describe(
      'with fewer traces or scores, the state is `no_data`; used by `error_rate`, `latency_p90` and `score_mean`',
    ),
  filters: filters.describe(
    'of the traces, as for `GET …/stats`; scores are counted without filters',
  ),
}

const channels = {
  recipient_ids: z
    .array(id)
    .max(limits.alertRecipients.value)
    .describe('members of the organization that get a mail'),
}

const fields = {
  name: label,
  is_enabled: z.boolean(),
  ...condition,
  ...channels,
}

/** The fields of a rule as they are stored; some combinations of them are refused. */
export const wholeAlertRule = z.object(fields).superRefine((rule, context) => {
  const refuse = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message })
  const { metric, threshold } = rule
  const problem = findThresholdProblem(metric, threshold)
  if (problem !== undefined) refuse('threshold', problem)
  if (metric === 'score_mean' && rule.score_name === null) refuse('score_name', 'is required')
  if (metric !== 'score_mean' && rule.score_name !== null) {
    refuse('score_name', 'must be null unless metric is score_mean')
  }
  if (metric === 'score_mean' && Object.keys(rule.filters).length > 0) {
    refuse('filters', 'must be empty if metric is score_mean')
  }
})
export type WholeAlertRule = z.output<typeof wholeAlertRule>

/** What is wrong with a threshold, as a predicate; undefined when nothing is. */
function findThresholdProblem(metric: AlertMetric, threshold: number | null): string | undefined {
  const [least, most] = thresholdRanges[metric] ?? [undefined, undefined]
  if (least === undefined) {
    return threshold === null ? undefined : 'must be null if metric is no_data'
  }
  const isInRange = threshold !== null && threshold >= least && threshold <= most
  return isInRange ? undefined : `must be a number from ${least} to ${most}`
}

/** Null: without a threshold. */
export const thresholdRanges: Readonly<
  Record<AlertMetric, readonly [least: number, most: number] | null>
> = {
  error_rate: [0, 1],
  latency_p90: [0, limits.alertLatencyMsMax.value],
  cost_per_day: [0, limits.alertCostUsdMax.value],
  score_mean: [0, 1],
  no_data: null,
}

export const alertStatuses = ['pending', 'ok', 'firing', 'no_data'] as const
export type AlertStatus = (typeof alertStatuses)[number]

const shownStatuses = [...alertStatuses, 'disabled'] as const
export type ShownAlertStatus = (typeof shownStatuses)[number]

const alertState = z.object({
  status: z
    .enum(shownStatuses)
    .describe('`pending`: not checked since it was created, changed or enabled'),
  since: timestamp.describe('when the status began'),
  value: z.number().nullable().describe('at the last check, in the unit of the threshold'),
  checked_at: timestamp.nullable(),
  problem: z
    .string()
    .nullable()
    .describe('why the last check failed; the status is an earlier one'),
})

export const alertRule = z
  .object({
    ...{ id, project_id: id, name: z.string(), is_enabled: z.boolean() },
    ...condition,
    score_name: z.string().nullable(),
    ...channels,
    webhook_host: z
      .string()
      .nullable()
      .describe('of the webhook, whose URL is not shown again; null without one'),
    state: alertState,
    ...{ created_by: id.nullable(), created_at: timestamp, updated_at: timestamp },
  })
  .meta({ id: 'AlertRule' })
export type AlertRule = z.output<typeof alertRule>

const savedAlertRule = alertRule.extend({
  webhook_secret: z
    .string()
    .nullable()
    .describe('signs the requests to a new webhook; shown only here. Null without a new one'),
})
export type SavedAlertRule = z.output<typeof savedAlertRule>

const mayManage = ['manage_metrics'] as const

export const listAlertRules = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/alert-rules',
  tag: 'Alerts',
  summary: 'List the alert rules of a project with their states, oldest first',
  access: { by: 'session', of: 'project' },
  cost: 'cheap',
  params: inProject,
  success: { status: 200, data: limitedList(alertRule, 'alertRulesPerProject') },
})

export const createAlertRule = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/alert-rules',
  tag: 'Alerts',
  summary: 'Create an alert rule',
  description: `Checked at once, then every minute. A message is sent when the rule begins to fire and when it no longer does (\`alert.no_data\` where there is too little data, \`alert.resolved\` once it is OK), which is ${limits.alertFiringMinutes.value} minutes later at the earliest. Minute by minute, at most the newest ${limits.statsTraces.value} traces of the window count; whole hours and days count all. Webhooks get a JSON body, signed as in [Standard Webhooks](https://www.standardwebhooks.com). A URL in a private network is \`VALIDATION_ERROR\` with status 422, unless the operator allows it.`,
  access: { by: 'session', of: 'project', anyOf: mayManage },
  cost: 'expensive',
  params: inProject,
  body: appBody(
    z.object({
      ...fields,
      is_enabled: fields.is_enabled.default(true),
      threshold: fields.threshold.default(null),
      window_minutes: fields.window_minutes.default(60),
      score_name: fields.score_name.default(null),
      min_count: fields.min_count.default(1),
      filters: fields.filters.default({}),
      recipient_ids: fields.recipient_ids.default([]),
      webhook_url: webhookUrl.nullable().default(null),
    }),
  ),
  success: { status: 201, data: savedAlertRule },
  errors: ['CONFLICT', 'VALIDATION_ERROR 422'],
})

const inRule = inProject.extend({ ruleId: pathId })

export const updateAlertRule = endpoint({
  method: 'PATCH',
  path: '/projects/{projectId}/alert-rules/{ruleId}',
  tag: 'Alerts',
  summary: 'Change an alert rule',
  description:
    'Members that are left out stay as they are. A change of the condition, and enabling, start with the status `pending`. If the rule was firing, a message follows when the check finds that it no longer is, or at once when the rule is disabled. A `webhook_url` replaces the earlier one and gets a new secret.',
  access: { by: 'session', of: 'project', anyOf: mayManage },
  cost: 'expensive',
  params: inRule,
  body: appBody(changeOf(z.object({ ...fields, webhook_url: webhookUrl.nullable() }).partial())),
  success: { status: 200, data: savedAlertRule },
  errors: ['NOT_FOUND', 'VALIDATION_ERROR 422'],
})

export const removeAlertRule = endpoint({
  method: 'DELETE',
  path: '/projects/{projectId}/alert-rules/{ruleId}',
  tag: 'Alerts',
  summary: 'Delete an alert rule with its history',
  access: { by: 'session', of: 'project', anyOf: mayManage },
  cost: 'cheap',
  params: inRule,
  success: removed,
  errors: ['NOT_FOUND'],
})

const delivery = {
  channel: z.enum(['mail', 'webhook']),
  recipient_id: id.nullable().describe('of a mail'),
  recipient: z.string().describe('the address of a mail, or the host of a webhook'),
  problem: z.string().nullable().describe('why the last attempt failed'),
}

export const alertDelivery = z.object({
  ...delivery,
  status: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.int(),
  updated_at: timestamp,
})
export type AlertDelivery = z.output<typeof alertDelivery>

export const alertEvent = z
  .object({
    id,
    at: timestamp,
    status: z
      .enum(shownStatuses)
      .describe('that began; `disabled` only after a message that it fires'),
    value: z.number().nullable(),
    threshold: z.number().nullable().describe('at that time'),
    deliveries: z.array(alertDelivery).max(limits.alertRecipients.value + 1),
  })
  .meta({ id: 'AlertEvent' })
export type AlertEvent = z.output<typeof alertEvent>

export const listAlertEvents = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/alert-rules/{ruleId}/events',
  tag: 'Alerts',
  summary: 'List the changes of state of an alert rule and their messages, newest first',
  access: { by: 'session', of: 'project' },
  cost: 'expensive',
  params: inRule,
  success: { status: 200, data: limitedList(alertEvent, 'alertEvents') },
  errors: ['NOT_FOUND', 'INTERNAL_ERROR 503'],
})

export const testAlertRule = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/alert-rules/{ruleId}/test',
  tag: 'Alerts',
  summary: 'Send a test message to all recipients of an alert rule',
  description:
    'Sends once, without retries, also for a disabled rule. A rule without recipients and webhook is `CONFLICT`.',
  access: { by: 'session', of: 'project', anyOf: mayManage },
  // Its own rate limit holds it.
  cost: 'cheap',
  params: inRule,
  success: {
    status: 200,
    data: z
      .object({
        deliveries: z
          .array(z.object({ ...delivery, is_delivered: z.boolean() }))
          .max(limits.alertRecipients.value + 1),
      })
      .meta({ id: 'AlertTest' }),
  },
  errors: ['NOT_FOUND', 'CONFLICT', 'RATE_LIMITED'],
})

function isWebhookUrl(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') return false
  return url.username + url.password === '' && !/[#\s\\]/.test(text)
}
