import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { engines, openTestAccounts, type TestAccounts } from '../../../test/accounts-database.ts'
import { addMember, addTenant, addUser } from '../../../test/people.ts'
import { newId } from '../../platform/ids.ts'
import type { Accounts } from './connect.ts'
import type { SsoConfigRow, SsoFlowRow } from './sso-tables.ts'

const at = '2026-05-01T08:00:00.000Z'
const later = '2026-05-01T08:10:00.000Z'

let opened: TestAccounts
let accounts: Accounts
let config: SsoConfigRow

async function addConfig(): Promise<SsoConfigRow> {
  const { organizationId } = await addTenant(accounts)
  const row: SsoConfigRow = {
    id: newId(),
    organization_id: organizationId,
    protocol: 'oidc',
    issuer: 'https://idp.test',
    client_id: 'assay',
    client_secret: null,
    client_secret_set_at: null,
    idp_entity_id: null,
    idp_sso_url: null,
    idp_certificate: null,
    enforced: 0,
    default_role: 'Viewer',
    created_at: at,
    updated_at: at,
  }
  expect(await accounts.sso.insert(row)).toBe(true)
  return row
}

function newFlow(changes: Partial<SsoFlowRow> = {}): SsoFlowRow {
  return {
    state_hash: newId(),
    browser_hash: 'a browser',
    sso_config_id: config.id,
    fingerprint: 'a fingerprint',
    purpose: 'sign-in',
    tester_id: null,
    return_to: '/',
    asserted_identity: null,
    expires_at: later,
    ...changes,
  }
}

async function nameAndVerify(of: SsoConfigRow, domain: string): Promise<boolean> {
  await accounts.ssoDomains.insert({ sso_config_id: of.id, domain, token: 'a token' })
  return await accounts.ssoDomains.insertVerified({
    domain,
    sso_config_id: of.id,
    verified_at: at,
    verified_by: 'dns',
  })
}

const trues = (outcomes: readonly boolean[]) => outcomes.filter((one) => one).length
const eightTimes = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 8 }, work))

describe.each(engines)('single sign-on on %s', (engine) => {
  beforeAll(async () => {
    opened = await openTestAccounts(engine)
    accounts = opened.accounts
  })
  afterAll(() => opened.remove())
  beforeEach(async () => {
    config = await addConfig()
  })

  test('an organization has one configuration', async () => {
    expect(await accounts.sso.insert({ ...config, id: newId() })).toBe(false)
    expect(await accounts.sso.findByOrganization(config.organization_id)).toEqual(config)
    const changed = { ...config, client_id: 'another', enforced: 1 } as const
    await accounts.sso.update(changed)
    expect(await accounts.sso.find(config.id)).toEqual(changed)
  })

  test('a domain can be claimed by many configurations, is verified for one, and finds that one', async () => {
    const domain = `${newId()}.test`
    const others = [await addConfig(), await addConfig()]
    const all = [config, ...others]
    const outcomes = await Promise.all(all.map((one) => nameAndVerify(one, domain)))
    expect(trues(outcomes)).toBe(1)
    const winner = all[outcomes.indexOf(true)]
    expect((await accounts.sso.findByDomain(domain))?.id).toBe(winner?.id)
    for (const one of all) {
      expect(await accounts.ssoDomains.list(one.id)).toMatchObject([
        { domain, verified_at: one === winner ? at : null },
      ])
    }
    await accounts.ssoDomains.remove(winner?.id ?? '', domain)
    expect(await accounts.sso.findByDomain(domain)).toBeUndefined()
  })

  test('is enforced for verified domains only, while it is enabled', async () => {
    const [verified, named] = [`${newId()}.test`, `${newId()}.test`]
    await nameAndVerify(config, verified)
    await accounts.ssoDomains.insert({ sso_config_id: config.id, domain: named, token: 'a token' })
    expect(await accounts.sso.findEnforcedSso(verified)).toBeUndefined()
    await accounts.sso.update({ ...config, enforced: 1 })
    expect(await accounts.sso.findEnforcedSso(verified)).toEqual({ id: config.id })
    expect(await accounts.sso.findEnforcedSso(named)).toBeUndefined()
    expect(await accounts.sso.findEnforcedSso(`sub.${verified}`)).toBeUndefined()
    await accounts.sso.update({ ...config, enforced: 0 })
    expect(await accounts.sso.findEnforcedSso(verified)).toBeUndefined()
  })

  test('a subject is one user per configuration and issuer, and of concurrent links the first wins', async () => {
    const people = await eightTimes(() => addUser(accounts))
    const identity = { sso_config_id: config.id, issuer: 'https://idp.test', subject: 'ana' }
    const outcomes = await Promise.all(
      people.map(({ id }) =>
        accounts.ssoIdentities.insert({ ...identity, user_id: id, created_at: at }),
      ),
    )
    expect(trues(outcomes)).toBe(1)
    const first = people[outcomes.indexOf(true)]
    const find = (configId: string, issuer: string, subject: string) =>
      accounts.ssoIdentities.find(configId, issuer, subject)
    expect(await find(config.id, identity.issuer, 'ana')).toEqual({ user_id: first?.id })
    const other = await addConfig()
    expect(await find(other.id, identity.issuer, 'ana')).toBeUndefined()
    expect(await find(config.id, 'https://other.test', 'ana')).toBeUndefined()
    expect(await find(config.id, identity.issuer, 'Ana')).toBeUndefined()
    expect(await find(config.id, identity.issuer, 'ana ')).toBeUndefined()
  })

  test('a flow is taken once, by its own browser, and gets one response', async () => {
    const flow = newFlow()
    const { ssoFlows } = accounts
    await ssoFlows.insert(flow)
    expect(await ssoFlows.take(flow.state_hash, 'another browser')).toBeUndefined()
    expect(trues(await eightTimes(() => ssoFlows.saveAssertion(flow.state_hash, '{}')))).toBe(1)
    const taken = await eightTimes(() => ssoFlows.take(flow.state_hash, flow.browser_hash))
    expect(taken.filter((one) => one !== undefined)).toEqual([{ ...flow, asserted_identity: '{}' }])
    expect(await ssoFlows.saveAssertion(flow.state_hash, '{}')).toBe(false)
  })

  test('a flow that waits to be connected is found by its browser only', async () => {
    const { ssoFlows } = accounts
    const mine = newFlow({
      browser_hash: newId(),
      purpose: 'link',
      asserted_identity: '{"mine":1}',
    })
    await ssoFlows.insert(newFlow({ browser_hash: mine.browser_hash, asserted_identity: '{}' }))
    await ssoFlows.insert(
      newFlow({ browser_hash: newId(), purpose: 'link', asserted_identity: '{}' }),
    )
    expect(await ssoFlows.findLink(mine.browser_hash)).toBeUndefined()
    await ssoFlows.insert(mine)
    expect(await ssoFlows.findLink(mine.browser_hash)).toEqual(mine)
  })

  test('an assertion is used once per configuration', async () => {
    const assertion = { sso_config_id: config.id, assertion_id: newId(), expires_at: later }
    const { ssoFlows } = accounts
    expect(trues(await eightTimes(() => ssoFlows.useAssertion(assertion)))).toBe(1)
    const other = { ...assertion, sso_config_id: (await addConfig()).id }
    expect(await ssoFlows.useAssertion(other)).toBe(true)
  })

  test('a test replaces the same user’s earlier test only', async () => {
    const [ana, ben] = [await addUser(accounts), await addUser(accounts)]
    const save = (userId: string, fingerprint: string) =>
      accounts.ssoIdentities.saveTest({
        sso_config_id: config.id,
        user_id: userId,
        fingerprint,
        succeeded_at: at,
      })
    await save(ana.id, 'old')
    await save(ben.id, 'old')
    await save(ana.id, 'new')
    const found = (id: string) => accounts.ssoIdentities.findTest(config.id, id)
    expect((await found(ana.id))?.fingerprint).toBe('new')
    expect((await found(ben.id))?.fingerprint).toBe('old')
  })

  test('removing a configuration removes everything of it except its users', async () => {
    const ana = await addUser(accounts)
    const domain = `${newId()}.test`
    await addMember(accounts, config.organization_id, ana.id, 'Viewer')
    await nameAndVerify(config, domain)
    const identity = { sso_config_id: config.id, issuer: 'i', subject: 's', user_id: ana.id }
    await accounts.ssoIdentities.insert({ ...identity, created_at: at })
    await accounts.ssoFlows.insert(newFlow())
    await accounts.sso.remove(config.id)
    for (const table of ['domains', 'verified_domains', 'identities', 'tests', 'flows']) {
      const rows = await opened.query(
        `select * from sso_${table} where sso_config_id = '${config.id}'`,
      )
      expect(rows, table).toEqual([])
    }
    expect(await accounts.users.find(ana.id)).toEqual(ana)
    const next = await addConfig()
    expect(await nameAndVerify(next, domain)).toBe(true)
  })
})
