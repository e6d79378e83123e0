import { ingestTrace } from '@assay/contract/ingest.ts'
import { readStorage } from '@assay/contract/storage.ts'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { silent } from '../../../test/accounts-database.ts'
import { clockAt } from '../../../test/clock-at.ts'
import { doSteps, jobRow } from '../../../test/job-rows.ts'
import { addUser } from '../../../test/people.ts'
import { runningService } from '../../../test/service-suite.ts'
import type { Credentials } from '../../../test/started-app.ts'
import { parseInstant } from '../../domain/instant.ts'
import { Unavailable } from '../../platform/failure.ts'
import { newOrderedId } from '../../platform/ids.ts'
import { openLog } from '../../platform/log.ts'
import type { JobRow } from '../../storage/accounts/service-tables.ts'
import type { IdempotencyRecord } from '../../storage/telemetry/port/ingest.ts'
import { span } from '../../storage/telemetry/port/samples.ts'
import { log as logRecord, measurement } from '../../storage/telemetry/port/signal-samples.ts'
import { folderOfTest, storeOfTest } from '../../storage/telemetry/sqlite/test-store.ts'
import { retentionJob } from './retention-job.ts'

const clock = clockAt(() => Date.parse('2026-03-01T00:00:00Z'))
const service = runningService({ clock })

// The service has such a job too, which is due at its start and then an hour later.
beforeAll(async () => {
  const { jobs } = service.accounts
  const hasRun = async () => {
    const counts = await jobs.countByState()
    const isQueued = counts.some(({ kind, state }) => kind === 'retention' && state === 'queued')
    const now = await service.accounts.clock.now()
    return isQueued && (await jobs.listDue({ kinds: ['retention'], now })).length === 0
  }
  await vi.waitUntil(hasRun, { timeout: 15_000 })
})

async function projectWithTraces(days: number | null): Promise<string> {
  const { projectId, tracingKey } = await service.addTenant()
  await service.accounts.projects.update(projectId, { retention_days: days })
  for (const [trace_id, started_at] of [
    ['old', '2026-01-01T00:00:00Z'],
    ['older than a week', '2026-02-20T00:00:00Z'],
    ['new', '2026-02-28T00:00:00Z'],
  ]) {
    const body = { trace_id, spans: [{ span_id: 's', name: 'run', started_at }] }
    await service.call(ingestTrace, { body }, { 'x-tracing-key': tracingKey })
    const at = parseInstant(started_at ?? '')
    const { telemetry } = service
    await telemetry.recordLogs(projectId, telemetry.encodeLogs([logRecord(trace_id ?? '', { at })]))
    await telemetry.recordMetrics(projectId, telemetry.encodeMetrics([measurement({ at })]))
  }
  return projectId
}

const sweep = (retentionDays: number | undefined) => {
  const { accounts, telemetry } = service
  return doSteps(retentionJob({ accounts, telemetry, clock, log: silent, retentionDays }))
}

const remaining = async (projectId: string) => {
  const { traces } = await service.telemetry.listTraces(projectId, { limit: 9, filters: {} })
  return traces.map(({ traceId }) => traceId)
}

const used = async (projectId: string, as: Credentials) => {
  const { data } = await service.call(readStorage, { params: { projectId } }, as)
  const { traces, spans, metric_points, log_records, retention } = data
  const counts = [traces, spans, metric_points, log_records].map(({ count }) => count)
  return { counts, oldest: log_records.oldest_at, retention }
}

test('a clock that jumps ahead removes nothing that was young before, and removes again once it was corrected', async () => {
  const projectId = await projectWithTraces(7)
  const { accounts, telemetry } = service
  const warnings: string[] = []
  const log = openLog('warn', (line) => warnings.push(line))
  let now = '2026-02-27T00:00:00Z'
  const job = retentionJob({
    ...{ accounts, telemetry, log, retentionDays: undefined },
    clock: { ...clock, now: () => new Date(now) },
  })
  const young = ['new', 'older than a week']
  let row = await doSteps(job)
  expect(await remaining(projectId)).toEqual(young)
  for (const wrong of ['2027-02-27T01:00:00Z', '2027-02-27T02:00:00Z']) {
    now = wrong
    row = await doSteps(job, row)
    expect(await remaining(projectId)).toEqual(young)
  }
  expect(warnings).toHaveLength(2)
  now = '2026-02-28T00:00:00Z'
  row = await doSteps(job, row)
  expect(await remaining(projectId)).toEqual(['new'])
  expect(warnings).toHaveLength(2)
})

test('a project whose telemetry stays unavailable is repeated for a while, then left, and others follow', async () => {
  const projects = [await projectWithTraces(7), await projectWithTraces(7)]
  const [unavailable = '', other = ''] = projects.toSorted()
  const { accounts, telemetry } = service
  const job = retentionJob({
    ...{ accounts, clock, log: silent, retentionDays: undefined },
    telemetry: {
      ...telemetry,
      async removeOldTraces(projectId, before) {
        if (projectId === unavailable) throw new Unavailable('down', 1)
        return await telemetry.removeOldTraces(projectId, before)
      },
    },
  })
  await expect(doSteps(job, jobRow({ attempts: 1 }))).rejects.toBeInstanceOf(Unavailable)
  await doSteps(job, jobRow({ attempts: 7 }))
  expect(await remaining(unavailable)).toHaveLength(3)
  expect(await remaining(other)).toEqual(['new'])
})

describe('an idempotency record', () => {
  /** A store and its job, by a clock that the test sets. */
  const openAt = async (start: number) => {
    let now = start
    const settable = clockAt(() => now)
    const telemetry = await storeOfTest(folderOfTest(), settable)
    const { accounts } = service
    const job = retentionJob({
      ...{ accounts, telemetry, clock: settable, log: silent, retentionDays: undefined },
    })
    let row: JobRow | undefined
    const record = async (idempotency: { readonly idempotency?: IdempotencyRecord }) => {
      const spans = telemetry.encode([span('a')])
      return await telemetry.record({ projectId: 'p', source: 'json', spans, ...idempotency })
    }
    return {
      /** Sends a batch with the key, after others and a run of the job, at that time. */
      async isRepeatedAt(time: number) {
        now = time
        await record({})
        row = await doSteps(job, row)
        return (await record({ idempotency: { key: 'key', note: '' } })).repeated
      },
    }
  }
  const hour = 3_600_000
  const day = 24 * hour
  const start = Date.parse('2026-03-01T00:00:00Z')

  test('is kept for thirty days, then deleted', async () => {
    const { isRepeatedAt } = await openAt(start)
    const repeated: boolean[] = []
    for (let days = 0; days <= 32; days += 1) {
      repeated.push(await isRepeatedAt(start + days * day))
    }
    expect(repeated.slice(0, 31)).toEqual([false, ...Array.from({ length: 30 }, () => true)])
    expect(repeated.at(-1)).toBe(false)
  })

  test('is kept while a clock that jumps by more than a month may be wrong', async () => {
    const { isRepeatedAt } = await openAt(start)
    expect(await isRepeatedAt(start)).toBe(false)
    expect(await isRepeatedAt(start + 40 * day)).toBe(true)
    expect(await isRepeatedAt(start + 40 * day + 2 * hour)).toBe(true)
    expect(await isRepeatedAt(start + 3 * hour)).toBe(true)
  })
})

test('comments of removed traces are removed, and no others', async () => {
  const { projectId, members } = await service.addTenant()
  const ingested = await projectWithTraces(7)
  const owner = members.Owner.id
  const comment = (project_id: string, trace_id: string) => ({
    ...{ id: newOrderedId(), project_id, trace_id, author_id: owner },
    ...{ text: trace_id, created_at: '2026-02-01T00:00:00.000Z' },
  })
  await service.accounts.comments.insert(comment(ingested, 'old'))
  await service.accounts.comments.insert(comment(ingested, 'new'))
  await service.accounts.comments.insert(comment(projectId, 'old'))
  await sweep(undefined)
  const left = async (of: string) =>
    (await service.accounts.comments.listAfter(of, '', 9)).map(({ trace_id }) => trace_id)
  expect(await left(ingested)).toEqual(['new'])
  // Without a retention period.
  expect(await left(projectId)).toEqual(['old'])
})

test('a project without a retention period uses the default of the service, if there is one', async () => {
  const [week, unlimited] = [await projectWithTraces(7), await projectWithTraces(null)]
  const admin = await service.signedIn(await addUser(service.accounts, { superAdmin: true }))
  await sweep(undefined)
  expect(await remaining(week)).toEqual(['new'])
  expect(await used(week, admin)).toEqual({
    counts: [1, 1, 1, 1],
    oldest: '2026-02-28T00:00:00.000Z',
    retention: { days: 7, source: 'project' },
  })
  expect(await used(unlimited, admin)).toMatchObject({ counts: [3, 3, 3, 3] })
  expect((await remaining(unlimited)).length).toBe(3)
  await sweep(30)
  expect(await remaining(unlimited)).toEqual(['new', 'older than a week'])
  expect(await used(unlimited, admin)).toMatchObject({ counts: [2, 2, 2, 2] })
})

test('members read usage and retention; the size of all files is for super admins', async () => {
  const tenant = await service.addTenant()
  const params = { projectId: tenant.projectId }
  const viewer = await service.signedIn(tenant.members.Viewer)
  const none = { count: 0, bytes: 0, oldest_at: null, newest_at: null }
  const { data } = await service.call(readStorage, { params }, viewer)
  expect(data).toEqual({
    is_estimate: false,
    ...{ traces: none, spans: none, metric_points: none, log_records: none, scores: none },
    retention: { days: null, source: 'keep' },
    deployment_bytes: null,
  })
  const admin = await service.signedIn(await addUser(service.accounts, { superAdmin: true }))
  const response = await service.call(readStorage, { params }, admin)
  expect(response.data.deployment_bytes).toBeGreaterThan(0)
})
