import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { listAuditLog } from '@assay/contract/audit-log.ts'
import { limits } from '@assay/contract/limits.ts'
import { listLogs } from '@assay/contract/logs.ts'
import { listMetrics, readMetric } from '@assay/contract/metrics.ts'
import { createSampleProject, listProjects, removeProject } from '@assay/contract/organizations.ts'
import { listObservedModels } from '@assay/contract/prices.ts'
import { readStats } from '@assay/contract/stats.ts'
import { listTraces, readTrace, type Trace } from '@assay/contract/traces.ts'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import type { Tenant } from '../../../test/people.ts'
import { runningService } from '../../../test/service-suite.ts'
import type { Credentials } from '../../../test/started-app.ts'
import { newProject } from '../../accounts/project.ts'

const service = runningService()
let acme: Tenant
let owner: Credentials
let created: Awaited<ReturnType<typeof create>>
let traces: readonly Trace[]

beforeAll(async () => {
  acme = await service.addTenant()
  owner = await service.signedIn(acme.members.Owner)
  created = await create(acme, owner)
  traces = await allTraces(created.data.id)
})

function create(tenant: Tenant, as: Credentials) {
  return service.call(createSampleProject, { params: { orgId: tenant.organizationId } }, as)
}

async function allTraces(projectId: string): Promise<readonly Trace[]> {
  const found: Trace[] = []
  let cursor: string | null | undefined
  do {
    const query = { limit: 100, ...(cursor ? { cursor } : {}) }
    const page = await service.call(listTraces, { params: { projectId }, query }, owner)
    found.push(...page.data)
    cursor = page.meta.cursor
  } while (cursor)
  return found
}

const inSample = () => ({ projectId: created.data.id })
const weekAgo = () => new Date(Date.now() - 8 * 86_400_000).toISOString()
const later = () => new Date(Date.now() + 60_000).toISOString()
const values = (of: (trace: Trace) => string | null) => new Set(traces.map(of))

describe('POST /orgs/{orgId}/sample-project', () => {
  test('creates a regular project and reports its contents', async () => {
    expect(created).toMatchObject({
      status: 201,
      data: {
        organization_id: acme.organizationId,
        name: 'Sample data',
        slug: 'sample-data',
        retention_days: null,
        trace_count: 400,
        span_count: traces.reduce((sum, { span_count }) => sum + span_count, 0),
      },
    })
    expect(traces).toHaveLength(400)
    const params = { orgId: acme.organizationId }
    const { data } = await service.call(listProjects, { params }, owner)
    expect(data.map(({ slug }) => slug)).toContain('sample-data')
    const log = await service.call(listAuditLog, { params, query: {} }, owner)
    expect(log.data[0]).toMatchObject({
      action: 'project.created',
      target: { id: created.data.id },
    })
  })

  test('covers the last seven days, and nothing in the future', () => {
    for (const { started_at, ended_at } of traces) {
      expect(Date.parse(started_at)).toBeGreaterThan(Date.now() - 7 * 86_400_000)
      expect(Date.parse(ended_at)).toBeLessThan(Date.now())
    }
  })

  test('has sessions of several turns, users, environments, services and two versions', async () => {
    const perSession = Map.groupBy(traces, ({ session_id }) => session_id)
    expect([...perSession.values()].filter(({ length }) => length > 2).length).toBeGreaterThan(20)
    expect(values(({ user_id }) => user_id).size).toBeGreaterThan(5)
    expect(values(({ environment }) => environment)).toEqual(new Set(['production', 'staging']))
    expect(values(({ service: name }) => name)).toEqual(
      new Set([
        'support-desk',
        'handbook-search',
        'code-review',
        'market-research',
        'feedback-digest',
        'catalog-import',
      ]),
    )
    for (const { tags } of traces) expect(tags.length).toBeGreaterThan(0)
    expect(new Set(traces.flatMap(({ tags }) => tags))).toContain('multi-agent')
    const sdks = traces.filter(({ service: name }) => name === 'support-desk')
    expect(new Set(sdks.map(({ sdk }) => sdk))).toEqual(
      new Set(['support-desk-agent 1.8.0', 'support-desk-agent 1.9.0']),
    )
  })

  test('has a trace of 5,000 spans', () => {
    expect(traces.filter(({ span_count }) => span_count === 5_000)).toHaveLength(1)
  })

  test('has every kind of span, and errors of several kinds', async () => {
    const kinds = new Set<string>()
    const failures = new Set<string | null>()
    const ofRun = Map.groupBy(traces, ({ root_name }) => root_name)
    for (const runs of ofRun.values()) {
      for (const { trace_id, span_count } of runs.filter(({ status }) => status === 'ERROR')) {
        if (span_count > 1_000) continue
        const params = { ...inSample(), traceId: trace_id }
        const { data } = await service.call(readTrace, { params }, owner)
        for (const { kind, status, status_message } of data.spans) {
          kinds.add(kind)
          if (status === 'ERROR') failures.add(status_message)
        }
      }
    }
    for (const kind of 'agent llm tool mcp retriever embedding reranker chain guardrail'.split(' '))
      expect(kinds).toContain(kind)
    expect(failures.size).toBeGreaterThan(5)
    const failed = traces.filter(({ status }) => status === 'ERROR').length
    expect(failed).toBeGreaterThan(20)
    expect(failed).toBeLessThan(200)
  })

  test('is priced by the price list, except for one model', async () => {
    const query = { from: weekAgo(), to: later() }
    const { data } = await service.call(listObservedModels, { params: inSample(), query }, owner)
    const unpriced = data.filter(({ cost_usd }) => cost_usd === null)
    expect(new Set(unpriced.map(({ model }) => model))).toEqual(new Set(['orchid-70b-chat']))
    const providers = new Set(data.map(({ provider }) => provider))
    for (const provider of ['openai', 'anthropic', 'gcp.gemini', 'mistral_ai'])
      expect(providers).toContain(provider)
    const total = traces.reduce((sum, { cost_usd }) => sum + (cost_usd ?? 0), 0)
    expect(total).toBeGreaterThan(1)
    expect(total).toBeLessThan(100)
    const stats = await service.call(readStats, { params: inSample(), query }, owner)
    const cost = stats.data.by_name.reduce((sum, { cost_usd }) => sum + cost_usd, 0)
    expect(cost).toBeCloseTo(total, 4)
  })

  test('has logs and exemplars that link to spans of its traces', async () => {
    const ids = new Set(traces.map(({ trace_id }) => trace_id))
    const logs = await service.call(listLogs, { params: inSample(), query: { limit: 100 } }, owner)
    expect(logs.data.length).toBeGreaterThan(50)
    for (const { trace_id } of logs.data) expect(ids).toContain(trace_id)
    const metrics = await service.call(listMetrics, { params: inSample(), query: {} }, owner)
    expect(metrics.data.map(({ name, kind }) => [name, kind])).toEqual([
      ['agent.queue.length', 'gauge'],
      ['agent.runs', 'sum'],
      ['gen_ai.client.operation.duration', 'histogram'],
    ])
    const params = { ...inSample(), name: 'gen_ai.client.operation.duration' }
    const query = { from: weekAgo(), to: later(), step: 21_600 }
    const { data } = await service.call(readMetric, { params, query }, owner)
    const exemplars = data.flatMap((one) => one.exemplars)
    expect(exemplars.length).toBeGreaterThan(10)
    for (const { trace_id } of exemplars) expect(ids).toContain(trace_id)
  })

  test('has metrics that fill the chart of the last hour', async () => {
    const query = { from: new Date(Date.now() - 3_600_000).toISOString(), to: later(), step: 60 }
    for (const name of ['agent.queue.length', 'agent.runs']) {
      const params = { ...inSample(), name }
      const { data } = await service.call(readMetric, { params, query }, owner)
      expect(data.length).toBeGreaterThan(0)
      for (const { steps } of data) expect(steps.length).toBeGreaterThan(50)
    }
  })

  test('can be created twice, with the same traces, while other requests are served', async () => {
    let isOver = false
    const asking = (async () => {
      let served = 0
      while (!isOver) served += (await fetch(`${service.origin}/healthz`)).ok ? 1 : 0
      return served
    })()
    const again = await create(acme, owner)
    isOver = true
    expect(await asking).toBeGreaterThan(10)
    expect(again.data).toMatchObject({ slug: 'sample-data-2', span_count: created.data.span_count })
    const others = await allTraces(again.data.id)
    const named = (all: readonly Trace[]) => all.map(({ trace_id }) => trace_id).sort()
    expect(named(others)).toEqual(named(traces))
  })

  test('is removed like any other project', async () => {
    const globex = await service.addTenant()
    const as = await service.signedIn(globex.members.Admin)
    const { data } = await create(globex, as)
    const body = { confirm: data.slug }
    const params = { projectId: data.id }
    expect((await service.call(removeProject, { params, body }, as)).status).toBe(200)
    const remaining = async () => {
      const page = await service.telemetry.listTraces(data.id, { limit: 1, filters: {} })
      return page.traces.length
    }
    await expect.poll(remaining).toBe(0)
  })

  test.each(['Editor', 'Viewer'] as const)('creates nothing for the role %s', async (role) => {
    const globex = await service.addTenant()
    const as = await service.signedIn(globex.members[role])
    expect(await create(globex, as)).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } })
    expect(await service.accounts.projects.list(globex.organizationId)).toHaveLength(1)
  })

  test('is refused in an organization with as many projects as it can have', async () => {
    const globex = await service.addTenant()
    const as = await service.signedIn(globex.members.Owner)
    const { value: most } = limits.projectsPerOrganization
    await service.accounts.transaction(async ({ projects }) => {
      for (let n = 1; n < most; n += 1) {
        await projects.insert(newProject(globex.organizationId, 'x', `x-${n}`, later()).row)
      }
    })
    expect(await create(globex, as)).toMatchObject({ status: 409, error: { code: 'CONFLICT' } })
    expect(await service.accounts.projects.list(globex.organizationId)).toHaveLength(most)
  })

  test.skipIf(inject('isScaled'))(
    'leaves no project behind if the data cannot be stored',
    async () => {
      const globex = await service.addTenant()
      const as = await service.signedIn(globex.members.Owner)
      const other = new DatabaseSync(join(service.dataDir, 'telemetry.sqlite'), { timeout: 10_000 })
      other.exec('BEGIN IMMEDIATE')
      const refused = await create(globex, as).finally(() => {
        other.exec('ROLLBACK')
        other.close()
      })
      expect(refused).toMatchObject({ status: 503, error: { code: 'INTERNAL_ERROR' } })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await service.accounts.projects.list(globex.organizationId)).toHaveLength(1)
    },
  )
})
