import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines, openTestAccounts, type TestAccounts } from '../../../test/accounts-database.ts'
import { addTenant } from '../../../test/people.ts'
import { newOrganization } from '../../accounts/organization.ts'
import { newId, newOrderedId } from '../../platform/ids.ts'
import type {
  EvaluationRuleProgress,
  EvaluationRuleRow,
  EvaluatorRow,
} from './evaluation-tables.ts'
import type { StoredCollection } from './evaluator-collection-store.ts'

let opened: TestAccounts

const created_at = '2026-01-01T00:00:00.000Z'

function newEvaluator(organization_id: string): EvaluatorRow {
  return {
    ...{ id: newOrderedId(), organization_id, name: 'Polite', category: 'quality' },
    ...{ description: '', tags: '[]', prompt_template: '{{output}}', threshold: 0.7, created_at },
  }
}

function newCollection(organization_id: string, evaluatorIds: readonly string[]): StoredCollection {
  const id = newOrderedId()
  return { id, organization_id, name: 'Mine', description: '', created_at, evaluatorIds }
}

const progress: EvaluationRuleProgress = {
  ...{ position: null, checked_until: null, last_evaluated_at: null, counted_day: '2026-01-01' },
  ...{ evaluated_of_day: 0, skipped_of_day: 0, cost_usd_of_day: 0 },
  ...{ evaluated_total: 0, skipped_total: 0, cost_usd_total: 0 },
}

function newRule(organization_id: string, project_id: string): EvaluationRuleRow {
  return {
    ...{ id: newOrderedId(), organization_id, project_id, name: 'New', is_enabled: 1 },
    ...{ filters: '{}', sample_rate: 1, collection_id: newId(), model_config_id: null },
    ...{ max_cost_usd_per_day: 1, created_by: null, created_at, updated_at: created_at },
    ...{ active_since: created_at, ...progress },
  }
}

describe.each(engines)('evaluators and collections on %s', (engine) => {
  beforeAll(async () => {
    opened = await openTestAccounts(engine)
  })
  afterAll(() => opened.remove())

  test('evaluators are listed, changed and removed only within their organization', async () => {
    const { evaluators } = opened.accounts
    const acme = (await addTenant(opened.accounts)).organizationId
    const globex = (await addTenant(opened.accounts)).organizationId
    const [first, second, other] = [newEvaluator(acme), newEvaluator(acme), newEvaluator(globex)]
    for (const row of [second, first, other]) await evaluators.insert(row)

    expect(await evaluators.list(acme)).toEqual([first, second])
    const ids = [second.id, other.id, newId()]
    expect(await evaluators.listByIds(acme, ids)).toEqual([second])
    expect(await evaluators.listByIds(acme, [])).toEqual([])
    expect(await evaluators.count(acme)).toBe(2)
    expect(await evaluators.update(acme, other.id, { name: 'stolen' })).toBeUndefined()
    expect(await evaluators.remove(acme, other.id)).toBeUndefined()
    expect(await evaluators.list(globex)).toEqual([other])

    const changed = { ...first, threshold: 0.123 }
    expect(await evaluators.update(acme, first.id, { threshold: 0.123 })).toEqual(changed)
    expect(await evaluators.remove(acme, first.id)).toEqual(changed)
    expect(await evaluators.list(acme)).toEqual([second])
  })

  test('collections keep the order of their evaluators, only within their organization', async () => {
    const { evaluatorCollections } = opened.accounts
    const acme = (await addTenant(opened.accounts)).organizationId
    const globex = (await addTenant(opened.accounts)).organizationId
    const [a, b, c] = [newId(), newId(), newId()]
    const own = newCollection(acme, [c, a, b])
    const other = newCollection(globex, [b, a])
    for (const row of [own, other]) await evaluatorCollections.insert(row)

    expect(await evaluatorCollections.list(acme)).toEqual([own])
    expect(await evaluatorCollections.listByIds(acme, [other.id, own.id])).toEqual([own])
    expect(await evaluatorCollections.listByIds(acme, [other.id])).toEqual([])
    expect(await evaluatorCollections.listByIds(acme, [])).toEqual([])
    expect(await evaluatorCollections.count(acme)).toBe(1)
    const stolen = { ...other, organization_id: acme, evaluatorIds: [c] }
    expect(await evaluatorCollections.replace(stolen)).toBe(false)
    expect(await evaluatorCollections.remove(acme, other.id)).toBeUndefined()
    await evaluatorCollections.removeEvaluator(acme, a)
    expect(await evaluatorCollections.list(acme)).toEqual([{ ...own, evaluatorIds: [c, b] }])
    expect(await evaluatorCollections.list(globex)).toEqual([other])

    const replaced = { ...own, name: 'Ours', evaluatorIds: [b, c] }
    expect(await evaluatorCollections.replace(replaced)).toBe(true)
    expect(await evaluatorCollections.list(acme)).toEqual([replaced])
    expect(await evaluatorCollections.remove(acme, own.id)).toMatchObject({ name: 'Ours' })
    expect(await evaluatorCollections.list(acme)).toEqual([])
  })

  test('are removed with their organization', async () => {
    const organization = newOrganization('Acme', newId(), created_at)
    await opened.accounts.organizations.insert(organization)
    const { evaluators, evaluatorCollections } = opened.accounts
    const evaluator = newEvaluator(organization.id)
    await evaluators.insert(evaluator)
    await evaluatorCollections.insert(newCollection(organization.id, [evaluator.id]))
    await opened.query(`delete from organizations where id = '${organization.id}'`)
    expect(await evaluators.list(organization.id)).toEqual([])
    expect(await evaluatorCollections.list(organization.id)).toEqual([])
    const of = `where organization_id = '${organization.id}'`
    expect(await opened.query(`select evaluator_id from collected_evaluators ${of}`)).toEqual([])
  })

  test('the progress of a rule is stored once for a position, and not after the rule was enabled again', async () => {
    const { evaluationRules } = opened.accounts
    const { organizationId, projectId } = await addTenant(opened.accounts)
    const rule = newRule(organizationId, projectId)
    await evaluationRules.insert(rule)
    const find = () => evaluationRules.find(projectId, rule.id)

    const first = { ...progress, position: '1', evaluated_total: 1 }
    expect(await evaluationRules.advance(rule, first)).toBe(true)
    expect(await evaluationRules.advance(rule, { ...first, evaluated_total: 2 })).toBe(false)
    const advanced = { ...rule, ...first }
    expect(await find()).toEqual(advanced)

    const second = { ...first, position: '2' }
    const elsewhere = { ...advanced, project_id: newId() }
    expect(await evaluationRules.advance(elsewhere, second)).toBe(false)
    const change = { active_since: '2026-01-02T00:00:00.000Z' }
    await evaluationRules.update(projectId, rule.id, change)
    expect(await evaluationRules.advance(advanced, second)).toBe(false)
    expect(await find()).toEqual({ ...advanced, ...change })
  })
})
