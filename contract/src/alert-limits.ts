/*
 * The limits of alert rules and their messages. Part of `limits`.
 */

export const alertLimits = {
  alertRulesPerProject: { value: 20, unit: 'alert rules', of: 'alert rules of a project' },
  alertRecipients: { value: 10, unit: 'people', of: 'people that an alert rule sends mail to' },
  alertCostUsdMax: {
    value: 1_000_000,
    unit: 'US dollars',
    of: 'threshold of the daily cost in an alert rule',
  },
  alertLatencyMsMax: {
    value: 86_400_000,
    unit: 'milliseconds',
    of: 'threshold of the latency in an alert rule',
  },
  alertMinCountMax: {
    value: 1_000_000,
    unit: 'traces or scores',
    of: 'min_count of an alert rule',
  },
  webhookUrlLength: { value: 2048, unit: 'characters', of: 'webhook_url of an alert rule' },
  webhookSeconds: { value: 10, unit: 'seconds', of: 'one request to a webhook' },
  webhookResponseBytes: { value: 1024 * 1024, unit: 'bytes', of: 'the response of a webhook' },
  alertDeliveryAttempts: {
    value: 8,
    unit: 'attempts',
    of: 'of a message of an alert rule to one recipient, in about five hours',
  },
  alertEvents: { value: 100, unit: 'changes of state', of: 'history of an alert rule, the newest' },
  alertFiringMinutes: {
    value: 5,
    unit: 'minutes',
    of: 'how long a rule that has fired keeps firing at least',
  },
  alertMails: {
    value: 20,
    unit: 'mails',
    of: 'mails of the alert rules of an organization to one person at once',
  },
  alertMailSeconds: {
    value: 60,
    unit: 'seconds',
    of: 'until one more of these mails is sent; later ones are retried',
  },
  alertTests: {
    value: 10,
    unit: 'tests',
    of: 'tests of the alert rules of an organization at once',
  },
  alertTestSeconds: { value: 30, unit: 'seconds', of: 'until one more of these tests is possible' },
} as const
