import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { evaluateTraces } from '@assay/contract/bulk-evaluations.ts'
import { readCostRun } from '@assay/contract/cost-runs.ts'
import { listEvaluationRuns } from '@assay/contract/evaluations.ts'
import { listEvaluatorCollections } from '@assay/contract/evaluators.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { type Job, readJob } from '@assay/contract/jobs.ts'
import { createModelConfig } from '@assay/contract/model-configs.ts'
import { createProjectPrice } from '@assay/contract/prices.ts'
import { reprice } from '@assay/contract/repricing.ts'
import { executeRun } from '@assay/contract/run-execution.ts'
import { generateScenarios } from '@assay/contract/scenarios.ts'
import { listTraces } from '@assay/contract/traces.ts'
import { describe, expect, inject, test, vi } from 'vitest'
import { freePort } from '../server/test/free-port.ts'
import { startScriptedModel } from '../server/test/scripted-model.ts'
import {
  callAs,
  newDataDir,
  type RunningService,
  runService,
  setUpService,
} from './running-service.ts'

/*
 * Background jobs and executions of a service that is stopped or killed. Waits for a lease to expire, so it runs with the
 * long tests.
 */

const traceCount = 24
const spansPerTrace = 500
const evaluatedCount = 300
const patience = { timeout: 60_000, interval: 250 }

describe.skipIf(!inject('isLong'))('a re-pricing (only with npm run test:long)', () => {
  test('of a killed service resumes when its lease has expired', async () => {
    const { dataDir, port, service: killed, ...repricing } = await repricingInProgress()
    await killed.kill()
    expect(lease(dataDir).worker).not.toBeNull()

    const service = await runService({ dataDir, port })
    const before = await repricing.read(service)
    expect(before.state).toBe('running')
    expect(before.progress.done).toBeLessThan(traceCount)
    await expectCompleted(service, repricing)
  })

  test('of a stopped service has released its lease, and resumes', async () => {
    const { dataDir, port, service: stopped, ...repricing } = await repricingInProgress()
    expect(await stopped.stop()).toBe(0)
    const { state, worker, available_at } = lease(dataDir)
    expect([state, worker]).toEqual(['running', null])
    expect(Date.parse(available_at)).toBeLessThanOrEqual(Date.now())
    await expectCompleted(await runService({ dataDir, port }), repricing)
  })
})

describe.skipIf(!inject('isLong'))('an evaluation (only with npm run test:long)', () => {
  test('of a killed service resumes, and evaluates each trace once', async () => {
    const [dataDir, port] = [newDataDir(), await freePort()]
    const killed = await runService({ dataDir, port })
    const first = await setUpService(killed)
    const params = { projectId: first.project.id }
    const ids = Array.from({ length: evaluatedCount }, (_, i) => `t${i}`)
    for (const trace_id of ids) {
      const span = { span_id: 'a', name: 'run', started_at: '2026-01-01T00:00:00Z' }
      await ingest(killed, first.tracing_key, { trace_id, spans: [span] })
    }
    const inOrganization = { params: { orgId: first.organization.id } }
    const [collection] = await callAs(killed, first)(listEvaluatorCollections, inOrganization)
    const body = { collection_id: collection!.id }
    const { id } = await callAs(killed, first)(evaluateTraces, { params, body })
    const read = (from: RunningService): Promise<Job> =>
      callAs(from, first)(readJob, { params: { ...params, jobId: id } })
    const isStarted = async () => expect((await read(killed)).progress.done).toBeGreaterThan(1)
    await vi.waitFor(isStarted, { ...patience, interval: 20 })
    await killed.kill()

    const service = await runService({ dataDir, port })
    expect((await read(service)).progress.done).toBeLessThan(evaluatedCount)
    await vi.waitFor(async () => expect((await read(service)).state).toBe('completed'), patience)
    expect(await read(service)).toMatchObject({
      progress: { done: evaluatedCount, total: evaluatedCount },
      details: { traces_evaluated: evaluatedCount, traces_skipped: 0 },
    })
    for (const traceId of ids) {
      const ofTrace = { params: { ...params, traceId } }
      expect(await callAs(service, first)(listEvaluationRuns, ofTrace)).toHaveLength(1)
    }
    await service.stop()
  })
})

describe.skipIf(!inject('isLong'))('an execution (only with npm run test:long)', () => {
  test('of a killed service runs what is missing only, and pays for nothing twice', async () => {
    const model = await startScriptedModel()
    const [dataDir, port] = [newDataDir(), await freePort()]
    const killed = await runService({ dataDir, port })
    const first = await setUpService(killed)
    const inProject = { projectId: first.project.id }
    const { id: configId } = await callAs(killed, first)(createModelConfig, {
      params: { orgId: first.organization.id },
      body: {
        ...{ label: 'm', provider: 'openai-compatible', model: 'm', api_key: 'k' },
        ...{ base_url: model.url, input_usd_per_mtok: 10, output_usd_per_mtok: 10 },
      },
    })
    const agent_config = { system_prompt: 'You answer questions about orders.' }
    const generated = await callAs(killed, first)(generateScenarios, {
      ...{ params: inProject, body: { agent_config, scenario_count: 8 } },
    })
    const params = { ...inProject, runId: 'run_id' in generated ? generated.run_id : '' }
    const read = (from: RunningService) => callAs(from, first)(readCostRun, { params })
    const execute = (on: RunningService) =>
      callAs(on, first)(executeRun, {
        ...{ params, body: { model_config_ids: [configId], concurrency: 1 } },
      })
    const answer = { answer: 'It is on its way.' }
    model.play(...Array.from({ length: 5 }, () => answer), 'stall')
    model.always(answer)
    const cut = execute(killed).catch((error: unknown) => error)
    await model.received(6)
    await killed.kill()
    expect(await cut).toBeInstanceOf(Error)

    const service = await runService({ dataDir, port })
    const kept = await read(service)
    expect(kept.results.length).toBeGreaterThan(0)
    expect(kept.results.length).toBeLessThan(8)
    await expect(execute(service)).rejects.toMatchObject({ code: 'CONFLICT' })
    await vi.waitFor(async () => expect((await read(service)).status).toBe('partial'), patience)
    const run = await execute(service)
    expect([run.status, run.results.length]).toEqual(['completed', 8])
    expect(run.results).toEqual(expect.arrayContaining(kept.results))
    const isKept = ({ id }: { readonly id: string }) =>
      kept.results.some((result) => result.scenario_id === id)
    const questionsOfKept = run.scenarios.filter(isKept).map(({ turns }) => turns[0]?.content)
    const asked = model.requests.slice(6).map(({ texts }) => texts[0])
    expect(asked.filter((question) => questionsOfKept.includes(question))).toEqual([])
    const paid = run.results.reduce((sum, { cost_usd }) => sum + (cost_usd ?? Number.NaN), 0)
    expect(run.cost_usd.agent).toBeCloseTo(paid, 9)
    await service.stop()
    await model.close()
  })
})

type Repricing = Pick<Awaited<ReturnType<typeof repricingInProgress>>, 'read' | 'costs'>

/** A service that has re-priced a part of its traces. */
async function repricingInProgress() {
  const [dataDir, port] = [newDataDir(), await freePort()]
  const service = await runService({ dataDir, port })
  const first = await setUpService(service)
  const params = { projectId: first.project.id }
  for (let i = 0; i < traceCount; i++) {
    const started_at = new Date(Date.UTC(2026, 0, 1 + i)).toISOString()
    const spans = Array.from({ length: spansPerTrace }, (_, n) => ({
      ...{ span_id: `s${n}`, name: 'call', kind: 'llm', model: 'acme-large', started_at },
      ...{ tokens_in: 1000, tokens_out: 0 },
    }))
    await ingest(service, first.tracing_key, { trace_id: `t${i}`, spans })
  }
  const price = { model: 'acme-large', input_usd_per_mtok: 1000, output_usd_per_mtok: 0 }
  await callAs(service, first)(createProjectPrice, { params, body: price })
  const range = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' }
  const { id } = await callAs(service, first)(reprice, { params, body: range })
  const read = (from: RunningService): Promise<Job> =>
    callAs(from, first)(readJob, { params: { ...params, jobId: id } })
  const costs = async (from: RunningService) => {
    const traces = await callAs(from, first)(listTraces, { params, query: { limit: 100 } })
    return traces.map(({ cost_usd }) => cost_usd)
  }
  await vi.waitFor(async () => expect((await read(service)).progress.done).toBeGreaterThan(1))
  return { dataDir, port, service, read, costs }
}

async function ingest(service: RunningService, key: string, trace: object): Promise<void> {
  const response = await fetch(service.api + ingestTrace.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tracing-key': key },
    body: JSON.stringify(trace),
  })
  expect(response.status).toBe(202)
}

async function expectCompleted(service: RunningService, { read, costs }: Repricing): Promise<void> {
  await vi.waitFor(async () => expect((await read(service)).state).toBe('completed'), patience)
  expect((await read(service)).details).toMatchObject({
    traces_done: traceCount,
    spans_examined: traceCount * spansPerTrace,
  })
  expect(await costs(service)).toEqual(Array.from({ length: traceCount }, () => spansPerTrace))
  await service.stop()
}

function lease(dataDir: string) {
  const db = new DatabaseSync(join(dataDir, 'accounts.sqlite'), { readOnly: true })
  const row = db.prepare("SELECT state, worker, available_at FROM jobs WHERE kind = 'repricing'")
  const { state, worker, available_at } = row.get() ?? {}
  db.close()
  return { state, worker, available_at: String(available_at) }
}
