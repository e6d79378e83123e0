import { ingestTrace } from '@assay/contract/ingest.ts'
import { createProjectPrice } from '@assay/contract/prices.ts'
import {
  cancelRepricing,
  listRepricings,
  type Repricing,
  readRepricing,
  reprice,
} from '@assay/contract/repricing.ts'
import { listTraces, readSpan } from '@assay/contract/traces.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { silent } from '../../../test/accounts-database.ts'
import type { Tenant } from '../../../test/people.ts'
import { type Credentials, type Service, startService } from '../../../test/started-app.ts'
import { projectPrices } from '../../models/project-prices.ts'
import type { Clock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import type { RepricingRow } from '../../storage/accounts/tables.ts'
import { openRepricer, type RepricerPorts } from './repricer.ts'
import { emptyRepricingStats } from './repricing-stats.ts'

let service: Service
let acme: Tenant
let owner: Credentials

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  acme = await service.addTenant()
  owner = await service.signedIn(acme.members.Owner)
})

const inProject = () => ({ projectId: acme.projectId })
const range = { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' }
const day = (number: number) => new Date(Date.UTC(2026, 0, number)).toISOString()

async function ingest(traceId: string, spans: readonly object[]) {
  const call = { name: 'call', kind: 'llm', model: 'acme-7b', tokens_in: 1000, tokens_out: 100 }
  const body = {
    trace_id: traceId,
    spans: spans.map((span, i) => ({ span_id: `s${i}`, started_at: day(2), ...call, ...span })),
  }
  const as = { 'x-tracing-key': acme.tracingKey }
  expect((await service.call(ingestTrace, { body }, as)).status).toBe(202)
}

/** Four calls whose model nobody knows, of which one has told its cost, and one that the list knows. */
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

const read = (jobId: string | null) =>
  service.call(readRepricing, { params: { ...inProject(), jobId: jobId ?? '' } }, owner)

async function ended(jobId: string | null): Promise<Repricing> {
  for (;;) {
    const { data } = await read(jobId)
    if (data.state !== 'running') return data
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

const figures = {
  ...{ from: range.from, to: range.to, trace_count: 2, traces_done: 2, problem: null },
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

describe('POST …/prices/reprice', () => {
  test('with preview tells what would change, by model, and changes nothing', async () => {
    await fill()
    await setPrice()
    const before = await everything()
    const { status, data } = await start({ preview: true })
    expect([status, data]).toMatchObject([200, { ...figures, id: null, state: 'preview' }])
    expect(await everything()).toEqual(before)
    const jobs = await service.call(listRepricings, { params: inProject() }, owner)
    expect(jobs.data).toEqual([])
  })

  test('gives the spans of the time the prices that hold now, and their traces their sums', async () => {
    await fill()
    const { data: price } = await setPrice()
    const before = await everything()
    const started = await start()
    expect(started.data).toMatchObject({ state: 'running', trace_count: 2, finished_at: null })
    const job = await ended(started.data.id)
    expect(job).toMatchObject({ ...figures, id: started.data.id, state: 'completed' })

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

  test('done again changes nothing more', async () => {
    await fill()
    await setPrice()
    await ended((await start()).data.id)
    const once = await everything()
    const again = await ended((await start()).data.id)
    expect(again).toMatchObject({ spans_examined: 3, spans_changed: 0, newly_priced: 0 })
    expect(again.cost_before_usd).toBe(again.cost_after_usd)
    expect(await everything()).toEqual(once)
  })

  test('takes back prices that hold no more', async () => {
    const { data: price } = await setPrice()
    await fill()
    await service.accounts.prices.remove({ ...acme, projectId: acme.projectId }, price.id)
    const job = await run()
    expect(job).toMatchObject({ state: 'completed' })
    const { spans } = await everything()
    expect(spans[0]).toMatchObject({ cost_usd: null, unpriced_reason: 'unknown_model' })
  })

  test('is refused while it is under way', async () => {
    await service.accounts.repricings.insert(jobRow())
    expect(await start()).toMatchObject({ status: 409, error: { code: 'CONFLICT' } })
    expect((await start({ preview: true })).status).toBe(200)
  })

  test.each([
    {},
    { from: range.from },
    { from: range.to, to: range.from },
    { from: range.from, to: range.from },
    { ...range, preview: 'yes' },
  ])('refuses %j', async (body) => {
    const response = await service.call(reprice, { params: inProject(), body }, owner)
    expect(response).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } })
  })
})

describe('a pricing anew', () => {
  test('is listed, newest first, in its own project only', async () => {
    const first = await ended((await start()).data.id)
    const second = await ended((await start({ to: day(20) })).data.id)
    const { data } = await service.call(listRepricings, { params: inProject() }, owner)
    expect(data).toEqual([second, first])
    const other = await service.addTenant()
    const params = { projectId: other.projectId }
    const theirs = await service.signedIn(other.members.Owner)
    expect((await service.call(listRepricings, { params }, theirs)).data).toEqual([])
    for (const declared of [readRepricing, cancelRepricing]) {
      const jobArgs = { params: { ...params, jobId: first.id } }
      expect(await service.call(declared, jobArgs, theirs)).toMatchObject({
        status: 404,
        error: { code: 'NOT_FOUND' },
      })
    }
  })

  test('is stopped by DELETE once, and what is done stays', async () => {
    const row = jobRow()
    await service.accounts.repricings.insert(row)
    const params = { ...inProject(), jobId: row.id }
    const stopped = await service.call(cancelRepricing, { params }, owner)
    expect(stopped).toMatchObject({ status: 200, data: { id: row.id, state: 'cancelled' } })
    expect((await read(row.id)).data).toEqual(stopped.data)
    expect(await service.call(cancelRepricing, { params }, owner)).toMatchObject({
      status: 409,
      error: { code: 'CONFLICT' },
    })
    expect((await start()).status).toBe(200)
  })
})

function jobRow(rest: Partial<RepricingRow> = {}): RepricingRow {
  return {
    id: newId(),
    project_id: acme.projectId,
    state: 'running',
    range_from: range.from,
    range_to: range.to,
    position: null,
    trace_count: 2,
    figures: JSON.stringify(emptyRepricingStats()),
    problem: null,
    worker: '',
    held_until: '2040-01-01T00:00:00.000Z',
    created_by: null,
    created_at: day(1),
    finished_at: null,
    ...rest,
  }
}

/** A time at which the service's own repricer is not yet allowed to touch what a test's own takes up. */
const later: Clock = { now: () => new Date('2040-01-02T00:00:00Z') }

/** Works a job off with a repricer of the test's own; what is not given is the service's. */
async function run(ports: Partial<RepricerPorts> = {}, row = jobRow()): Promise<Repricing> {
  const { accounts, telemetry } = service
  const clock = later
  const prices = projectPrices(accounts, clock)
  await accounts.repricings.insert(row)
  const repricer = openRepricer({ accounts, telemetry, prices, clock, log: silent, ...ports })
  repricer.wake()
  const job = await ended(row.id)
  await repricer.stop()
  return job
}

describe('a service that was killed while it priced anew', () => {
  test('goes on where it was, and counts on', async () => {
    await fill()
    await setPrice()
    const before = await everything()
    // Done with the first trace, by the word of the one that is dead.
    const { range_from: from } = jobRow()
    const first = await service.telemetry.listPriceable(acme.projectId, {
      range: { from: BigInt(Date.parse(from)) * 1_000_000n, to: 2n ** 62n },
      limit: 2,
    })
    const statsSoFar = { ...emptyRepricingStats(), tracesDone: 1, examined: 2, changed: 1 }
    const job = await run(
      {},
      jobRow({
        worker: 'dead',
        position: first.next!,
        figures: JSON.stringify(statsSoFar),
      }),
    )
    expect(job).toMatchObject({
      state: 'completed',
      traces_done: 2,
      spans_examined: 3,
      spans_changed: 2,
    })
    const { spans } = await everything()
    expect(spans[0]).toEqual(before.spans[0])
    expect(spans[3]).toMatchObject({ cost_usd: 0.002 })
  })

  test('leaves it alone as long as another one is at it', async () => {
    await fill()
    await setPrice()
    const row = jobRow({ worker: 'alive' })
    let now = new Date('2039-12-31T23:59:59.999Z')
    const clock = { now: () => now }
    const { accounts, telemetry } = service
    await accounts.repricings.insert(row)
    const prices = projectPrices(accounts, clock)
    const looked: string[] = []
    const watched = {
      ...accounts.repricings,
      async acquireLease(...args: Parameters<typeof accounts.repricings.acquireLease>) {
        const taken = await accounts.repricings.acquireLease(...args)
        looked.push(taken?.id ?? 'nothing')
        return taken
      },
    }
    const repricer = openRepricer({
      ...{ accounts: { repricings: watched }, telemetry, prices, clock, log: silent },
    })
    repricer.wake()
    while (looked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    expect((await accounts.repricings.find(acme.projectId, row.id))?.worker).toBe('alive')
    now = new Date('2040-01-01T00:00:00.000Z')
    repricer.wake()
    expect(await ended(row.id)).toMatchObject({ state: 'completed', spans_changed: 2 })
    await repricer.stop()
    expect(looked).toContain(row.id)
  })
})

describe('meanwhile', () => {
  test('a job that is stopped does no further step', async () => {
    const many = Array.from({ length: 500 }, (_, i) => ({ span_id: `x${i}` }))
    await ingest('first', many)
    await ingest('second', [{ started_at: day(4) }])
    await setPrice()
    const { accounts, telemetry } = service
    const row = jobRow()
    const stopping = {
      ...telemetry,
      async reprice(...args: Parameters<typeof telemetry.reprice>) {
        const count = await telemetry.reprice(...args)
        await accounts.repricings.cancel(acme.projectId, row.id, day(5))
        return count
      },
    }
    expect(await run({ telemetry: stopping }, row)).toMatchObject({ state: 'cancelled' })
    const spanOf = async (traceId: string, spanId: string) =>
      (await telemetry.findSpan(acme.projectId, traceId, spanId))?.costUsd
    expect(await spanOf('first', 'x499')).toBe(0.002)
    expect(await spanOf('second', 's0')).toBeNull()
  })

  test('a span that is recorded anew keeps the price it came with', async () => {
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
    expect(await run({ telemetry: late })).toMatchObject({ spans_changed: 1 })
    const { spans } = await everything()
    expect(spans[3]).toMatchObject({ tokens_in: 7000, cost_usd: 0.008 })
  })

  test('what fails for good ends it, and says so', async () => {
    const failing = {
      ...service.telemetry,
      listPriceable: () => Promise.reject(new Error('a defect')),
    }
    const job = await run({ telemetry: failing })
    expect(job).toMatchObject({ state: 'failed', is_complete: false })
    expect(job.problem).toContain('log of the service')
  })
})
