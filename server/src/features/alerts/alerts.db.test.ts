import { createHmac } from 'node:crypto'
import {
  type AlertRule,
  createAlertRule,
  listAlertEvents,
  listAlertRules,
  removeAlertRule,
  testAlertRule,
  updateAlertRule,
} from '@assay/contract/alerts.ts'
import { listAuditLog } from '@assay/contract/audit-log.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { limits } from '@assay/contract/limits.ts'
import { createProject } from '@assay/contract/organizations.ts'
import { putScore } from '@assay/contract/scores.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { openMailbox } from '../../../test/mailbox.ts'
import { addUser } from '../../../test/people.ts'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../../test/webhook-receiver.ts'
import { Unavailable } from '../../platform/failure.ts'
import { startAlertChecks } from './alert-jobs.ts'
import type { AlertMessage } from './alert-message.ts'

const mailbox = openMailbox()
let isUnreadable = false
const service = runningService({
  mailer: mailbox,
  // Jobs then start within 50 ms.
  evaluationDelayMs: 0,
  wrapTelemetry: (telemetry) => ({
    ...telemetry,
    async readStats(...args) {
      if (isUnreadable) throw new Unavailable('The query took too long.', 1)
      return await telemetry.readStats(...args)
    },
  }),
})
const tenant = tenantPerTest(service)
const owner = signedInPerTest(service, () => tenant.members.Owner)
const editor = signedInPerTest(service, () => tenant.members.Editor)
const viewer = signedInPerTest(service, () => tenant.members.Viewer)

let receiver: WebhookReceiver
beforeAll(async () => {
  receiver = await startWebhookReceiver()
})
afterAll(() => receiver.close())
beforeEach(() => {
  isUnreadable = false
  mailbox.isBroken = false
  receiver.received.length = 0
  receiver.statuses.length = 0
  receiver.isSilent = false
})

const inProject = () => ({ projectId: tenant.projectId })
const inRule = (ruleId: string) => ({ ...inProject(), ruleId })
const errors = { name: 'Errors', metric: 'error_rate', threshold: 0.5 }

const create = (body: object, as = editor) =>
  service.call(createAlertRule, { params: inProject(), body: { ...errors, ...body } }, as)
const change = (ruleId: string, body: object, as = editor) =>
  service.call(updateAlertRule, { params: inRule(ruleId), body }, as)
const sendTest = (ruleId: string, as = editor) =>
  service.call(testAlertRule, { params: inRule(ruleId) }, as)
const rules = async () => (await service.call(listAlertRules, { params: inProject() }, viewer)).data
const history = async (ruleId: string) =>
  (await service.call(listAlertEvents, { params: inRule(ruleId) }, viewer)).data

async function created(body: object = {}): Promise<AlertRule> {
  const { status, data } = await create(body)
  expect(status).toBe(201)
  return data
}

let traces = 0
async function ingest(status: 'OK' | 'ERROR', more: object = {}): Promise<string> {
  const trace_id = `t${++traces}`
  const started_at = new Date().toISOString()
  const spans = [{ span_id: 'a', name: 'run', kind: 'agent', status, started_at, ...more }]
  const body = { trace_id, spans }
  expect((await service.call(ingestTrace, { body }, tenant.keyHeader)).status).toBe(202)
  return trace_id
}

/** The state of the rule once it is as expected. */
const reaches = (ruleId: string, state: Partial<AlertRule['state']>) =>
  eventually(async () => {
    const rule = (await rules()).find(({ id }) => id === ruleId)
    expect(rule?.state).toMatchObject(state)
  })

/** As if a minute had passed, and the rule had its status for an hour. */
async function checkAgain(ruleId: string): Promise<void> {
  const before = "'2026-01-01T00:00:00.000Z'"
  await service.query(
    `update alert_rules set next_check_at = ${before}, status_since = ${before} where id = '${ruleId}'`,
  )
  await eventually(async () => {
    await startAlertChecks(tenant.organizationId, new Date(), service.accounts)
    const due = `select id from alert_rules where id = '${ruleId}' and next_check_at = ${before}`
    expect(await service.query(due)).toEqual([])
  })
}

/** The delivery that waits for another attempt has it now. */
const retryNow = () =>
  eventually(async () => {
    const own = `kind in ('alert_mail', 'alert_delivery') and project_id = '${tenant.projectId}'`
    const due = `update jobs set available_at = '2026-01-01T00:00:00.000Z' where ${own}`
    expect(await service.query(`${due} and worker is null returning id`)).toHaveLength(1)
  })

describe('an alert rule', () => {
  test('is created with defaults by an editor, and listed for every member', async () => {
    const { data } = await create({})
    const { webhook_secret, ...rule } = data
    expect(webhook_secret).toBeNull()
    expect(rule).toEqual({
      ...{ id: expect.any(String), project_id: tenant.projectId, ...errors, is_enabled: true },
      ...{ window_minutes: 60, score_name: null, min_count: 1, filters: {} },
      ...{ recipient_ids: [], webhook_host: null, created_by: tenant.members.Editor.id },
      ...{ created_at: expect.any(String), updated_at: rule.created_at },
      state: {
        ...{ status: 'pending', since: rule.created_at, value: null },
        ...{ checked_at: null, problem: null },
      },
    })
    await reaches(rule.id, { status: 'no_data' })
    expect((await create({}, viewer)).error.code).toBe('FORBIDDEN')
    expect((await change(rule.id, { name: 'x' }, viewer)).error.code).toBe('FORBIDDEN')
    expect((await sendTest(rule.id, viewer)).error.code).toBe('FORBIDDEN')
    expect(await rules()).toHaveLength(1)
  })

  test.each<readonly [what: string, body: object, message: string]>([
    ['no threshold', { threshold: null }, 'threshold must be a number from 0 to 1'],
    ['a share above 1', { threshold: 50 }, 'threshold must be a number from 0 to 1'],
    [
      'a threshold where there is none',
      { metric: 'no_data' },
      'threshold must be null if metric is no_data',
    ],
    ['no score', { metric: 'score_mean' }, 'score_name is required'],
    [
      'a score that it does not use',
      { score_name: 'helpful' },
      'score_name must be null unless metric is score_mean',
    ],
    [
      'filters of scores',
      { metric: 'score_mean', score_name: 'x', filters: { mode: 'live' } },
      'filters must be empty if metric is score_mean',
    ],
    ['an unknown filter', { filters: { user_id: 'u' } }, 'filters has an unknown field: user_id'],
    ['another window', { window_minutes: 7 }, 'window_minutes must be one of 5, 15, 60, 360, 1440'],
    [
      'a URL with a password',
      { webhook_url: 'https://u:p@x.org' },
      'webhook_url must be an http or https URL without user name and fragment',
    ],
  ])('is refused with %s', async (_what, body, message) => {
    const { status, error } = await create(body)
    expect({ status, message: error.message }).toEqual({ status: 400, message })
    const { id } = await created()
    expect((await change(id, body)).error.code).toBe('VALIDATION_ERROR')
    expect(await rules()).toMatchObject([{ id, ...errors, window_minutes: 60 }])
  })

  test('sends mail to members only', async () => {
    const { id: stranger } = await addUser(service.accounts)
    const { status, error } = await create({ recipient_ids: [stranger] })
    expect([status, error.message]).toEqual([
      400,
      'recipient_ids must be members of the organization',
    ])
    const { id } = await created()
    expect((await change(id, { recipient_ids: [stranger] })).status).toBe(400)
    expect((await rules())[0]?.recipient_ids).toEqual([])
  })

  test.each(['http://169.254.169.254/', 'https://10.0.0.1/', 'http://[::1]:80/', 'http://1.1.1.1'])(
    'is refused with a webhook at %s',
    async (webhook_url) => {
      expect((await create({ webhook_url })).status).toBe(422)
      expect(await rules()).toEqual([])
      const { id } = await created({ webhook_url: receiver.url })
      expect(await change(id, { webhook_url })).toMatchObject({
        status: 422,
        error: { code: 'VALIDATION_ERROR', message: /^webhook_url cannot be used: / },
      })
      expect((await rules())[0]?.webhook_host).toBe(new URL(receiver.url).host)
    },
  )

  test('shows the secret of a webhook once, and its URL never again', async () => {
    const { data } = await create({ webhook_url: receiver.url })
    const first = data.webhook_secret ?? ''
    expect(first).toMatch(/^whsec_/)
    const renamed = await change(data.id, { name: 'Other' })
    expect(renamed.data).toMatchObject({ name: 'Other', webhook_secret: null })
    const moved = await change(data.id, { webhook_url: `${receiver.url}&b` })
    expect(moved.data.webhook_secret).not.toBe(first)
    const stored = await service.query('select * from alert_rules')
    const shown = JSON.stringify([renamed, await rules(), await history(data.id), stored])
    for (const secret of [first, moved.data.webhook_secret ?? '', 'secret-token']) {
      expect(shown).not.toContain(secret)
    }
    const without = await change(data.id, { webhook_url: null })
    expect(without.data).toMatchObject({ webhook_host: null, webhook_secret: null })
  })

  test('is changed and deleted within its project only, and recorded', async () => {
    const { id } = await created()
    const elsewhere = await service.addTenant()
    const as = await service.signedIn(elsewhere.members.Owner)
    const params = { projectId: elsewhere.projectId, ruleId: id }
    const calls = [
      service.call(updateAlertRule, { params, body: { name: 'stolen' } }, as),
      service.call(removeAlertRule, { params }, as),
      service.call(listAlertEvents, { params }, as),
      service.call(testAlertRule, { params }, as),
    ]
    for (const { error } of await Promise.all(calls)) expect(error.code).toBe('NOT_FOUND')
    await change(id, { threshold: 0.7, is_enabled: false })
    expect(await rules()).toMatchObject([
      { name: 'Errors', threshold: 0.7, state: { status: 'disabled' } },
    ])
    const removed = await service.call(removeAlertRule, { params: inRule(id) }, editor)
    expect(removed.data).toEqual({ status: 'removed' })
    expect(await rules()).toEqual([])
    const log = await service.call(listAuditLog, { params: orgParams() }, owner)
    const details = { project_id: tenant.projectId, name: 'Errors' }
    expect(log.data.filter(({ target }) => target.id === id)).toMatchObject([
      { action: 'alert_rule.removed', details },
      {
        action: 'alert_rule.updated',
        details: { ...details, webhook_host: null, changed: ['is_enabled', 'threshold'] },
      },
      { action: 'alert_rule.created', details: { ...details, webhook_host: null } },
    ])
  })

  const orgParams = () => ({ orgId: tenant.organizationId })

  test('is one of at most 20 in a project', async () => {
    const { value: most } = limits.alertRulesPerProject
    for (let n = 1; n < most; n += 1) await created({ is_enabled: false })
    const outcomes = await Promise.all([create({}), create({})])
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([201, 409]))
    expect(await rules()).toHaveLength(most)
  })
})

describe('a check', () => {
  test('of the error rate fires, notifies, and is resolved', async () => {
    await ingest('ERROR')
    await ingest('OK')
    const { Editor: ana } = tenant.members
    const { data } = await create({
      ...{ threshold: 0.4, recipient_ids: [ana.id], webhook_url: receiver.url },
    })
    await reaches(data.id, { status: 'firing', value: 0.5 })
    const request = await eventually(() => {
      expect(receiver.received).toHaveLength(1)
      return receiver.received[0]!
    })
    const text = 'The error rate of the last 60 minutes is 50% (threshold 40%).'
    expect(JSON.parse(request.body)).toMatchObject({
      ...{ type: 'alert.firing', title: 'Firing: Errors (Project)', text, value: 0.5 },
      rule: { id: data.id, metric: 'error_rate', threshold: 0.4 },
    })
    const { 'webhook-id': id, 'webhook-timestamp': second } = request.headers
    const key = Buffer.from((data.webhook_secret ?? '').slice('whsec_'.length), 'base64')
    const signed = `${String(id)}.${String(second)}.${request.body}`
    const signature = createHmac('sha256', key).update(signed).digest('base64')
    expect(request.headers['webhook-signature']).toBe(`v1,${signature}`)
    const mail = mailbox.mails.findLast(({ to }) => to === ana.email)
    expect(mail).toMatchObject({
      subject: 'Firing: Errors (Project)',
      text: `${text}\n\nhttp://localhost:4600/p/${tenant.projectId}/alerts?rule=${data.id}\n`,
    })
    // The same status again is no news.
    await checkAgain(data.id)
    for (let n = 0; n < 4; n += 1) await ingest('OK')
    await checkAgain(data.id)
    await reaches(data.id, { status: 'ok' })
    await eventually(() => expect(receiver.received).toHaveLength(2))
    expect(JSON.parse(receiver.received[1]!.body)).toMatchObject({ type: 'alert.resolved' })
    const delivered = { status: 'delivered', attempts: 1, problem: null }
    const deliveries = [
      { channel: 'mail', recipient_id: ana.id, recipient: ana.email, ...delivered },
      { channel: 'webhook', recipient_id: null, recipient: data.webhook_host, ...delivered },
    ]
    await eventually(async () =>
      expect(await history(data.id)).toMatchObject([
        { status: 'ok', deliveries },
        { status: 'firing', value: 0.5, threshold: 0.4, deliveries },
      ]),
    )
  })

  test('that finds too little data after it fired says so, and is resolved later', async () => {
    await ingest('ERROR')
    const { data } = await create({ threshold: 0.4, webhook_url: receiver.url })
    await reaches(data.id, { status: 'firing' })
    await service.query(`update alert_rules set min_count = 2 where id = '${data.id}'`)
    await checkAgain(data.id)
    await reaches(data.id, { status: 'no_data' })
    await ingest('OK')
    await ingest('OK')
    await checkAgain(data.id)
    await reaches(data.id, { status: 'ok' })
    await service.query(`update alert_rules set min_count = 9 where id = '${data.id}'`)
    await checkAgain(data.id)
    await reaches(data.id, { status: 'no_data' })
    const types = () => receiver.received.map(({ body }) => (JSON.parse(body) as AlertMessage).type)
    await eventually(() => expect(types()).toHaveLength(3))
    expect(types()).toEqual(['alert.firing', 'alert.no_data', 'alert.resolved'])
    expect((await history(data.id)).map(({ deliveries }) => deliveries.length)).toEqual([
      ...[0, 1, 1, 1],
    ])
  })

  test('of a firing rule that was changed tells people only when it no longer fires', async () => {
    await ingest('ERROR')
    const { id } = await created({ webhook_url: receiver.url })
    await reaches(id, { status: 'firing' })
    await change(id, { threshold: 0.9 })
    await reaches(id, { status: 'firing' })
    await change(id, { threshold: 1 })
    await reaches(id, { status: 'ok' })
    await eventually(() => expect(receiver.received).toHaveLength(2))
    const sent = receiver.received.map(({ body }) => JSON.parse(body) as object)
    expect(sent).toMatchObject([{ type: 'alert.firing' }, { type: 'alert.resolved', value: 1 }])
    expect(await history(id)).toMatchObject([
      { status: 'ok', deliveries: [{ channel: 'webhook' }] },
      { status: 'firing', threshold: 0.9, deliveries: [] },
      { status: 'firing', threshold: 0.5, deliveries: [{ channel: 'webhook' }] },
    ])
  })

  test('no longer happens once the rule is disabled, and people who know it as firing are told', async () => {
    await ingest('ERROR')
    const { id } = await created({ webhook_url: receiver.url })
    await reaches(id, { status: 'firing' })
    await change(id, { is_enabled: false })
    await change(id, { threshold: 0.7 })
    await eventually(() => expect(receiver.received).toHaveLength(2))
    const text = 'The rule was disabled.'
    const told = receiver.received.map(({ body }) => JSON.parse(body) as { type: string })
    expect(told.find(({ type }) => type === 'alert.resolved')).toMatchObject({ text })
    expect(await history(id)).toMatchObject([
      { status: 'disabled', value: null, deliveries: [{ channel: 'webhook' }] },
      { status: 'firing' },
    ])
  })

  test('of latency, cost, scores and arriving traces reads what it is about', async () => {
    const traceId = await ingest('OK', { latency_ms: 4000, cost_usd: 3 })
    const score = { name: 'helpful', score: 0.25 }
    const args = { params: { ...inProject(), traceId }, body: score }
    expect((await service.call(putScore, args, editor)).status).toBe(201)
    const measures = {
      latency: { metric: 'latency_p90', threshold: 1000, window_minutes: 5 },
      latencyOfADay: { metric: 'latency_p90', threshold: 1000, window_minutes: 1440 },
      cost: { metric: 'cost_per_day', threshold: 2.5 },
      score: { metric: 'score_mean', threshold: 0.5, score_name: 'helpful' },
      otherScore: { metric: 'score_mean', threshold: 0.5, score_name: 'polite' },
      silence: { metric: 'no_data', threshold: null, window_minutes: 5 },
      elsewhere: { metric: 'no_data', threshold: null, filters: { environment: 'prod' } },
    }
    const ids = new Map<string, string>()
    for (const [name, body] of Object.entries(measures)) ids.set(name, (await created(body)).id)
    const reach = (name: keyof typeof measures, status: AlertRule['state']['status']) =>
      reaches(ids.get(name) ?? '', { status })
    await reach('latency', 'firing')
    await reach('latencyOfADay', 'firing')
    await reach('cost', 'firing')
    await reach('score', 'firing')
    await reach('otherScore', 'no_data')
    await reach('silence', 'ok')
    await reach('elsewhere', 'firing')
    const values = new Map((await rules()).map(({ id, state }) => [id, state.value]))
    const valueOf = (name: keyof typeof measures) => values.get(ids.get(name) ?? '')
    expect([valueOf('cost'), valueOf('score'), valueOf('otherScore')]).toEqual([3, 0.25, null])
    expect(valueOf('latency')).toBeCloseTo(4000, -3)
    expect([valueOf('silence'), valueOf('elsewhere')]).toEqual([1, 0])
  })

  test('that cannot read the data reports it and keeps the status', async () => {
    await ingest('ERROR')
    const { id } = await created()
    await reaches(id, { status: 'firing' })
    isUnreadable = true
    await checkAgain(id)
    await reaches(id, { status: 'firing', problem: 'The query took too long.' })
    isUnreadable = false
    await checkAgain(id)
    await reaches(id, { status: 'firing', problem: null })
    expect(await history(id)).toHaveLength(1)
  })

  test('does not happen while the rule is disabled, and starts again when it is enabled', async () => {
    await ingest('ERROR')
    const { id } = await created({ is_enabled: false })
    await startAlertChecks(tenant.organizationId, new Date(), service.accounts)
    await eventually(async () => {
      const open = `select id from jobs where kind = 'alert_checks' and organization_id = '${tenant.organizationId}' and state <> 'completed'`
      expect(await service.query(open)).toEqual([])
    })
    expect((await rules())[0]?.state).toMatchObject({ status: 'disabled', checked_at: null })
    await change(id, { is_enabled: true })
    await reaches(id, { status: 'firing' })
  })
})

describe('a message', () => {
  test('that is not accepted is sent again, with the same id', async () => {
    await ingest('ERROR')
    receiver.statuses.push(500, 302)
    const { id } = await created({ webhook_url: receiver.url })
    const reachesDelivery = (expected: object) =>
      eventually(async () => {
        const [event] = await history(id)
        expect(event?.deliveries[0]).toMatchObject(expected)
      })
    const problem = 'The webhook responded with status 500.'
    await reachesDelivery({ status: 'pending', attempts: 1, problem })
    await retryNow()
    const redirected = 'The webhook responded with status 302.'
    await reachesDelivery({ status: 'pending', attempts: 2, problem: redirected })
    await retryNow()
    await reachesDelivery({ status: 'delivered', attempts: 3, problem: null })
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    const shown = JSON.stringify(await history(id))
    expect(shown).not.toContain('what only the receiver knows')
  })

  test('that is never accepted is given up', async () => {
    await ingest('ERROR')
    receiver.statuses.push(500, 500)
    const { id } = await created({ webhook_url: receiver.url })
    const deliveries = async () => (await history(id))[0]?.deliveries ?? []
    await eventually(async () => expect(await deliveries()).toMatchObject([{ attempts: 1 }]))
    const last = limits.alertDeliveryAttempts.value - 1
    await service.query(
      `update alert_deliveries set attempts = ${last} where project_id = '${tenant.projectId}'`,
    )
    await retryNow()
    await eventually(async () =>
      expect(await deliveries()).toMatchObject([{ status: 'failed', attempts: last + 1 }]),
    )
  })

  test('is mailed while all webhooks of the organization wait for a response', async () => {
    receiver.isSilent = true
    const silence = { metric: 'no_data', threshold: null, webhook_url: receiver.url }
    const waiting: string[] = []
    for (let n = 0; n < 8; n += 1) waiting.push((await created(silence)).id)
    const { Owner: ana } = tenant.members
    const { id } = await created({ ...silence, recipient_ids: [ana.id] })
    await eventually(async () => {
      const deliveries = (await history(id))[0]?.deliveries
      expect(deliveries).toMatchObject([{ status: 'delivered' }, { status: 'pending' }])
    })
    const events = (await Promise.all(waiting.map(history))).flat()
    const attempts = events.flatMap(({ deliveries }) => deliveries.map((one) => one.attempts))
    expect(attempts).toEqual(waiting.map(() => 0))
  })

  test('is not sent to people whose account is disabled before it is delivered', async () => {
    await ingest('ERROR')
    const { Admin: disabled } = tenant.members
    mailbox.isBroken = true
    const { id } = await created({ recipient_ids: [disabled.id] })
    const problem = 'The mail server did not accept the mail.'
    const deliveries = async () => (await history(id))[0]?.deliveries
    await eventually(async () =>
      expect(await deliveries()).toMatchObject([{ status: 'pending', problem }]),
    )
    mailbox.isBroken = false
    await service.accounts.users.update(disabled.id, { disabled_at: new Date().toISOString() })
    await retryNow()
    const reason = 'This person can no longer see the project.'
    await eventually(async () =>
      expect(await deliveries()).toMatchObject([{ status: 'failed', problem: reason }]),
    )
    expect(mailbox.mails.filter(({ to }) => to === disabled.email)).toEqual([])
    expect((await sendTest(id)).error.code).toBe('CONFLICT')
  })

  test('is not mailed at once to a person who has just got many, however often rules change', async () => {
    const { Owner: ana } = tenant.members
    await ingest('OK')
    const silence = { metric: 'no_data', threshold: null, recipient_ids: [ana.id] }
    const { id } = await created({ ...silence, filters: { environment: 'none' } })
    await reaches(id, { status: 'firing' })
    const most = limits.alertMails.value
    for (let n = 0; n < most; n += 1) {
      await change(id, { filters: n % 2 === 0 ? {} : { environment: 'none' } })
      await eventually(async () => {
        // The job of the last check can be about to end, and would not see the change.
        await startAlertChecks(tenant.organizationId, new Date(), service.accounts)
        expect((await rules())[0]?.state.status).toBe(n % 2 === 0 ? 'ok' : 'firing')
      })
    }
    await eventually(async () => {
      const deliveries = (await history(id)).flatMap((event) => event.deliveries)
      const late = deliveries.filter(({ status }) => status !== 'delivered')
      const problem = 'This person has just received many alert mails.'
      expect(late).toMatchObject([{ status: 'pending', attempts: 1, problem }])
    })
    expect(mailbox.mails.filter(({ to }) => to === ana.email)).toHaveLength(most)
  })

  test('to a person who has left the organization is not sent', async () => {
    const { Admin: left } = tenant.members
    const { id } = await created({ recipient_ids: [left.id], webhook_url: receiver.url })
    await service.accounts.memberships.remove(tenant.organizationId, left.id)
    const { data } = await sendTest(id)
    expect(data.deliveries.map(({ channel }) => channel)).toEqual(['webhook'])
  })
})

describe('a test message', () => {
  test('goes to every recipient once and reports each outcome', async () => {
    const { Owner: ana } = tenant.members
    const { id } = await created({ recipient_ids: [ana.id], webhook_url: receiver.url })
    mailbox.isBroken = true
    const { data } = await sendTest(id)
    expect(data.deliveries).toEqual([
      {
        ...{ channel: 'mail', recipient_id: ana.id, recipient: ana.email },
        ...{ is_delivered: false, problem: 'The mail server did not accept the mail.' },
      },
      {
        ...{ channel: 'webhook', recipient_id: null, recipient: new URL(receiver.url).host },
        ...{ is_delivered: true, problem: null },
      },
    ])
    expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({ type: 'alert.test' })
    expect(await history(id)).not.toContainEqual(expect.objectContaining({ status: 'firing' }))
  })

  test('is refused for a rule that notifies nobody', async () => {
    const { id } = await created()
    expect((await sendTest(id)).error).toMatchObject({
      code: 'CONFLICT',
      message: 'This rule notifies nobody. Add a recipient or a webhook.',
    })
  })

  test('is refused when there were too many of the organization', async () => {
    const { id } = await created({ webhook_url: receiver.url })
    const params = { orgId: tenant.organizationId }
    const second = { params, body: { name: 'Second' } }
    const { id: projectId } = (await service.call(createProject, second, owner)).data
    const webhook = { ...errors, webhook_url: receiver.url }
    const rule = { params: { projectId }, body: webhook }
    const { id: ruleId } = (await service.call(createAlertRule, rule, owner)).data
    for (let n = 0; n < limits.alertTests.value; n += 1) {
      expect((await sendTest(id)).status).toBe(200)
    }
    const refused = await service.call(testAlertRule, { params: { projectId, ruleId } }, owner)
    expect([refused.status, refused.error.code]).toEqual([429, 'RATE_LIMITED'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(receiver.received).toHaveLength(limits.alertTests.value)
  })
})
