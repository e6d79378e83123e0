import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { engines, openTestAccounts, type TestAccounts } from '../../../test/accounts-database.ts'
import { jobRow } from '../../../test/job-rows.ts'
import { addTenant, type Tenant } from '../../../test/people.ts'
import type { JobQueue } from './job-store.ts'
import type { JobRow } from './service-tables.ts'

let opened: TestAccounts
let acme: Tenant

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()

describe.each(engines)('jobs on %s', (engine) => {
  beforeAll(async () => {
    opened = await openTestAccounts(engine)
  })
  afterAll(() => opened.remove())
  beforeEach(async () => {
    acme = await addTenant(opened.accounts)
  })

  const inAcme = (rest: Partial<JobRow> = {}) =>
    jobRow({ project_id: acme.projectId, organization_id: acme.organizationId, ...rest })
  const toQueue = ({ kind, organization_id }: JobRow): JobQueue => ({
    kind,
    organizationId: organization_id,
  })
  const insert = async (...rows: readonly JobRow[]) => {
    for (const row of rows) expect(await opened.accounts.jobs.insert(row)).toBe(true)
  }
  const find = (row: JobRow) => opened.accounts.jobs.find(acme.projectId, row.id)
  const acquire = (row: JobRow, worker: string, from: number, until: number) =>
    opened.accounts.jobs.acquire(toQueue(row), { worker, until: at(until) }, at(from), [])

  test('only one active job has a unique key', async () => {
    const { jobs } = opened.accounts
    const first = inAcme({ unique_key: acme.projectId })
    const second = inAcme({ unique_key: acme.projectId })
    await insert(first)
    expect(await jobs.insert(second)).toBe(false)
    expect(await find(second)).toBeUndefined()
    await jobs.cancel(acme.projectId, first.id, at(9))
    await insert(second)
  })

  test('a lease goes to one of many workers', async () => {
    for (let round = 0; round < 20; round++) {
      const row = inAcme()
      await insert(row)
      const workers = ['a', 'b', 'c', 'd', 'e', 'f']
      const taken = await Promise.all(workers.map((worker) => acquire(row, worker, 5, 20)))
      const [winner, ...others] = taken.filter((each) => each !== undefined)
      expect(others).toEqual([])
      expect(await find(row)).toEqual(winner)
      await opened.accounts.jobs.cancel(acme.projectId, row.id, at(6))
    }
  })

  test('a lease goes to another worker only after it has expired', async () => {
    const row = inAcme({ available_at: at(5) })
    await insert(row)
    expect(await acquire(row, 'a', 4, 20)).toBeUndefined()
    const changed = { state: 'running', worker: 'a', attempts: 1, started_at: at(5) }
    expect(await acquire(row, 'a', 5, 20)).toEqual({ ...row, ...changed, available_at: at(20) })
    expect(await acquire(row, 'b', 19, 40)).toBeUndefined()
    expect(await acquire(row, 'b', 20, 40)).toMatchObject({ attempts: 2, started_at: at(5) })
  })

  test('only the worker that holds the lease can change the job', async () => {
    const { jobs } = opened.accounts
    const row = inAcme()
    await insert(row)
    const leased = await acquire(row, 'a', 1, 20)
    const step = { position: '1', progress: '{"done":1,"total":2}', available_at: at(30) }
    const end = {
      state: 'completed',
      progress: '{}',
      problem: null,
      finished_at: at(9),
    } as const
    expect(await jobs.advance(row.id, 'b', step)).toBe(false)
    expect(await jobs.renew(row.id, { worker: 'b', until: at(40) })).toBe(false)
    await jobs.release(row.id, 'b', { available_at: at(0) })
    await jobs.reschedule(row.id, 'b', { available_at: at(0), problem: null })
    await jobs.finish(row.id, 'b', end)
    expect(await find(row)).toEqual(leased)

    expect(await jobs.renew(row.id, { worker: 'a', until: at(40) })).toBe(true)
    expect((await find(row))?.available_at).toBe(at(40))
    expect(await jobs.advance(row.id, 'a', step)).toBe(true)
    expect(await find(row)).toEqual({ ...leased, ...step, attempts: 1 })
    await jobs.finish(row.id, 'a', end)
    expect(await find(row)).toMatchObject({ ...end, worker: null, position: null })
    expect(await jobs.advance(row.id, 'a', step)).toBe(false)
    expect(await acquire(row, 'late', 90, 99)).toBeUndefined()
  })

  test('a job is canceled once, by its own project, and its worker loses the lease', async () => {
    const { jobs } = opened.accounts
    const other = await addTenant(opened.accounts)
    const row = inAcme()
    await insert(row)
    await acquire(row, 'a', 1, 20)
    expect(await jobs.cancel(other.projectId, row.id, at(2))).toBeUndefined()
    expect((await find(row))?.state).toBe('running')
    const canceled = await jobs.cancel(acme.projectId, row.id, at(2))
    expect(canceled).toMatchObject({ state: 'cancelled', worker: null, finished_at: at(2) })
    expect(await jobs.cancel(acme.projectId, row.id, at(3))).toBeUndefined()
    expect(await jobs.renew(row.id, { worker: 'a', until: at(40) })).toBe(false)
    expect(await find(row)).toEqual(canceled)
  })

  test('due queues come with the longest due first, without other kinds and what is excluded', async () => {
    const { jobs } = opened.accounts
    const kind = acme.projectId
    const own = inAcme({ kind, available_at: at(3) })
    const ofService = jobRow({ kind, available_at: at(2) })
    const later = inAcme({ kind: `${kind} later`, available_at: at(6) })
    await insert(own, ofService, later)
    const kinds = [kind, `${kind} later`]
    const [ownQueue, serviceQueue, laterQueue] = [own, ofService, later].map(toQueue)
    expect(await jobs.listDue({ kinds, now: at(5) })).toEqual([serviceQueue, ownQueue])
    const due = { kinds, now: at(5) }
    expect(await jobs.listDue({ ...due, exceptJobs: [ofService.id] })).toEqual([ownQueue])
    const exceptOrganizations = [acme.organizationId]
    expect(await jobs.listDue({ ...due, exceptOrganizations })).toEqual([serviceQueue])
    expect(await jobs.listDue({ kinds: [`${kind} later`], now: at(6) })).toEqual([laterQueue])
    const lease = { worker: 'a', until: at(9) }
    expect(await jobs.acquire(toQueue(own), lease, at(5), [own.id])).toBeUndefined()
    expect(await jobs.acquire(toQueue(ofService), lease, at(5), [])).toMatchObject({
      id: ofService.id,
    })
  })

  test('jobs are listed newest first, page by page and filtered, in their project only', async () => {
    const { jobs } = opened.accounts
    const other = await addTenant(opened.accounts)
    const rows = [inAcme(), inAcme({ kind: 'other' }), inAcme({ state: 'failed' })]
    await insert(...rows, jobRow({ project_id: other.projectId }), jobRow())
    const [first, second, third] = rows.map(({ id }) => id)
    const list = async (query: object) =>
      (await jobs.list(acme.projectId, { limit: 9, ...query })).map(({ id }) => id)
    expect(await list({})).toEqual([third, second, first])
    expect(await list({ limit: 2 })).toEqual([third, second])
    expect(await list({ before: second })).toEqual([first])
    expect(await list({ kinds: ['other'] })).toEqual([second])
    expect(await list({ state: 'failed' })).toEqual([third])
    expect(await jobs.find(other.projectId, first ?? '')).toBeUndefined()
  })

  test('finished jobs are pruned by number within a queue and by age in all, active ones never', async () => {
    const { jobs } = opened.accounts
    const done = { state: 'completed', finished_at: at(10) } as const
    const surplus = inAcme(done)
    const newest = [inAcme(done), inAcme({ ...done, state: 'failed' })]
    const active = inAcme()
    const otherQueue = inAcme({ ...done, kind: 'other' })
    const old = inAcme({ ...done, kind: 'third', finished_at: at(1) })
    await insert(active, surplus, ...newest, otherQueue, old)
    await jobs.prune({ kind: surplus.kind, projectId: acme.projectId }, 2, at(2))
    const remaining = await jobs.list(acme.projectId, { limit: 9 })
    expect(new Set(remaining.map(({ id }) => id))).toEqual(
      new Set([active, ...newest, otherQueue].map(({ id }) => id)),
    )
  })

  test('jobs are counted by kind and state, and removed with their project', async () => {
    const { jobs, projects } = opened.accounts
    const kind = acme.projectId
    await insert(inAcme({ kind }), inAcme({ kind }), inAcme({ kind, state: 'failed' }))
    const counts = async () =>
      (await jobs.countByState())
        .filter((count) => count.kind === kind)
        .toSorted((a, b) => b.count - a.count)
    expect(await counts()).toEqual([
      { kind, state: 'queued', count: 2 },
      { kind, state: 'failed', count: 1 },
    ])
    await projects.remove(acme.projectId, 'project')
    expect(await counts()).toEqual([])
  })
})
