import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines, openTestAccounts, type TestAccounts } from '../../../test/accounts-database.ts'
import { addTenant } from '../../../test/people.ts'
import { newTracingKey } from '../../accounts/tracing-key.ts'

let opened: TestAccounts

describe.each(engines)('the keys of a project on %s', (engine) => {
  beforeAll(async () => {
    opened = await openTestAccounts(engine)
  })
  afterAll(() => opened.remove())

  test('are listed newest first, including revoked ones, for their project only', async () => {
    const { tracingKeys } = opened.accounts
    const acme = await addTenant(opened.accounts)
    await addTenant(opened.accounts)
    const owner = acme.members.Owner.id
    const day = (number: number) => `2026-03-0${number}T00:00:00.000Z`
    const added = [day(2), day(4), day(3)].map(
      (at) => newTracingKey(acme.projectId, 'test', owner, at).row,
    )
    for (const row of added) await tracingKeys.insert(row)
    const [second, fourth, third] = added.map(({ id }) => id)
    expect(await tracingKeys.revoke(acme.projectId, third ?? '', day(5))).toBe(true)

    const listed = await tracingKeys.list(acme.projectId)
    expect(listed.map(({ id, revoked_at }) => [id, revoked_at])).toEqual([
      [fourth, null],
      [third, day(5)],
      [second, null],
      [acme.tracingKeyId, null],
    ])
  })

  test('have the time of their last use, which never moves backwards, in their own project', async () => {
    const { tracingKeys } = opened.accounts
    const acme = await addTenant(opened.accounts)
    const globex = await addTenant(opened.accounts)
    const day = (number: number) => `2026-03-0${number}T00:00:00.000Z`
    const lastUsed = async () => (await tracingKeys.list(acme.projectId))[0]?.last_used_at
    await tracingKeys.recordUse(globex.projectId, acme.tracingKeyId, day(2))
    expect(await lastUsed()).toBeNull()
    await tracingKeys.recordUse(acme.projectId, acme.tracingKeyId, day(4))
    await tracingKeys.recordUse(acme.projectId, acme.tracingKeyId, day(3))
    expect(await lastUsed()).toBe(day(4))
  })

  test('can be revoked once, in their own project, and of concurrent calls one succeeds', async () => {
    const { tracingKeys } = opened.accounts
    const acme = await addTenant(opened.accounts)
    const globex = await addTenant(opened.accounts)
    const at = '2026-03-05T00:00:00.000Z'
    expect(await tracingKeys.revoke(globex.projectId, acme.tracingKeyId, at)).toBe(false)
    expect(await tracingKeys.revoke(acme.projectId, 'no such key\0', at)).toBe(false)
    const attempts = Array.from({ length: 8 }, () =>
      tracingKeys.revoke(acme.projectId, acme.tracingKeyId, at),
    )
    const outcomes = await Promise.all(attempts)
    expect(outcomes.filter((isRevoked) => isRevoked)).toHaveLength(1)
  })
})
