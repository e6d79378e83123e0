import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { engines, openTestAccounts, type TestAccounts } from '../../../test/accounts-database.ts'
import { addUser } from '../../../test/people.ts'
import { commandLineActor } from '../../accounts/audit.ts'
import { setDisabled, setSuperAdmin } from './people.ts'

const at = '2026-05-01T08:00:00.000Z'
const refusal = { code: 'FORBIDDEN', message: 'The service keeps at least one super admin.' }

let opened: TestAccounts

describe.each(engines)('the super admins on %s', (engine) => {
  beforeEach(async () => {
    opened = await openTestAccounts(engine)
    await opened.accounts.installation.claim(at)
  })
  afterEach(() => opened.remove())

  const superAdmin = (options = {}) => addUser(opened.accounts, { superAdmin: true, ...options })
  const active = async () => {
    const all = await opened.accounts.users.listSuperAdmins()
    return all.filter(({ disabled_at }) => disabled_at === null).map(({ id }) => id)
  }

  test('of some who revoke and disable each other at the same time one remains', async () => {
    const all = [await superAdmin(), await superAdmin(), await superAdmin(), await superAdmin()]
    const outcomes = await Promise.allSettled(
      all.map(({ id }, number) =>
        number % 2 === 0
          ? setSuperAdmin(id, false, commandLineActor, at, opened.accounts)
          : setDisabled(id, true, commandLineActor, at, opened.accounts),
      ),
    )
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    expect(refused).toMatchObject([{ reason: refusal }])
    expect(await active()).toHaveLength(1)
  })

  test('who are disabled do not count', async () => {
    const last = await superAdmin()
    await superAdmin({ disabled: true })
    for (const change of [setSuperAdmin(last.id, false, commandLineActor, at, opened.accounts)]) {
      await expect(change).rejects.toMatchObject(refusal)
    }
    await expect(
      setDisabled(last.id, true, commandLineActor, at, opened.accounts),
    ).rejects.toMatchObject(refusal)
    expect(await active()).toEqual([last.id])
  })

  test('a change without effect is not recorded and ends no session', async () => {
    const user = await addUser(opened.accounts)
    await setSuperAdmin(user.id, false, commandLineActor, at, opened.accounts)
    await setDisabled(user.id, false, commandLineActor, at, opened.accounts)
    expect(await opened.query('select * from audit_log')).toEqual([])
    await setDisabled(user.id, true, commandLineActor, at, opened.accounts)
    await setDisabled(user.id, true, commandLineActor, at, opened.accounts)
    const lines = await opened.query('select action, actor_kind from audit_log')
    expect(lines.map((line) => ({ ...line }))).toEqual([
      { action: 'user.disabled', actor_kind: 'command line' },
    ])
  })
})
