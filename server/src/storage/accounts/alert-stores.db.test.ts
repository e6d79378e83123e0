import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines, openTestAccounts, type TestAccounts } from '../../../test/accounts-database.ts'
import { addTenant } from '../../../test/people.ts'
import { newId, newOrderedId } from '../../platform/ids.ts'
import type { AlertDeliveryRow, AlertEventRow, AlertRuleRow } from './alert-tables.ts'

let opened: TestAccounts

const at = '2026-05-01T08:00:00.000Z'
const later = '2026-05-01T08:01:00.000Z'
const due = { now: at, latest: later }

async function addRule(more: Partial<AlertRuleRow> = {}): Promise<AlertRuleRow> {
  const { organizationId: organization_id, projectId: project_id } = await addTenant(
    opened.accounts,
  )
  const row: AlertRuleRow = {
    ...{ id: newOrderedId(), organization_id, project_id, name: 'Errors', is_enabled: 1 },
    ...{ metric: 'error_rate', threshold: 0.25, window_minutes: 60, score_name: null },
    ...{ min_count: 1, filters: '{}', recipient_ids: '[]', webhook_host: null, webhook: null },
    ...{ created_by: null, created_at: at, updated_at: at, status: 'ok', status_since: at },
    ...{ value: 0.125, checked_at: null, problem: null, next_check_at: at, ...more },
  }
  await opened.accounts.alertRules.insert(row)
  return row
}

async function addEvent({ project_id, id: rule_id }: AlertRuleRow): Promise<AlertDeliveryRow> {
  const event: AlertEventRow = {
    ...{ id: newOrderedId(), project_id, rule_id, at, status: 'firing' },
    ...{ value: 0.5, threshold: 0.25, message: '{}' },
  }
  const delivery: AlertDeliveryRow = {
    ...{ id: newId(), project_id, event_id: event.id, channel: 'mail', recipient_id: newId() },
    ...{ recipient: 'a@x.org', status: 'pending', attempts: 0, problem: null, updated_at: at },
  }
  await opened.accounts.alertEvents.insert(event, [delivery])
  return delivery
}

describe.each(engines)('alert rules on %s', (engine) => {
  beforeAll(async () => {
    opened = await openTestAccounts(engine)
  })
  afterAll(() => opened.remove())

  test('are found, changed and removed only within their project, with their events', async () => {
    const { alertRules, alertEvents } = opened.accounts
    const [own, other] = [await addRule(), await addRule()]
    const { project_id: projectId } = own
    expect(await alertRules.list(projectId)).toEqual([own])
    expect(await alertRules.find(projectId, other.id)).toBeUndefined()
    expect(await alertRules.update(projectId, other.id, { name: 'stolen' })).toBeUndefined()
    expect(await alertRules.remove(projectId, other.id)).toBeUndefined()
    const delivery = await addEvent(own)
    expect(await alertEvents.findDelivery(other.project_id, delivery.id)).toBeUndefined()
    const failed = { status: 'failed', attempts: 1, problem: 'x', updated_at: later } as const
    await alertEvents.updateDelivery(other.project_id, delivery.id, failed)
    expect(await alertEvents.findDelivery(projectId, delivery.id)).toMatchObject({ delivery })
    await alertEvents.updateDelivery(projectId, delivery.id, failed)
    expect(await alertEvents.listDeliveries(projectId, [delivery.event_id])).toEqual([
      { ...delivery, ...failed },
    ])
    expect(await alertRules.remove(projectId, own.id)).toEqual(own)
    expect(await alertEvents.list(projectId, own.id, 9)).toEqual([])
    expect(await alertEvents.findDelivery(projectId, delivery.id)).toBeUndefined()
  })

  test('are due once a minute while they are enabled, the longest due first', async () => {
    const { alertRules } = opened.accounts
    const second = await addRule()
    const more = { organization_id: second.organization_id, project_id: second.project_id }
    const first = await addRule({ ...more, next_check_at: '2026-05-01T07:00:00.000Z' })
    await addRule({ ...more, is_enabled: 0 })
    await addRule({ ...more, next_check_at: later })
    // Scheduled while the clock was ahead.
    const ahead = await addRule({ ...more, next_check_at: '2027-01-01T00:00:00.000Z' })
    const claimed: (string | undefined)[] = []
    for (let n = 0; n < 4; n += 1) {
      claimed.push((await alertRules.claimDue(second.organization_id, due, later))?.id)
    }
    expect(claimed).toEqual([first.id, second.id, ahead.id, undefined])
    const organizations = await alertRules.listDueOrganizations(due, '', 1000)
    expect(organizations).not.toContain(second.organization_id)
  })

  test('of which a check is outdated are not changed by it', async () => {
    const { alertRules } = opened.accounts
    const rule = await addRule()
    const firing = { status: 'firing', value: 1 } as const
    await alertRules.update(rule.project_id, rule.id, { threshold: 0.5, updated_at: later })
    expect(await alertRules.storeCheck(rule, firing)).toBe(false)
    const current = { ...rule, updated_at: later }
    expect(await alertRules.storeCheck(current, firing)).toBe(true)
    expect(await alertRules.storeCheck(current, firing)).toBe(false)
  })

  test('keep their newest events', async () => {
    const { alertEvents } = opened.accounts
    const [rule, other] = [await addRule(), await addRule()]
    await addEvent(other)
    const ids: string[] = []
    for (let n = 0; n < 5; n += 1) ids.push((await addEvent(rule)).event_id)
    await alertEvents.prune(rule.project_id, rule.id, 3)
    const kept = await alertEvents.list(rule.project_id, rule.id, 9)
    expect(kept.map(({ id }) => id)).toEqual(ids.slice(2).toReversed())
    expect(await alertEvents.list(other.project_id, other.id, 9)).toHaveLength(1)
  })
})
