import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines, openTestAccounts, type TestAccounts } from '../../../test/accounts-database.ts'
import { addTenant } from '../../../test/people.ts'
import { newId, newOrderedId } from '../../platform/ids.ts'
import type { EvaluationRuleProgress, EvaluationRuleRow } from './evaluation-tables.ts'

let opened: TestAccounts

const created_at = '2026-01-01T00:00:00.000Z'

const progress: EvaluationRuleProgress = {
  ...{ position: null, checked_until: null, last_evaluated_at: null, counted_day: '2026-01-01' },
  ...{ evaluated_of_day: 0, skipped_of_day: 0, cost_usd_of_day: 0 },
  ...{ evaluated_total: 0, skipped_total: 0, cost_usd_total: 0 },
}

async function addRule(more: Partial<EvaluationRuleRow> = {}): Promise<EvaluationRuleRow> {
  const { organizationId: organization_id, projectId: project_id } = await addTenant(
    opened.accounts,
  )
  const row: EvaluationRuleRow = {
    ...{ id: newOrderedId(), organization_id, project_id, name: 'New', is_enabled: 1 },
    ...{ filters: '{"status":"ERROR"}', sample_rate: 0.25, collection_id: newId() },
    ...{ model_config_id: null, max_cost_usd_per_day: 1.5, created_by: null, created_at },
    ...{ updated_at: created_at, active_since: created_at, ...progress, ...more },
  }
  await opened.accounts.evaluationRules.insert(row)
  return row
}

describe.each(engines)('evaluation rules on %s', (engine) => {
  beforeAll(async () => {
    opened = await openTestAccounts(engine)
  })
  afterAll(() => opened.remove())

  test('are found, changed and removed only within their project', async () => {
    const { evaluationRules } = opened.accounts
    const [own, other] = [await addRule(), await addRule()]
    const { project_id: projectId } = own
    const second = await addRule({ ...own, id: newOrderedId() })

    expect(await evaluationRules.list(projectId)).toEqual([own, second])
    expect(await evaluationRules.find(projectId, other.id)).toBeUndefined()
    expect(await evaluationRules.update(projectId, other.id, { name: 'stolen' })).toBeUndefined()
    expect(await evaluationRules.remove(projectId, other.id)).toBeUndefined()
    expect(await evaluationRules.list(other.project_id)).toEqual([other])

    const changed = { ...own, is_enabled: 0 as const, sample_rate: 0.123 }
    const change = { is_enabled: 0 as const, sample_rate: 0.123 }
    expect(await evaluationRules.update(projectId, own.id, change)).toEqual(changed)
    expect(await evaluationRules.find(projectId, own.id)).toEqual(changed)
    expect(await evaluationRules.remove(projectId, own.id)).toEqual(changed)
    expect(await evaluationRules.list(projectId)).toEqual([second])
  })

  test('that are enabled are listed in pages, of all projects', async () => {
    const { evaluationRules } = opened.accounts
    const after = (await addRule()).id
    const [first] = [await addRule(), await addRule({ is_enabled: 0 })]
    const last = await addRule()
    expect(await evaluationRules.listEnabled(after, 1)).toEqual([first])
    expect(await evaluationRules.listEnabled(first.id, 9)).toEqual([last])
  })

  test('advance once from a position, and not after they were enabled again or removed', async () => {
    const { evaluationRules } = opened.accounts
    const before = await addRule()
    const next = { ...progress, position: '7', evaluated_total: 1, cost_usd_total: 0.0011 }
    expect(await evaluationRules.advance(before, next)).toBe(true)
    expect(await evaluationRules.advance(before, { ...next, evaluated_total: 2 })).toBe(false)
    const stored = { ...before, ...next }
    expect(await evaluationRules.find(before.project_id, before.id)).toEqual(stored)

    const again = { ...stored, active_since: '2026-01-02T00:00:00.000Z' }
    const { active_since } = again
    await evaluationRules.update(before.project_id, before.id, { active_since })
    expect(await evaluationRules.advance(stored, { ...next, position: '8' })).toBe(false)
    expect(await evaluationRules.find(before.project_id, before.id)).toEqual(again)
    await evaluationRules.remove(before.project_id, before.id)
    expect(await evaluationRules.advance(again, { ...next, position: '8' })).toBe(false)
  })

  test('advance as the rule of a certain time only while it was not edited since', async () => {
    const { evaluationRules } = opened.accounts
    const before = await addRule()
    const next = { ...progress, position: '7', evaluated_total: 1 }
    const updated_at = '2026-01-02T00:00:00.000Z'
    await evaluationRules.update(before.project_id, before.id, { updated_at })
    expect(await evaluationRules.advance(before, next, created_at)).toBe(false)
    expect(await evaluationRules.advance(before, next, updated_at)).toBe(true)
    const stored = { ...before, ...next, updated_at }
    expect(await evaluationRules.find(before.project_id, before.id)).toEqual(stored)
  })
})
