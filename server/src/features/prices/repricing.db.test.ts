import { ingestTrace } from '@assay/contract/ingest.ts'
import { listJobs, type RepricingJob, readJob } from '@assay/contract/jobs.ts'
import { createProjectPrice, listObservedModels } from '@assay/contract/prices.ts'
import { previewRepricing, reprice } from '@assay/contract/repricing.ts'
import { listTraces, readSpan } from '@assay/contract/traces.ts'
import { describe, expect, test } from 'vitest'
import { clockAt } from '../../../test/clock-at.ts'
import { doSteps } from '../../../test/job-rows.ts'
import { openTestClock, openTestRunner } from '../../../test/job-runners.ts'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'
import { newJobRow } from '../../jobs/job-row.ts'
import { projectPrices } from '../../models/project-prices.ts'
import { Unavailable } from '../../platform/failure.ts'
import type { JobRow } from '../../storage/accounts/service-tables.ts'
import {
  type RepricingJobPorts,
  repricingJob,
  repricingKind,
  toTimeRange,
} from './repricing-job.ts'
import { emptyRepricingProgress, startRepricingProgress } from './repricing-progress.ts'

const service = runningService()
const acme = tenantPerTest(service)
const owner = signedInPerTest(service, () => acme.members.Owner)

const inProject = () => ({ projectId: acme.projectId })
const range = { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' }
const day = (number: number) => new Date(Date.UTC(2026, 0, number)).toISOString()

async function ingest(traceId: string, spans: readonly object[]) {
  const call = { name: 'call', kind: 'llm', model: 'acme-7b', tokens_in: 1000, tokens_out: 100 }
  const body = {
    trace_id: traceId,
    spans: spans.map((span, i) => ({ span_id: `s${i}`, started_at: day(2), ...call, ...span })),
  }
  const as = acme.keyHeader
  expect((await service.call(ingestTrace, { body }, as)).status).toBe(202)
}

/** Four calls of an unknown model, one of them with a reported cost, and one of a listed model. */
async function fill() {
  await ingest('a', [{}, { cost_usd: 5 }, { model: 'gpt-4o' }])
  await ingest('b', [{ started_at: day(3) }])
  await ingest('beyond', [{ started_at: '2026-02-01T00:00:00Z' }])
}

const setPrice = () =>
  service.call(
    createProjectPrice,
    {
      params: inProject(),
      body: { model: 'acme-7b', input_usd_per_mtok: 1, output_usd_per_mtok: 10 },
    },
    owner,
  )

const start = (more: object = {}) =>
  service.call(reprice, { params: inProject(), body: { ...range, ...more } }, owner)

const preview = (more: object = {}) =>
  service.call(previewRepricing, { params: inProject(), body: { ...range, ...more } }, owner)

const read = (jobId: string) => service.call(readJob, { params: { ...inProject(), jobId } }, owner)

async function finished(jobId: string): Promise<RepricingJob> {
  for (;;) {
    const { data } = await read(jobId)
    if (data.kind !== 'repricing') throw new Error('not a re-pricing')
    if (data.state !== 'queued' && data.state !== 'running') return data
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

async function everything() {
  const traces = await service.call(listTraces, { params: inProject() }, owner)
  const spans = []
  for (const [traceId, spanId] of [
    ['a', 's0'],
    ['a', 's1'],
    ['a', 's2'],
    ['b', 's0'],
    ['beyond', 's0'],
  ]) {
    const params = { ...inProject(), traceId, spanId }
    spans.push((await service.call(readSpan, { params }, owner)).data)
  }
  return { traces: traces.data, spans }
}

const totals = {
  ...{ from: range.from, to: range.to, trace_count: 2, traces_done: 2 },
  ...{ spans_examined: 3, spans_changed: 2, newly_priced: 2, newly_unpriced: 0, is_complete: true },
  ...{ cost_before_usd: 0.0035, cost_after_usd: 0.0075 },
  models: [
    {
      ...{ model: 'acme-7b', provider: null, spans_examined: 2, spans_changed: 2 },
      ...{ unpriced_after: 0, cost_before_usd: 0, cost_after_usd: 0.004 },
    },
    {
      ...{ model: 'gpt-4o', provider: null, spans_examined: 1, spans_changed: 0 },
      ...{ unpriced_after: 0, cost_before_usd: 0.0035, cost_after_usd: 0.0035 },
    },
  ],
}

describe('POST …/prices/reprice/preview', () => {
  test('T8: returns the changes by model, and changes nothing', async () => {
    await fill()
    await setPrice()
    const before = await everything()
    const { status, data } = await preview()
    expect([status, data]).toEqual([200, totals])
    expect(await everything()).toEqual(before)
    const jobs = await service.call(listJobs, { params: inProject() }, owner)
    expect(jobs.data).toEqual([])
  })

  test('counts the same unpriced calls as the list of models: only those with tokens', async () => {
    await ingest('a', [{}, { tokens_in: undefined, tokens_out: undefined }])
    const { data } = await preview()
    expect(data.models).toMatchObject([{ model: 'acme-7b', unpriced_after: 1 }])
    const listed = { params: inProject(), query: { from: range.from, to: range.to } }
    const models = await service.call(listObservedModels, listed, owner)
    expect(models.data).toMatchObject([{ model: 'acme-7b', unpriced_call_count: 1 }])
  })
})

describe('POST …/prices/reprice', () => {
  test('T8: applies current prices to the spans of the range, and updates the totals of their traces', async () => {
    await fill()
    const { data: price } = await setPrice()
    const before = await everything()
    const started = await start()
    expect(started.status).toBe(202)
    const job = await finished(started.data.id)
    expect(job).toMatchObject({ id: started.data.id, state: 'completed', problem: null })
    expect(job.details).toEqual(totals)

    const after = await everything()
    const priced = { cost_usd: 0.002, cost_source: 'priced', unpriced_reason: null }
    const by = { price_source: `project:${price.id}`, price_date: price.created_at.slice(0, 10) }
    const now = { ...priced, ...by, computed_cost_usd: 0.002 }
    const [first, reported, listed, second, beyond] = before.spans
    expect(after.spans).toEqual([
      { ...first, ...now },
      reported,
      listed,
      { ...second, ...now },
      beyond,
    ])
    expect(after.traces.map(({ trace_id, cost_usd }) => [trace_id, cost_usd])).toEqual([
      ['beyond', null],
      ['b', 0.002],
      ['a', 5.0055],
    ])
  })

  test('a second run changes nothing', async () => {
    await fill()
    await setPrice()
    await finished((await start()).data.id)
    const once = await everything()
    const { details: again } = await finished((await start()).data.id)
    expect(again).toMatchObject({ spans_examined: 3, spans_changed: 0, newly_priced: 0 })
    expect(again.cost_before_usd).toBe(again.cost_after_usd)
    expect(await everything()).toEqual(once)
  })

  test('removes prices that no longer apply', async () => {
    const { data: price } = await setPrice()
    await fill()
    await service.accounts.prices.remove({ ...acme, projectId: acme.projectId }, price.id)
    const job = await run()
    expect(job).toMatchObject({ state: 'completed' })
    const { spans } = await everything()
    expect(spans[0]).toMatchObject({ cost_usd: null, unpriced_reason: 'unknown_model' })
  })

  test('is refused while a re-pricing of the project is active', async () => {
    const row = waitingJob()
    await service.accounts.jobs.insert(row)
    expect(await start()).toMatchObject({ status: 409, error: { code: 'CONFLICT' } })
    const { data } = await service.call(listJobs, { params: inProject() }, owner)
    expect(data).toMatchObject([{ id: row.id, state: 'queued' }])
    expect((await preview()).status).toBe(200)
  })

  test.each([
    {},
    { from: range.from },
    { from: range.to, to: range.from },
    { from: range.from, to: range.from },
  ])('refuses %j', async (body) => {
    const response = await service.call(reprice, { params: inProject(), body }, owner)
    expect(response).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } })
  })
})

/** A job that is not due before 2040. */
function waitingJob(rest: Partial<JobRow> = {}): JobRow {
  const { from, to } = range
  const job = {
    projectId: acme.projectId,
    uniqueKey: `repricing ${acme.projectId}`,
    input: { from, to },
    progress: emptyRepricingProgress(2),
  }
  return {
    ...newJobRow(repricingKind, job, day(1)),
    available_at: '2040-01-01T00:00:00.000Z',
    ...rest,
  }
}

/** Runs a job with a runner of the test, in 2040; other ports default to those of the service. */
async function run(
  ports: Partial<RepricingJobPorts> = {},
  row = waitingJob(),
): Promise<RepricingJob> {
  const { accounts, telemetry } = service
  const prices = projectPrices(
    accounts,
    clockAt(() => Date.parse('2040-01-02T00:00:00Z')),
  )
  const clock = openTestClock()
  clock.advance(15 * 365 * 86_400_000)
  await accounts.jobs.insert(row)
  const runner = openTestRunner(accounts, clock, repricingJob({ telemetry, prices, ...ports }))
  const job = await finished(row.id)
  await runner.stop()
  return job
}

test('an interrupted re-pricing continues from its position with its counts', async () => {
  await fill()
  await setPrice()
  const before = await everything()
  // The first trace is done.
  const first = await service.telemetry.listPriceable(acme.projectId, {
    range: { from: BigInt(Date.parse(range.from)) * 1_000_000n, to: 2n ** 62n },
    limit: 2,
  })
  const progress = { ...emptyRepricingProgress(2), done: 1, examined: 2, changed: 1 }
  const job = await run(
    {},
    waitingJob({
      position: JSON.stringify({ after: first.next, isCounted: false }),
      progress: JSON.stringify(progress),
    }),
  )
  expect(job).toMatchObject({
    state: 'completed',
    details: { traces_done: 2, spans_examined: 3, spans_changed: 2 },
  })
  const { spans } = await everything()
  expect(spans[0]).toEqual(before.spans[0])
  expect(spans[3]).toMatchObject({ cost_usd: 0.002 })
})

test('a step that is interrupted in the middle of its changes is repeated until all spans have their price, and counts them once', async () => {
  await fill()
  await setPrice()
  const { accounts, telemetry } = service
  let calls = 0
  const interrupted = {
    ...telemetry,
    async reprice(...[projectId, prices]: Parameters<typeof telemetry.reprice>) {
      calls += 1
      if (calls > 1) return await telemetry.reprice(projectId, prices)
      await telemetry.reprice(projectId, prices.slice(0, 1))
      throw new Unavailable('The store does not respond.', 1)
    },
  }
  const clock = clockAt(() => Date.parse('2040-01-02T00:00:00Z'))
  const prices = projectPrices(accounts, clock)
  const job = repricingJob({ telemetry: interrupted, prices })
  const failures: unknown[] = []
  const retried = {
    ...job,
    step: (...args: Parameters<typeof job.step>) =>
      job.step(...args).catch((error: unknown) => {
        failures.push(error)
        return job.step(...args)
      }),
  }
  const { progress } = await doSteps(retried, waitingJob())
  expect([calls, failures]).toEqual([2, [expect.any(Unavailable)]])
  expect(JSON.parse(progress)).toMatchObject({ done: 2, examined: 3, changed: 2, newlyPriced: 2 })
  const { traces, spans } = await everything()
  expect([spans[0], spans[3]]).toMatchObject([{ cost_usd: 0.002 }, { cost_usd: 0.002 }])
  const costs = traces.map(({ trace_id, cost_usd }) => [trace_id, cost_usd])
  expect(costs).toEqual(expect.arrayContaining([['b', 0.002]]))
})

test('the number of traces is unknown above the limit of counted traces', async () => {
  await fill()
  const { telemetry } = service
  const limited = (scanLimit: number): Pick<typeof telemetry, 'countTraces'> => ({
    countTraces: (projectId, query) => telemetry.countTraces(projectId, { ...query, scanLimit }),
  })
  const counted = toTimeRange(range)
  const totalWith = async (scanLimit: number) =>
    (await startRepricingProgress(acme.projectId, counted, limited(scanLimit))).total
  expect([await totalWith(1), await totalWith(2)]).toEqual([null, 2])
})

test('a span that is replaced during the re-pricing keeps its new price', async () => {
  await fill()
  await setPrice()
  const { telemetry } = service
  const late = {
    ...telemetry,
    async reprice(...args: Parameters<typeof telemetry.reprice>) {
      await ingest('b', [{ started_at: day(3), tokens_in: 7000 }])
      return await telemetry.reprice(...args)
    },
  }
  const { details } = await run({ telemetry: late })
  expect(details).toMatchObject({ spans_examined: 2, spans_changed: 1, newly_priced: 1 })
  expect([details.cost_before_usd, details.cost_after_usd]).toEqual([0.0035, 0.0055])
  const { spans } = await everything()
  expect(spans[3]).toMatchObject({ tokens_in: 7000, cost_usd: 0.008 })
})

test('a re-pricing that fails reports why', async () => {
  const failing = {
    ...service.telemetry,
    listPriceable: () => Promise.reject(new Error('a defect')),
  }
  const job = await run({ telemetry: failing })
  expect(job).toMatchObject({ state: 'failed', details: { is_complete: false } })
  expect(job.problem).toContain('server log')
})
