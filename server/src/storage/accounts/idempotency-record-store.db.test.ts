import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines, openTestAccounts, type TestAccounts } from '../../../test/accounts-database.ts'
import type { IdempotencyRecordRow } from './idempotency-tables.ts'

const [early, now, late] = ['2026-05-01', '2026-05-02', '2026-05-03'].map(
  (day) => `${day}T00:00:00.000Z`,
) as [string, string, string]

let opened: TestAccounts

function claimOf(project_id: string, more: Partial<IdempotencyRecordRow> = {}) {
  const claim_id = randomUUID()
  const row = { project_id, key: 'key', claim_id, leased_until: late, outcome: null }
  return { ...row, created_at: now, ...more }
}

describe.each(engines)('idempotency records on %s', (engine) => {
  beforeAll(async () => {
    opened = await openTestAccounts(engine)
  })
  afterAll(() => opened.remove())

  test('of many claims at once one is made, and the others wait for its lease', async () => {
    const { idempotencyRecords } = opened.accounts
    const project = randomUUID()
    const claims = Array.from({ length: 8 }, () => claimOf(project))
    const made = await Promise.all(claims.map((one) => idempotencyRecords.claim(one, now)))
    expect(made.filter((one) => one)).toHaveLength(1)
    const next = claimOf(project)
    expect(await idempotencyRecords.claim(next, now)).toBe(false)
    expect(await idempotencyRecords.claim(next, late)).toBe(true)
    expect(await idempotencyRecords.find(project, 'key')).toEqual(next)
    expect(await idempotencyRecords.claim(claimOf(randomUUID()), now)).toBe(true)
  })

  test('a renewed claim is kept until its new end, and one that was lost cannot be renewed', async () => {
    const { idempotencyRecords } = opened.accounts
    const project = randomUUID()
    const [first, second] = [claimOf(project, { leased_until: early }), claimOf(project)]
    await idempotencyRecords.claim(first, early)
    await idempotencyRecords.renew(first, late)
    expect(await idempotencyRecords.claim(second, now)).toBe(false)
    expect(await idempotencyRecords.claim(second, late)).toBe(true)
    await idempotencyRecords.renew(first, '2026-06-01T00:00:00.000Z')
    expect(await idempotencyRecords.find(project, 'key')).toEqual(second)
  })

  test('a completed key keeps its outcome, and one whose claim was lost cannot be completed', async () => {
    const { idempotencyRecords } = opened.accounts
    const project = randomUUID()
    const lost = claimOf(project, { leased_until: early })
    const later = claimOf(project)
    await idempotencyRecords.claim(lost, early)
    expect(await idempotencyRecords.claim(later, now)).toBe(true)
    expect(await idempotencyRecords.complete(lost, 'lost')).toBe(false)
    await idempotencyRecords.release(lost)
    expect(await idempotencyRecords.complete(later, 'stored')).toBe(true)
    await idempotencyRecords.release(later)
    expect(await idempotencyRecords.claim(claimOf(project), late)).toBe(false)
    expect((await idempotencyRecords.find(project, 'key'))?.outcome).toBe('stored')
  })

  test('are claimed again after a release, and removed with their project or by age', async () => {
    const { idempotencyRecords } = opened.accounts
    const [project, other] = [randomUUID(), randomUUID()]
    const first = claimOf(project)
    await idempotencyRecords.claim(first, now)
    await idempotencyRecords.release(first)
    expect(await idempotencyRecords.claim(claimOf(project), now)).toBe(true)
    await idempotencyRecords.claim(claimOf(other, { created_at: early }), now)
    await idempotencyRecords.removeOfProject(project)
    expect(await idempotencyRecords.find(project, 'key')).toBeUndefined()
    expect(await idempotencyRecords.find(other, 'key')).toBeDefined()
    while (await idempotencyRecords.removeOld(now, 1));
    expect(await idempotencyRecords.find(other, 'key')).toBeUndefined()
  })
})
