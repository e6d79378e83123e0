import { ingestTrace } from '@assay/contract/ingest.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silent } from '../../../../test/accounts-database.ts'
import { evaluationSuite } from '../../../../test/evaluation-suite.ts'
import { eventually } from '../../../../test/eventually.ts'
import { openTestRunner } from '../../../../test/job-runners.ts'
import { openLoopbackOutbound } from '../../../../test/scripted-model-suite.ts'
import { masterSecret } from '../../../../test/started-app.ts'
import { openMasterKey } from '../../../accounts/master-key.ts'
import { newJobRow } from '../../../jobs/job-row.ts'
import { openModels } from '../../../model-gateway/models.ts'
import { systemClock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { type EvaluationRunner, openEvaluationRunner } from '../evaluation-runner.ts'
import { bulkEvaluationJob } from './bulk-evaluation-job.ts'
import {
  type BulkEvaluationProgress,
  bulkEvaluationKind,
  emptyBulkEvaluationProgress,
} from './bulk-evaluation-progress.ts'

const suite = evaluationSuite()
const { service, tenant, model, sent, verdict, addCollection, addJudge, addModel, runsOf } = suite

let evaluationRunner: EvaluationRunner
beforeAll(() => {
  evaluationRunner = openEvaluationRunner({ log: silent })
})
afterAll(() => evaluationRunner.close())

/** The service does not run what is due this late. */
const late = '2099-01-01T00:00:00.000Z'
const clock = { advance: () => undefined, now: async () => late }

/** A process that runs evaluations, which can stop. */
async function openProcess() {
  const { accounts, telemetry } = service
  const recorded: unknown[] = []
  const box = await openMasterKey([masterSecret], accounts)
  const outbound = openLoopbackOutbound()
  const job = bulkEvaluationJob({
    ...{ accounts, telemetry, clock: systemClock, log: silent, evaluationRunner },
    models: openModels({ accounts, box, clock: systemClock, outbound, platformModel: undefined }),
    serviceTraces: { record: async (call) => recorded.push(call) > 0 },
    judgeBudgetUsd: 1,
  })
  const runner = openTestRunner(accounts, clock, job)
  return { stop: () => runner.stop(), answered: () => recorded.length }
}

async function start(traces: number): Promise<string> {
  for (let n = 1; n <= traces; n += 1) {
    const started_at = new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString()
    const output = { text: 'In Oslo.' }
    const spans = [{ span_id: 'a', name: 'run', kind: 'agent', started_at, output }]
    const body = { trace_id: `t${n}`, spans }
    expect((await service.call(ingestTrace, { body }, tenant.keyHeader)).status).toBe(202)
  }
  const { organizationId, projectId } = tenant
  const collectionId = await addCollection([await addJudge()])
  const input = {
    ...{ runId: newId(), collectionId, modelConfigId: await addModel(), filters: {} },
    ...{ maxTraces: 100, maxCostUsd: 1 },
  }
  const progress = emptyBulkEvaluationProgress(traces)
  const row = newJobRow(bulkEvaluationKind, { organizationId, projectId, input, progress }, late)
  await service.accounts.jobs.insert(row)
  return row.id
}

async function read(jobId: string) {
  const row = (await service.accounts.jobs.find(tenant.projectId, jobId))!
  return { ...row, progress: JSON.parse(row.progress) as BulkEvaluationProgress }
}

test('an evaluation of many traces that stops with the service pays for each answer once', async () => {
  const jobId = await start(3)
  model.play({ answer: verdict }, { answer: verdict })
  model.always('stall')
  const first = await openProcess()
  await eventually(() => expect([first.answered(), sent().length]).toEqual([2, 3]))
  await first.stop()
  const stopped = await read(jobId)
  expect(stopped).toMatchObject({ worker: null, progress: { done: 0 } })
  expect(stopped.progress.costUsd).toBeCloseTo(0.0022, 7)

  model.always({ answer: verdict })
  const second = await openProcess()
  await eventually(async () => expect((await read(jobId)).state).toBe('completed'))
  await second.stop()
  const { progress } = await read(jobId)
  expect(progress).toMatchObject({ done: 3, skipped: 0, passed: 3 })
  expect(progress.costUsd).toBeCloseTo(0.0033, 7)
  expect(sent()).toHaveLength(4)
  const runs = await Promise.all(['t1', 't2', 't3'].map(runsOf))
  expect(runs.map(({ length }) => length)).toEqual([1, 1, 1])
})
