import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines, openTestAccounts, type TestAccounts } from '../../../test/accounts-database.ts'
import { addTenant } from '../../../test/people.ts'
import { newId } from '../../platform/ids.ts'
import type { PriceRuleRow } from './model-tables.ts'

let opened: TestAccounts

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()

describe.each(engines)('custom prices on %s', (engine) => {
  beforeAll(async () => {
    opened = await openTestAccounts(engine)
  })
  afterAll(() => opened.remove())

  const rule = (organization_id: string, project_id: string | null): PriceRuleRow => {
    const id = newId()
    return {
      ...{ id, organization_id, project_id, kind: 'price', model: 'm', provider: null },
      ...{ valid_from: null, valid_to: null, terms: '{}', note: null, identity: id },
      ...{ created_by: null, created_at: at(0), updated_at: at(0) },
    }
  }

  test('of a project and its organization apply, those of others do not', async () => {
    const { prices } = opened.accounts
    const acme = await addTenant(opened.accounts)
    const globex = await addTenant(opened.accounts)
    const own = rule(acme.organizationId, acme.projectId)
    const organizationWide = rule(acme.organizationId, null)
    for (const row of [own, organizationWide]) expect(await prices.insert(row)).toBe(true)
    await prices.insert(rule(globex.organizationId, null))

    const byId = (rows: readonly PriceRuleRow[]) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    expect(byId(await prices.listEffective(acme.projectId))).toEqual(byId([own, organizationWide]))
    const ofAcme = { organizationId: acme.organizationId, projectId: null }
    expect(await prices.list(ofAcme)).toEqual([organizationWide])
    expect(await prices.list(acme)).toEqual([own])
    expect(await prices.count(acme)).toBe(1)
    expect(await prices.find(acme, organizationWide.id)).toBeUndefined()
    expect(
      await prices.find({ ...ofAcme, organizationId: globex.organizationId }, own.id),
    ).toBeUndefined()
    expect(await prices.remove(ofAcme, own.id)).toBeUndefined()
    expect(await prices.remove(acme, own.id)).toEqual(own)
    expect(await prices.list(acme)).toEqual([])
  })

  test('have a unique identity, and are removed with their project', async () => {
    const { prices, projects } = opened.accounts
    const acme = await addTenant(opened.accounts)
    const first = rule(acme.organizationId, acme.projectId)
    const second = rule(acme.organizationId, acme.projectId)
    await prices.insert(first)
    expect(await prices.insert({ ...second, identity: first.identity })).toBe(false)
    await prices.insert(second)
    expect(await prices.update({ ...second, identity: first.identity })).toBe(false)
    expect(await prices.update({ ...second, model: 'n' })).toBe(true)
    expect(await prices.find(acme, second.id)).toEqual({ ...second, model: 'n' })
    expect(await projects.remove(acme.projectId, 'project')).toBeDefined()
    expect(await prices.list(acme)).toEqual([])
  })
})
