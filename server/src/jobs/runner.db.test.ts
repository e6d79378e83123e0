import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { engines } from '../../test/accounts-database.ts'
import { eventually } from '../../test/eventually.ts'
import { countJob, openGate, parseProgress } from '../../test/job-runners.ts'
import { jobSuite } from '../../test/job-suite.ts'
import { addTenant } from '../../test/people.ts'
import type { JobRow } from '../storage/accounts/service-tables.ts'
import type { JobRunner } from './runner.ts'

const leaseMs = 15_000

describe.each(engines)('the job runner on %s', (engine) => {
  const suite = jobSuite(engine)
  const { openRunner, insert, read, inState } = suite

  /** Resolves when the runner has looked for due jobs and started none. Last come the kinds that wait for others: none. */
  const idle = async (runner: JobRunner) => {
    const listDue = vi.spyOn(suite.accounts.jobs, 'listDue')
    runner.wake()
    const last = expect.objectContaining({ kinds: [] })
    await eventually(() => expect(listDue).toHaveBeenCalledWith(last))
    await Promise.all(listDue.mock.results.map(({ value }) => value))
    listDue.mockRestore()
  }

  const otherTenant = async () => {
    const { projectId, organizationId } = await addTenant(suite.accounts)
    return { project_id: projectId, organization_id: organizationId }
  }

  test('does one step after the other, and stores its progress', async () => {
    const row = await insert({ steps: 4 })
    const runner = openRunner(countJob())
    const done = await inState(row, 'completed')
    expect(parseProgress(done)).toEqual({ done: 4, total: 4, steps: [0, 1, 2, 3] })
    expect(done).toMatchObject({ problem: null, position: null, worker: null })
    expect(done.finished_at).toBe(await suite.clock.now())
    await runner.stop()
  })

  test('of two runners on one database only one runs a job at a time', async () => {
    const running = new Map<string, number>()
    const overlaps: string[] = []
    const job = countJob({
      async during(_step, { projectId }) {
        const key = projectId ?? ''
        running.set(key, (running.get(key) ?? 0) + 1)
        if ((running.get(key) ?? 0) > 1) overlaps.push(key)
        await new Promise((resolve) => setImmediate(resolve))
        running.set(key, (running.get(key) ?? 0) - 1)
      },
    })
    const rows = []
    for (let i = 0; i < 8; i++) {
      rows.push(await insert({ steps: 5 }, await otherTenant()))
    }
    const options = { concurrency: 3, sliceMs: 0 }
    const runners = [openRunner(job, options), openRunner(job, options)]
    for (const row of rows) {
      expect(parseProgress(await inState(row, 'completed')).steps).toEqual([0, 1, 2, 3, 4])
    }
    expect(overlaps).toEqual([])
    await Promise.all(runners.map((runner) => runner.stop()))
  })

  test('another process takes over when the lease has expired; the late step stores nothing', async () => {
    const gate = openGate()
    const started = openGate()
    const row = await insert()
    const dead = openRunner(
      countJob({
        during(step) {
          if (step !== 1) return undefined
          started.open()
          return gate.passed
        },
      }),
    )
    await started.passed
    suite.clock.advance(leaseMs - 1)
    const other = openRunner(countJob())
    await idle(other)
    expect(parseProgress(await read(row)).steps).toEqual([0])

    suite.clock.advance(1)
    other.wake()
    const done = await inState(row, 'completed')
    expect(parseProgress(done).steps).toEqual([0, 1, 2])
    gate.open()
    await dead.stop()
    expect(await read(row)).toEqual(done)
    await other.stop()
  })

  test('no step is skipped or stored twice, however often processes are killed', async () => {
    const kills = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(kills, async (killedAt) => {
        const row = await insert({ steps: 6 })
        const gates = []
        for (const killed of killedAt) {
          const [gate, hung] = [openGate(), openGate()]
          const during = (step: number) => {
            if (step !== killed) return undefined
            hung.open()
            return gate.passed
          }
          const runner = openRunner(countJob({ during }))
          gates.push({ gate, runner })
          await Promise.race([hung.passed, inState(row, 'completed').catch(() => undefined)])
          suite.clock.advance(leaseMs)
        }
        const last = openRunner(countJob())
        const done = await inState(row, 'completed')
        for (const { gate, runner } of gates) {
          gate.open()
          await runner.stop()
        }
        await last.stop()
        expect(parseProgress(await read(row)).steps).toEqual([0, 1, 2, 3, 4, 5])
        expect(await read(row)).toEqual(done)
      }),
      { numRuns: 12 },
    )
  })

  test('a long job does not delay others: kinds and organizations take turns', async () => {
    const other = await otherTenant()
    const order: string[] = []
    const rows = [
      await insert({ steps: 12 }),
      await insert({ steps: 2 }),
      await insert({ steps: 3 }, { ...other, available_at: '2026-01-01T00:00:01.000Z' }),
    ]
    const job = countJob({
      during(_step, { input, projectId }) {
        order.push(`${projectId === other.project_id ? 'other' : 'own'} ${input.steps}`)
        suite.clock.advance(1)
      },
    })
    const runner = openRunner(job, { concurrency: 1, sliceMs: 0 })
    for (const row of rows) await inState(row, 'completed')
    expect(order.slice(0, 7)).toEqual([
      ...['own 12', 'other 3', 'own 2', 'other 3', 'own 12', 'other 3', 'own 2'],
    ])
    await runner.stop()
  })

  test.each([1, 2, 3])(
    'many queued jobs of a project do not keep the jobs of others from progressing, with %i at once',
    async (concurrency) => {
      const jobsOfBusy = 30
      const stepsOfEach = 10
      const order: string[] = []
      const isBusyRunning = openGate()
      const othersInserted = openGate()
      const job = countJob({
        async during(_step, { projectId }) {
          order.push(projectId ?? '')
          isBusyRunning.open()
          await othersInserted.passed
        },
      })
      for (let i = 0; i < jobsOfBusy; i++) await insert({ steps: stepsOfEach })
      const runner = openRunner(job, { concurrency, sliceMs: 0 })
      await isBusyRunning.passed
      const [second, third] = [await otherTenant(), await otherTenant()]
      const others = [
        await insert({ steps: 5 }, second),
        await insert({ steps: 5 }, second),
        await insert({ steps: 5 }, third),
      ]
      othersInserted.open()
      for (const row of others) await inState(row, 'completed')
      await runner.stop()
      await suite.query(`delete from jobs where project_id = '${suite.projectId}'`)
      const lastOfOthers = order.findLastIndex((project) => project !== suite.projectId)
      const before = order.slice(0, lastOfOthers)
      const stepsOfBusy = before.filter((project) => project === suite.projectId).length
      // Without turns, all of its steps would come first.
      expect(stepsOfBusy).toBeLessThan((jobsOfBusy * stepsOfEach) / 3)
    },
  )

  test.each([
    ['runs no more jobs at once than the limit', [0, 0, 0, 1, 1], 4],
    ['runs half as many of one organization', [0, 1, 1, 1, 1], 3],
  ])('%s', async (_name, own, running) => {
    const gate = openGate()
    const rows: JobRow[] = []
    for (const isOwn of own) rows.push(await insert({}, isOwn ? {} : await otherTenant()))
    const runner = openRunner(countJob({ during: () => gate.passed }), { concurrency: 4 })
    await idle(runner)
    const states = await Promise.all(rows.map(async (row) => (await read(row)).state))
    expect(states.filter((state) => state === 'running')).toHaveLength(running)
    gate.open()
    for (const row of rows) await inState(row, 'completed')
    await runner.stop()
  })

  test.each([
    ['models', undefined],
    ['webhooks', 'models'],
    ['mail', 'webhooks'],
  ] as const)(
    'jobs that wait for %s do not keep jobs that wait for %s waiting',
    async (waitsFor, others) => {
      const gate = openGate()
      const slow = countJob({ kind: 'slow', during: () => gate.passed, waitsFor })
      const waiting = [await insert({}, { kind: 'slow' }), await insert({}, { kind: 'slow' })]
      const quick = countJob(others === undefined ? {} : { waitsFor: others })
      const runner = openRunner(slow, { jobs: [slow, quick], concurrency: 1 })
      await inState(waiting[0]!, 'running')
      const other = await insert()
      runner.wake()
      await inState(other, 'completed')
      expect((await read(waiting[0]!)).state).toBe('running')
      gate.open()
      for (const row of waiting) await inState(row, 'completed')
      await runner.stop()
    },
  )

  test('webhooks of four organizations that do not respond do not keep those of another waiting', async () => {
    const gate = openGate()
    const isOwn = new Set<string>()
    const job = countJob({
      waitsFor: 'webhooks',
      during: (_step, { projectId }) => (isOwn.has(projectId ?? '') ? undefined : gate.passed),
    })
    const waiting: JobRow[] = []
    for (let n = 0; n < 4; n += 1) {
      const tenant = await otherTenant()
      for (let m = 0; m < 8; m += 1) waiting.push(await insert({}, tenant))
    }
    const runner = openRunner(job)
    for (const row of waiting) await inState(row, 'running')
    const own = await insert()
    isOwn.add(own.project_id ?? '')
    runner.wake()
    await inState(own, 'completed')
    expect((await read(waiting[0]!)).state).toBe('running')
    gate.open()
    for (const row of waiting) await inState(row, 'completed')
    await runner.stop()
  })

  test('a stop waits for the step in progress, starts nothing, and the next start continues', async () => {
    const gate = openGate()
    const started = openGate()
    const steps: number[] = []
    const during = (step: number) => {
      steps.push(step)
      started.open()
      return gate.passed
    }
    const row = await insert()
    const runner = openRunner(countJob({ during }))
    await started.passed
    const stopped = runner.stop()
    const waiting = await insert()
    runner.wake()
    gate.open()
    await stopped
    expect(steps).toEqual([0])
    expect(await read(row)).toMatchObject({ state: 'running', worker: null, attempts: 0 })
    expect(await read(waiting)).toMatchObject({ worker: null, position: null })
    const next = openRunner(countJob())
    expect(parseProgress(await inState(row, 'completed')).steps).toEqual([0, 1, 2])
    await inState(waiting, 'completed')
    await next.stop()
  })

  test('a stop aborts the step in progress and releases its lease, so that another process continues at once', async () => {
    const started = openGate()
    const during = (step: number, { signal }: { readonly signal: AbortSignal }) => {
      if (step === 0) return undefined
      started.open()
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')))
      })
    }
    const row = await insert()
    const runner = openRunner(countJob({ during, retry: { maxAttempts: 1 } }))
    await started.passed
    await runner.stop()
    expect(await read(row)).toMatchObject({
      ...{ state: 'running', worker: null, problem: null },
      ...{ position: '1', attempts: 0, available_at: await suite.clock.now() },
    })
    const next = openRunner(countJob({ retry: { maxAttempts: 1 } }))
    expect(parseProgress(await inState(row, 'completed')).steps).toEqual([0, 1, 2])
    await next.stop()
  })

  test('a stop does not wait for a step that ignores its signal, and that step stores nothing', async () => {
    const gate = openGate()
    const started = openGate()
    const during = () => {
      started.open()
      return gate.passed
    }
    const row = await insert()
    const runner = openRunner(countJob({ during }), { stopWithinMs: 1 })
    await started.passed
    await runner.stop()
    const released = await read(row)
    expect(released).toMatchObject({ state: 'running', worker: null, position: null })
    expect(released.available_at).toBe(await suite.clock.now())
    gate.open()
    await runner.stop()
    expect(await read(row)).toEqual(released)
  })

  test('a job pauses between steps for the rest of its share of time', async () => {
    const during = () => new Promise((resolve) => setImmediate(resolve))
    const row = await insert()
    // A pause of at least minutes, which only the stop ends.
    const runner = openRunner(countJob({ share: 1e-7, during }))
    await eventually(async () => expect(parseProgress(await read(row)).done).toBe(1))
    await runner.stop()
    expect(parseProgress(await read(row)).done).toBe(1)
  })

  test('a job does not pause for the time that its steps waited for the network', async () => {
    const row = await insert()
    const job = countJob({
      share: 1e-7,
      step: ({ progress }, position) =>
        Promise.resolve(
          position === undefined
            ? { position: 1, progress, waitedMs: Number.MAX_SAFE_INTEGER }
            : { isDone: true, progress },
        ),
    })
    const runner = openRunner(job)
    expect((await inState(row, 'completed')).state).toBe('completed')
    await runner.stop()
  })

  test('a step may delay the next one', async () => {
    const row = await insert()
    const job = countJob({
      step: ({ progress }, position) =>
        Promise.resolve(
          position === undefined
            ? { position: 1, progress, resumeInMs: 60_000 }
            : { isDone: true, progress },
        ),
    })
    const runner = openRunner(job)
    await eventually(async () => expect((await read(row)).position).toBe('1'))
    suite.clock.advance(59_999)
    await idle(runner)
    expect(await read(row)).toMatchObject({ state: 'running', worker: null })
    suite.clock.advance(1)
    runner.wake()
    await inState(row, 'completed')
    await runner.stop()
  })

  test('keeps the newest 50 finished jobs of a queue', async () => {
    const finished = { state: 'completed', finished_at: await suite.clock.now() } as const
    const old = []
    for (let i = 0; i < 51; i++) old.push(await insert({}, finished))
    const row = await insert()
    const runner = openRunner(countJob())
    await inState(row, 'completed')
    await runner.stop()
    const kept = await suite.accounts.jobs.list(suite.projectId, { limit: 99 })
    expect(kept.map(({ id }) => id)).toEqual(
      [...old.slice(2), row].toReversed().map(({ id }) => id),
    )
  })
})
