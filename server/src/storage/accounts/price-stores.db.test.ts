import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines, openTestAccounts, type TestAccounts } from '../../../test/accounts-database.ts'
import { addTenant } from '../../../test/people.ts'
import { newId } from '../../platform/ids.ts'
import type { PriceRuleRow, RepricingRow } from './tables.ts'

let opened: TestAccounts

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()

describe.each(engines)('prices of one’s own on %s', (engine) => {
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

  test('hold in a project that are its own or its organization’s, and no other’s', async () => {
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

  test('are one of each identity, and go with their project', async () => {
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

describe.each(engines)('pricing anew on %s', (engine) => {
  beforeAll(async () => {
    opened = await openTestAccounts(engine)
  })
  afterAll(() => opened.remove())

  const job = (project_id: string, rest: Partial<RepricingRow> = {}): RepricingRow => ({
    ...{ id: newId(), project_id, state: 'running', range_from: at(0), range_to: at(1) },
    ...{ position: null, trace_count: 0, figures: '{}', problem: null, worker: '' },
    ...{ held_until: at(0), created_by: null, created_at: at(0), finished_at: null },
    ...rest,
  })

  test('is one at a time for a project', async () => {
    const { repricings } = opened.accounts
    const { projectId } = await addTenant(opened.accounts)
    const first = job(projectId, { held_until: at(50) })
    expect(await repricings.insert(first)).toBe(true)
    expect(await repricings.insert(job(projectId))).toBe(false)
    expect(await repricings.cancel(projectId, first.id, at(9))).toEqual({
      ...{ ...first, state: 'cancelled', finished_at: at(9) },
    })
    expect(await repricings.cancel(projectId, first.id, at(9))).toBeUndefined()
    const next = job(projectId, { state: 'completed', created_at: at(10) })
    expect(await repricings.insert(next)).toBe(true)
    expect((await repricings.ofProject(projectId, 9)).map(({ id }) => id)).toEqual([
      next.id,
      first.id,
    ])
    expect(await repricings.ofProject(projectId, 1)).toEqual([next])
  })

  test('is one worker’s at a time, of many that want it', async () => {
    const { repricings } = opened.accounts
    const { projectId } = await addTenant(opened.accounts)
    const row = job(projectId, { held_until: at(5) })
    await repricings.insert(row)
    expect(await repricings.acquireLease('early', at(4), at(20))).toBeUndefined()
    const workers = ['a', 'b', 'c', 'd']
    const taken = await Promise.all(
      workers.map((worker) => repricings.acquireLease(worker, at(5), at(20))),
    )
    const [winner, ...others] = taken.filter((each) => each !== undefined)
    expect(others).toEqual([])
    expect(winner).toMatchObject({ id: row.id, held_until: at(20) })

    const { worker = '' } = winner ?? {}
    const progress = { position: '1', figures: '{"a":1}', held_until: at(30) }
    expect(await repricings.advance(row.id, 'another', progress)).toBe(false)
    expect(await repricings.advance(row.id, worker, progress)).toBe(true)
    const end = { state: 'completed', problem: null, finished_at: at(30) } as const
    await repricings.end(row.id, 'another', end)
    expect(await repricings.find(projectId, row.id)).toMatchObject({
      state: 'running',
      ...progress,
    })
    await repricings.end(row.id, worker, end)
    expect(await repricings.find(projectId, row.id)).toMatchObject({ ...progress, ...end })
    expect(await repricings.advance(row.id, worker, progress)).toBe(false)
    expect(await repricings.acquireLease('late', at(99), at(100))).toBeUndefined()
  })
})
