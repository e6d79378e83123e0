import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  engines,
  openTestAccounts,
  silent,
  type TestAccounts,
} from '../../../test/accounts-database.ts'
import { addTenant, addUser } from '../../../test/people.ts'
import { userActor } from '../../accounts/audit.ts'
import { Unavailable } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import { openAccounts } from '../../storage/accounts/connect.ts'
import type { UserRow } from '../../storage/accounts/people-tables.ts'
import type { SsoConfigRow } from '../../storage/accounts/sso-tables.ts'
import { admitPerson } from './admit-person.ts'

const at = '2026-05-01T08:00:00.000Z'
const client = { address: '192.0.2.1', userAgent: null, requestId: 'a request' }

let opened: TestAccounts

/** A configuration with a verified domain that is approved for the platform. */
async function addConfig(domain: string): Promise<SsoConfigRow> {
  const { accounts } = opened
  const { organizationId } = await addTenant(accounts)
  const config: SsoConfigRow = {
    ...{ id: newId(), organization_id: organizationId, protocol: 'oidc' },
    ...{ issuer: 'https://idp.test', client_id: 'assay' },
    ...{ client_secret: null, client_secret_set_at: null },
    ...{ idp_entity_id: null, idp_sso_url: null, idp_certificate: null },
    ...{ enforced: 0, default_role: 'Viewer', created_at: at, updated_at: at },
  }
  const ofConfig = { sso_config_id: config.id, domain }
  await accounts.sso.insert(config)
  await accounts.ssoDomains.insert({ ...ofConfig, token: 'a token' })
  await accounts.ssoDomains.insertVerified({ ...ofConfig, verified_at: at, verified_by: 'dns' })
  const access = { id: newId(), pattern: `@${domain}`, added_by: null, created_at: at }
  await accounts.platformAccess.insert(access)
  return config
}

describe.each(engines)('sign-ins through a provider on %s', (engine) => {
  beforeAll(async () => {
    opened = await openTestAccounts(engine)
  })
  afterAll(() => opened.remove())

  test('fifty concurrent first sign-ins of one person, in several processes, create one account, one identity and one membership, and no super admin', async () => {
    // SQLite has one process.
    const other = engine === 'SQLite' ? undefined : await openAccounts(opened.location, silent)
    const domain = `${newId()}.test`
    const config = await addConfig(domain)
    const providerSignIn = {
      asserted: {
        issuer: 'https://idp.test',
        subject: 'ana',
        email: `Ana@${domain}`,
        name: ' Ana  ',
      },
      config,
      present: undefined,
      actor: (user: Pick<UserRow, 'id' | 'email'>) => userActor(user, client),
      at,
    }
    const signIns = await Promise.allSettled(
      Array.from({ length: 50 }, (_, number) =>
        (number % 2 === 0 ? opened.accounts : (other ?? opened.accounts)).transaction((stores) =>
          admitPerson(providerSignIn, stores),
        ),
      ),
    )
    await other?.close()
    // On a busy machine, some do not get a connection in time.
    for (const { reason } of signIns.filter((one) => one.status === 'rejected')) {
      expect(reason).toBeInstanceOf(Unavailable)
    }
    const people = signIns.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const [ana] = people
    expect(new Set(people.map(({ id }) => id)).size).toBe(1)
    expect(ana).toMatchObject({
      email: `Ana@${domain}`,
      name: 'Ana',
      email_verified_at: at,
      password_hash: null,
      is_super_admin: 0,
    })
    const count = async (from: string) =>
      (await opened.query(`select * from ${from} where user_id = '${ana?.id}'`)).length
    expect([await count('sso_identities'), await count('memberships')]).toEqual([1, 1])
    const created = await opened.query(
      `select * from audit_log where action = 'user.created' and target_id = '${ana?.id}'`,
    )
    expect(created).toHaveLength(1)
  })

  test('are not linked to an account whose address an Owner marked as verified, until its owner confirms it', async () => {
    const { accounts } = opened
    const domain = `${newId()}.test`
    const config = await addConfig(domain)
    const account = await addUser(accounts, { email: `ana@${domain}`, verified: true })
    await accounts.users.update(account.id, { email_verified_by: account.id })
    const admit = (present: UserRow | undefined) =>
      accounts.transaction((stores) =>
        admitPerson(
          {
            asserted: {
              issuer: 'https://idp.test',
              subject: 'ana',
              email: account.email,
              name: '',
            },
            ...{ config, present, at },
            actor: (user) => userActor(user, client),
          },
          stores,
        ),
      )
    const identities = () =>
      opened.query(`select * from sso_identities where user_id = '${account.id}'`)
    await expect(admit(undefined)).rejects.toMatchObject({ problem: 'not_linked' })
    expect(await identities()).toEqual([])
    expect(await admit(account)).toMatchObject({ id: account.id, email_verified_by: null })
    expect(await identities()).toHaveLength(1)
  })
})
