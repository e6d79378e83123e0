import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestAccounts, silent, type TestAccounts } from '../../test/accounts-database.ts'
import { addTenant } from '../../test/people.ts'
import { systemClock } from '../platform/clock.ts'
import { newId } from '../platform/ids.ts'
import { type Accounts, openAccounts } from '../storage/accounts/connect.ts'
import { projectPrices } from './project-prices.ts'

let opened: TestAccounts
let other: Accounts
beforeAll(async () => {
  opened = await openTestAccounts('PostgreSQL')
  other = await openAccounts(opened.location, silent)
})
afterAll(async () => {
  await other.close()
  await opened.remove()
})

test('a price that one process changes is used by the others before their copy is old', async () => {
  const { organizationId, projectId } = await addTenant(opened.accounts)
  // Its time stands still, so its copy is never old.
  const here = projectPrices(other, { ...systemClock, now: () => new Date(0) })
  await expect.poll(() => other.notifications.isConnected()).toBe(true)
  expect(await here.readRules(projectId)).toBe('')
  const at = new Date(0).toISOString()
  const terms = JSON.stringify({ target_model: 'another-model', target_provider: null })
  await opened.accounts.prices.insert({
    ...{ id: newId(), organization_id: organizationId, project_id: null, kind: 'alias', terms },
    ...{ model: 'a-model', provider: null, valid_from: null, valid_to: null, note: null },
    ...{ identity: newId(), created_by: null, created_at: at, updated_at: at },
  })
  expect(await here.readRules(projectId)).toBe('')
  projectPrices(opened.accounts, systemClock).forget(organizationId)
  await expect.poll(() => here.readRules(projectId)).toContain('a-model')
})
