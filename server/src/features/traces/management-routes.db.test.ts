import { createComment, listComments } from '@assay/contract/comments.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { limits } from '@assay/contract/limits.ts'
import { listLogs } from '@assay/contract/logs.ts'
import { moveTraces, removeTrace } from '@assay/contract/trace-management.ts'
import { readSpan, readTrace } from '@assay/contract/traces.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'
import { newProject } from '../../accounts/project.ts'
import { span } from '../../storage/telemetry/port/samples.ts'
import { contentLog, log } from '../../storage/telemetry/port/signal-samples.ts'

const service = runningService()
const tenant = tenantPerTest(service)
const owner = signedInPerTest(service, () => tenant.members.Owner)

beforeEach(async () => {
  await ingest(tenant.tracingKey, 't')
})

async function ingest(key: string, traceId: string) {
  const spans = [{ span_id: 's', name: 'run', started_at: '2026-01-01T00:00:00Z' }]
  const body = { trace_id: traceId, spans }
  const { error } = await service.call(ingestTrace, { body }, { 'x-tracing-key': key })
  expect(error).toBeUndefined()
}

const inTrace = (projectId = tenant.projectId) => ({ projectId, traceId: 't' })
const comment = (text: string) =>
  service.call(createComment, { params: inTrace(), body: { text } }, owner)
const comments = async (projectId = tenant.projectId) =>
  (await service.call(listComments, { params: inTrace(projectId) }, owner)).data

describe('removing a trace', () => {
  test('removes its spans and comments permanently', async () => {
    await comment('gone soon')
    const remove = () => service.call(removeTrace, { params: inTrace() }, owner)
    expect((await remove()).data).toEqual({ status: 'removed' })
    expect((await remove()).error.code).toBe('NOT_FOUND')
    expect((await service.call(readTrace, { params: inTrace() }, owner)).status).toBe(404)
    await ingest(tenant.tracingKey, 't')
    expect(await comments()).toEqual([])
  })
})

/** A record that references the trace and has the input of its span. */
async function record(projectId: string) {
  const { telemetry } = service
  const records = [contentLog('s', 'asked', null, { traceId: 't' }), log('of none')]
  await telemetry.recordLogs(projectId, telemetry.encodeLogs(records))
}
const logged = async (projectId: string) => {
  const { data } = await service.call(listLogs, { params: { projectId } }, owner)
  return data.map(({ trace_id }) => trace_id).toSorted((a, b) => (`${a}` < `${b}` ? -1 : 1))
}
const input = async (projectId: string) => {
  const params = { ...inTrace(projectId), spanId: 's' }
  return (await service.call(readSpan, { params }, owner)).data.input
}

describe('log records that reference a trace', () => {
  test('are removed with it, with the span contents that came from them', async () => {
    await record(tenant.projectId)
    expect(await input(tenant.projectId)).toEqual(['asked'])
    await service.call(removeTrace, { params: inTrace() }, owner)
    expect(await logged(tenant.projectId)).toEqual([null])
    await ingest(tenant.tracingKey, 't')
    expect(await input(tenant.projectId)).toBeNull()
  })

  test('are moved with it, with the span contents that came from them', async () => {
    await record(tenant.projectId)
    const { row } = newProject(tenant.organizationId, 'Other', 'other', '2026-01-01T00:00:00.000Z')
    await service.accounts.projects.insert(row)
    const body = { source_project_id: tenant.projectId, trace_ids: ['t'] }
    await service.call(moveTraces, { params: { projectId: row.id }, body }, owner)
    expect(await logged(row.id)).toEqual(['t'])
    expect(await logged(tenant.projectId)).toEqual([null])
    expect(await input(row.id)).toEqual(['asked'])
  })
})

describe('moving traces', () => {
  let target: string
  const adopt = (body: object, as = owner) =>
    service.call(moveTraces, { params: { projectId: target }, body }, as)

  beforeEach(async () => {
    const { row } = newProject(tenant.organizationId, 'Other', 'other', '2026-01-01T00:00:00.000Z')
    await service.accounts.projects.insert(row)
    target = row.id
  })

  test('moves a trace with its comments, and repeating the request changes nothing', async () => {
    await comment('comes along')
    const body = { source_project_id: tenant.projectId, trace_ids: ['t', 'none', 't'] }
    const none = { trace_id: 'none', reason: 'not_found' }
    expect((await adopt(body)).data).toEqual({ adopted: ['t'], skipped: [none] })
    const exists = { trace_id: 't', reason: 'exists' }
    expect((await adopt(body)).data).toEqual({ adopted: [], skipped: [exists, none] })
    expect(await comments(target)).toMatchObject([{ text: 'comes along' }])
    const there = await service.call(readTrace, { params: inTrace(target) }, owner)
    expect(there.data).toMatchObject({ project_id: target, span_count: 1 })
    expect((await service.call(readTrace, { params: inTrace() }, owner)).status).toBe(404)
  })

  test('changes neither traces nor comments if the id exists', async () => {
    await comment('mine')
    await adopt({ source_project_id: tenant.projectId, trace_ids: ['t'] })
    await ingest(tenant.tracingKey, 't')
    await comment('new here')
    const body = { source_project_id: tenant.projectId, trace_ids: ['t'] }
    expect((await adopt(body)).data.skipped).toEqual([{ trace_id: 't', reason: 'exists' }])
    expect(await comments()).toMatchObject([{ text: 'new here' }])
    expect(await comments(target)).toMatchObject([{ text: 'mine' }])
  })

  test('writes a limited number of audit entries, however often an Editor moves traces there and back', async () => {
    const ids = Array.from({ length: 60 }, (_, n) => `${n}`)
    const { telemetry } = service
    const spans = telemetry.encode(ids.map((traceId) => span('s', { traceId })))
    await telemetry.record({ projectId: tenant.projectId, source: 'otlp', spans })
    const editor = await service.signedIn(tenant.members.Editor)
    const move = (from: string, to: string) => {
      const body = { source_project_id: from, trace_ids: ids }
      return service.call(moveTraces, { params: { projectId: to }, body }, editor)
    }
    for (const [from, to] of [
      [tenant.projectId, target],
      [target, tenant.projectId],
    ] as const) {
      const { data, error } = await move(from, to)
      expect(error).toBeUndefined()
      expect(data.adopted).toHaveLength(60)
    }

    const query = { limit: 1000, action: 'trace.adopted' } as const
    const entries = await service.accounts.audit.list(tenant.organizationId, query)
    expect(entries).toHaveLength(limits.auditEntries.value + 1)
    expect(entries[0]).toMatchObject({
      ...{ event_count: 20, actor_id: tenant.members.Editor.id, target_id: null },
      details: JSON.stringify({ project_id: tenant.projectId, from_project_id: target }),
    })
  })

  test('moves nothing from a project of another organization', async () => {
    const other = await service.addTenant()
    await ingest(other.tracingKey, 't')
    const response = await adopt({ source_project_id: other.projectId, trace_ids: ['t'] })
    expect(response).toMatchObject({ status: 404, error: { code: 'PROJECT_NOT_FOUND' } })
    expect(await service.telemetry.findTrace(other.projectId, 't')).toBeDefined()
  })
})
