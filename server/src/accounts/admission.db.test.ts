import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines, openTestAccounts, type TestAccounts } from '../../test/accounts-database.ts'
import { addEnforcedDomain, addTenant } from '../../test/people.ts'
import { addAccess } from '../features/platform/access.ts'
import { type Candidate, findRefusal } from './admission.ts'
import { commandLineActor } from './audit.ts'

const at = '2026-05-01T08:00:00.000Z'

let opened: TestAccounts
/** A domain with enforced single sign-on, and its configuration. */
let domain: string
let own: Candidate['credential']

describe.each(engines)('whether an address may have an account and a session, on %s', (engine) => {
  beforeAll(async () => {
    opened = await openTestAccounts(engine)
    const { organizationId } = await addTenant(opened.accounts)
    const enforced = await addEnforcedDomain(opened.accounts, organizationId)
    domain = enforced.domain
    own = { method: 'sso', ssoConfigId: enforced.ssoConfigId }
    for (const pattern of ['@approved.org', 'ana@single.org', `@${domain}`]) {
      await addAccess(pattern, commandLineActor, at, opened.accounts)
    }
  })
  afterAll(() => opened.remove())

  const password: Candidate['credential'] = { method: 'password' }
  const foreign: Candidate['credential'] = { method: 'sso', ssoConfigId: 'another configuration' }
  const member = { disabled_at: null, is_super_admin: 0 } as const
  const superAdmin = { disabled_at: null, is_super_admin: 1 } as const
  const disabled = { disabled_at: at, is_super_admin: 1 } as const
  const refused = (candidate: Candidate) => findRefusal(candidate, opened.accounts)

  test.each<[string, Omit<Candidate, 'emailKey' | 'credential'> & { email: string }, unknown]>([
    [
      'a new one of an approved domain',
      { email: 'ben@approved.org', account: undefined },
      undefined,
    ],
    ['a new one approved by itself', { email: 'ana@single.org', account: undefined }, undefined],
    [
      'a new one beside an approved one',
      { email: 'ben@single.org', account: undefined },
      'access-required',
    ],
    [
      'a new one below an approved domain',
      { email: 'ben@sub.approved.org', account: undefined },
      'access-required',
    ],
    [
      'a new one that ends like an approved domain',
      { email: 'ben@notapproved.org', account: undefined },
      'access-required',
    ],
    [
      'a new one with an invite or set-up token',
      { email: 'ben@nowhere.org', account: undefined, isPreapproved: true },
      undefined,
    ],
    ['one that exists', { email: 'ben@nowhere.org', account: member }, undefined],
    ['a disabled one', { email: 'ben@approved.org', account: disabled }, 'disabled'],
    [
      'a disabled one with an invite or set-up token',
      { email: 'ben@approved.org', account: disabled, isPreapproved: true },
      'disabled',
    ],
  ])('%s', async (_situation, { email, ...candidate }, expected) => {
    for (const credential of [password, foreign]) {
      expect(await refused({ ...candidate, emailKey: email, credential })).toBe(expected)
    }
  })

  test('an address of a domain with enforced single sign-on signs in through it only, except for super admins', async () => {
    const emailKey = `ben@${domain}`
    for (const account of [undefined, member]) {
      const preapproved = { emailKey, account, isPreapproved: true }
      expect(await refused({ ...preapproved, credential: password })).toBe('sso-required')
      expect(await refused({ ...preapproved, credential: foreign })).toBe('sso-required')
      expect(await refused({ ...preapproved, credential: own })).toBeUndefined()
    }
    expect(await refused({ emailKey, account: superAdmin, credential: password })).toBeUndefined()
    expect(await refused({ emailKey, account: disabled, credential: own })).toBe('disabled')
    expect(
      await refused({ emailKey: `ben@sub.${domain}`, account: member, credential: password }),
    ).toBe(undefined)
  })
})
