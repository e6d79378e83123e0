import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines, openTestAccounts, type TestAccounts } from '../../../test/accounts-database.ts'
import { addTenant } from '../../../test/people.ts'
import { newOrganization } from '../../accounts/organization.ts'
import { newId } from '../../platform/ids.ts'
import type { ModelConfigRow } from './model-tables.ts'

let opened: TestAccounts

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()

function newConfig(organization_id: string, second = 0): ModelConfigRow {
  return {
    ...{ id: newId(), organization_id, label: 'm', provider: 'openai', model: 'gpt-5' },
    ...{ base_url: null, api_key: 'sealed', created_by: null },
    ...{ input_usd_per_mtok: 1234.5678, output_usd_per_mtok: 0.15, cache_read_usd_per_mtok: null },
    ...{ created_at: at(second), updated_at: at(second) },
  }
}

describe.each(engines)('model configurations on %s', (engine) => {
  beforeAll(async () => {
    opened = await openTestAccounts(engine)
  })
  afterAll(() => opened.remove())

  test('are found, changed and removed only within their organization', async () => {
    const { modelConfigs } = opened.accounts
    const acme = await addTenant(opened.accounts)
    const globex = await addTenant(opened.accounts)
    const [newer, older] = [newConfig(acme.organizationId, 2), newConfig(acme.organizationId, 1)]
    for (const row of [newer, older]) await modelConfigs.insert(row)
    const other = newConfig(globex.organizationId)
    await modelConfigs.insert(other)

    expect(await modelConfigs.list(acme.organizationId)).toEqual([older, newer])
    expect(await modelConfigs.count(acme.organizationId)).toBe(2)
    expect(await modelConfigs.find(acme.organizationId, other.id)).toBeUndefined()
    expect(await modelConfigs.lock(acme.organizationId, other.id)).toBeUndefined()
    await modelConfigs.update({ ...other, organization_id: acme.organizationId, label: 'stolen' })
    expect(await modelConfigs.remove(acme.organizationId, other.id)).toBeUndefined()
    expect(await modelConfigs.find(globex.organizationId, other.id)).toEqual(other)

    const changed = { ...older, label: 'n', api_key: null, base_url: 'https://models.test' }
    await modelConfigs.update(changed)
    expect(await modelConfigs.lock(acme.organizationId, older.id)).toEqual(changed)
    expect(await modelConfigs.remove(acme.organizationId, older.id)).toEqual(changed)
    expect(await modelConfigs.list(acme.organizationId)).toEqual([newer])
  })

  test('are removed with their organization, and so is its platform spend', async () => {
    const { modelConfigs, platformSpend } = opened.accounts
    const organization = newOrganization('Acme', newId(), at(0))
    await opened.accounts.organizations.insert(organization)
    const organizationId = organization.id
    await modelConfigs.insert(newConfig(organizationId))
    await platformSpend.add(organizationId, '2026-01', 1)
    await opened.query(`delete from organizations where id = '${organizationId}'`)
    expect(await modelConfigs.list(organizationId)).toEqual([])
    expect(await platformSpend.read(organizationId, '2026-01')).toBe(0)
  })

  test('platform spend adds up by organization and month, also of concurrent calls', async () => {
    const { platformSpend } = opened.accounts
    const acme = await addTenant(opened.accounts)
    const globex = await addTenant(opened.accounts)
    const spend = Array.from({ length: 20 }, () =>
      platformSpend.add(acme.organizationId, '2026-01', 0.25),
    )
    await Promise.all([...spend, platformSpend.add(globex.organizationId, '2026-01', 1)])
    await platformSpend.add(acme.organizationId, '2026-02', 0.5)
    expect(await platformSpend.read(acme.organizationId, '2026-01')).toBe(5)
    expect(await platformSpend.read(acme.organizationId, '2026-02')).toBe(0.5)
    expect(await platformSpend.read(globex.organizationId, '2026-01')).toBe(1)
    expect(await platformSpend.read(globex.organizationId, '2026-02')).toBe(0)
  })
})
