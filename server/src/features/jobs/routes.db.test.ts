import { listAuditLog } from '@assay/contract/audit-log.ts'
import { cancelJob, listJobs, readJob } from '@assay/contract/jobs.ts'
import { reprice } from '@assay/contract/repricing.ts'
import { describe, expect, test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'
import { newJobRow } from '../../jobs/job-row.ts'
import type { JobRow } from '../../storage/accounts/service-tables.ts'
import { repricingKind } from '../prices/repricing-job.ts'
import { emptyRepricingProgress } from '../prices/repricing-progress.ts'

const service = runningService()
const acme = tenantPerTest(service)
const owner = signedInPerTest(service, () => acme.members.Owner)
const viewer = signedInPerTest(service, () => acme.members.Viewer)

const inProject = () => ({ projectId: acme.projectId })
const inJob = (jobId: string) => ({ params: { ...inProject(), jobId } })
const list = (query: object = {}, as = viewer) =>
  service.call(listJobs, { params: inProject(), query }, as)
const read = (jobId: string) => service.call(readJob, inJob(jobId), viewer)
const cancel = (jobId: string, as = owner) => service.call(cancelJob, inJob(jobId), as)

/** A job that is not due before 2040. */
async function insert(rest: Partial<JobRow> = {}): Promise<JobRow> {
  const available_at = '2040-01-01T00:00:00.000Z'
  const input = { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' }
  const own = { project_id: acme.projectId, available_at, ...rest }
  const row = {
    ...newJobRow(repricingKind, { input, progress: emptyRepricingProgress(0) }, available_at),
    ...own,
  }
  await service.accounts.jobs.insert(row)
  return row
}

describe('GET …/jobs', () => {
  test('lists the jobs of the project newest first, in pages', async () => {
    const ids = []
    for (let i = 0; i < 3; i++) ids.unshift((await insert()).id)
    await insert({ project_id: (await service.addTenant()).projectId })
    const first = await list({ limit: 2 })
    const second = await list({ limit: 2, cursor: first.meta.cursor })
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids)
    expect([first.meta.pageSize, second.meta]).toEqual([2, { pageSize: 1, cursor: null }])
  })

  test('filters by kind and state', async () => {
    await insert()
    const failed = await insert({ state: 'failed', problem: 'The disk is full.' })
    const { data } = await list({ kind: 'repricing', state: 'failed' })
    expect(data).toMatchObject([{ id: failed.id, problem: 'The disk is full.' }])
  })

  test.each([{ kind: 'retention' }, { state: 'done' }, { limit: 101 }, { cursor: 'x' }])(
    'refuses %j',
    async (query) => {
      expect(await list(query)).toMatchObject({
        status: 400,
        error: { code: 'VALIDATION_ERROR' },
      })
    },
  )
})

describe('a job', () => {
  test('is read with its progress and the details of its kind', async () => {
    const params = inProject()
    const body = { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' }
    const { data: started } = await service.call(reprice, { params, body }, owner)
    await eventually(async () => {
      expect((await read(started.id)).data).toMatchObject({
        kind: 'repricing',
        state: 'completed',
        progress: { done: 0, total: 0 },
        details: { ...body, spans_changed: 0, is_complete: true },
        problem: null,
        created_by: acme.members.Owner.id,
      })
    })
  })

  test('has an id in which letter case does not matter', async () => {
    const { id } = await insert()
    expect((await read(id.toUpperCase())).data.id).toBe(id)
    expect((await cancel(id.toUpperCase())).data).toMatchObject({ id, state: 'cancelled' })
  })

  test('is not found in another project', async () => {
    const { id } = await insert({ project_id: (await service.addTenant()).projectId })
    for (const response of [await read(id), await cancel(id)]) {
      expect(response).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } })
    }
  })

  test('is canceled once, with an entry in the audit log', async () => {
    const { id } = await insert()
    expect(await cancel(id)).toMatchObject({ status: 200, data: { id, state: 'cancelled' } })
    expect(await cancel(id)).toMatchObject({
      status: 409,
      error: { code: 'CONFLICT', message: 'The job has already finished.' },
    })
    const params = { orgId: acme.organizationId }
    const { data } = await service.call(listAuditLog, { params }, owner)
    expect(data.filter(({ action }) => action === 'job.cancelled')).toMatchObject([
      {
        target: { kind: 'job', id },
        details: { project_id: acme.projectId, kind: 'repricing' },
      },
    ])
  })

  test('is not canceled without the permission for its kind', async () => {
    const editor = await service.signedIn(acme.members.Editor)
    const { id } = await insert()
    for (const as of [viewer, editor]) {
      expect(await cancel(id, as)).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } })
    }
    expect((await read(id)).data.state).toBe('queued')
  })
})
