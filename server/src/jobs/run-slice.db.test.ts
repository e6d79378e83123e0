import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { engines } from '../../test/accounts-database.ts'
import { eventually } from '../../test/eventually.ts'
import { type CountProgress, countJob, openGate, parseProgress } from '../../test/job-runners.ts'
import { jobSuite } from '../../test/job-suite.ts'
import { Failure, Unavailable } from '../platform/failure.ts'
import { newId } from '../platform/ids.ts'
import { openLog } from '../platform/log.ts'
import { StepError, type StepInput } from './define-job.ts'
import { newJobRow } from './job-row.ts'

/** A step that runs until it is aborted. */
const untilAborted = (_step: number, { signal }: { signal: AbortSignal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')))
  })

describe.each(engines)('jobs that do not complete on %s', (engine) => {
  const suite = jobSuite(engine)
  const { openRunner, insert, read, inState } = suite

  test('a canceled job aborts its step, and starts no other', async () => {
    const steps: number[] = []
    const lines: string[] = []
    const row = await insert()
    const job = countJob({
      during(step, { signal }) {
        steps.push(step)
        return step === 1 ? untilAborted(step, { signal }) : undefined
      },
    })
    const runner = openRunner(job, { log: openLog('error', (line) => lines.push(line)) })
    await eventually(() => expect(steps).toEqual([0, 1]))
    await suite.accounts.jobs.cancel(suite.projectId, row.id, await suite.clock.now())
    runner.abort(suite.projectId, row.id)
    await runner.stop()
    expect(steps).toEqual([0, 1])
    const canceled = await read(row)
    expect(canceled).toMatchObject({ state: 'cancelled', problem: null })
    expect(parseProgress(canceled).steps).toEqual([0])
    expect(lines).toEqual([])
  })

  test('a step that ignores its signal stores nothing after the cancellation, and is the last', async () => {
    const gate = openGate()
    const steps: number[] = []
    const row = await insert()
    const job = countJob({
      during(step) {
        steps.push(step)
        return gate.passed
      },
    })
    const runner = openRunner(job, { concurrency: 1 })
    await eventually(() => expect(steps).toEqual([0]))
    const canceled = await suite.accounts.jobs.cancel(
      suite.projectId,
      row.id,
      await suite.clock.now(),
    )
    const next = await insert({ steps: 1 })
    gate.open()
    await inState(next, 'completed')
    expect(steps).toEqual([0, 0])
    expect(await read(row)).toEqual(canceled)
    await runner.stop()
  })

  /** A job with one step, which opens `started` and then runs until `aborted` opens. */
  const waitingJob = () => {
    const [started, aborted] = [openGate(), openGate()]
    const during = (step: number, job: { signal: AbortSignal }) => {
      job.signal.addEventListener('abort', aborted.open)
      started.open()
      return untilAborted(step, job)
    }
    return { job: countJob({ during }), started: started.passed, aborted: aborted.passed }
  }

  test('a job that is canceled by another process aborts its step when the lease is renewed', async () => {
    const row = await insert()
    const { job, started, aborted } = waitingJob()
    const runner = openRunner(job, { leaseMs: 30 })
    await started
    await suite.accounts.jobs.cancel(suite.projectId, row.id, await suite.clock.now())
    await aborted
    await runner.stop()
    expect((await read(row)).state).toBe('cancelled')
  })

  test('a step is aborted before its lease expires while the lease cannot be renewed', async () => {
    const row = await insert()
    const { job, started, aborted } = waitingJob()
    const jobs = {
      ...suite.accounts.jobs,
      renew: () => Promise.reject(new Unavailable('The database is down.', 1)),
    }
    const runner = openRunner(job, { leaseMs: 30, accounts: { jobs, clock: suite.clock } })
    await started
    await aborted
    // Another process continues it, until somebody cancels it.
    expect((await read(row)).state).toBe('running')
    await suite.accounts.jobs.cancel(suite.projectId, row.id, await suite.clock.now())
    await runner.stop()
  })

  test('a lease is renewed while a step runs', async () => {
    const gate = openGate()
    const started = openGate()
    const row = await insert()
    const during = () => {
      started.open()
      return gate.passed
    }
    const runner = openRunner(countJob({ during }), { leaseMs: 30 })
    await started.passed
    const { available_at } = await read(row)
    suite.clock.advance(20)
    await eventually(async () => {
      expect((await read(row)).available_at > available_at).toBe(true)
    })
    gate.open()
    await inState(row, 'completed')
    await runner.stop()
  })

  test('a step is retried with growing delays while a store is unavailable', async () => {
    let failures = 3
    const row = await insert()
    const runner = openRunner(
      countJob({
        during(step) {
          if (step !== 1 || failures === 0) return
          failures -= 1
          throw new Unavailable('The disk is full.', 1)
        },
      }),
    )
    for (const seconds of [1, 2, 4]) {
      const dueAt = new Date(Date.parse(await suite.clock.now()) + seconds * 1000).toISOString()
      await eventually(async () => {
        expect(await read(row)).toMatchObject({ worker: null, available_at: dueAt })
      })
      expect(parseProgress(await read(row)).steps).toEqual([0])
      suite.clock.advance(seconds * 1000)
      runner.wake()
    }
    expect(parseProgress(await inState(row, 'completed')).steps).toEqual([0, 1, 2])
    await runner.stop()
  })

  test('a step that fails with progress stores it, and is repeated from its position', async () => {
    const row = await insert()
    const during = (step: number, { attempt, progress }: StepInput<unknown, CountProgress>) => {
      if (step !== 1 || attempt > 1) return
      const cause = new Unavailable('The disk is full.', 1)
      const failed: CountProgress = { ...progress, steps: [...progress.steps, 9] }
      throw new StepError(cause, failed)
    }
    const runner = openRunner(countJob({ during }))
    await eventually(async () => {
      expect(parseProgress(await read(row))).toMatchObject({ done: 1, steps: [0, 9] })
    })
    suite.clock.advance(1000)
    runner.wake()
    expect(parseProgress(await inState(row, 'completed')).steps).toEqual([0, 9, 1])
    await runner.stop()
  })

  test.each([
    [
      'an unavailable store, after the last attempt',
      new Unavailable('The disk is full.', 1),
      'A database was unavailable for too long. Start the job again.',
    ],
    [
      'a Failure',
      new Failure('NOT_FOUND', 'The collection was removed.'),
      'The collection was removed.',
    ],
    [
      'a defect',
      new Error('secret'),
      'The job failed unexpectedly. The server log has the cause under the ID of the job.',
    ],
  ])(
    '%s fails the job with a sentence, and the log has the cause',
    async (_name, error, problem) => {
      const lines: string[] = []
      const log = openLog('error', (line) => lines.push(line))
      const row = await insert()
      const during = (step: number) => (step === 1 ? Promise.reject(error) : undefined)
      const runner = openRunner(countJob({ during, retry: { maxAttempts: 1 } }), { log })
      const failed = await inState(row, 'failed')
      expect(failed).toMatchObject({ problem, worker: null })
      expect(parseProgress(failed).steps).toEqual([0])
      await runner.stop()
      expect(JSON.parse(lines[0] ?? '')).toMatchObject({
        jobId: row.id,
        error: expect.stringContaining(error.message),
      })
    },
  )

  test('a kind may retry any error', async () => {
    const row = await insert()
    let failures = 1
    const during = () => {
      if (failures-- > 0) throw new Error('a defect')
    }
    const runner = openRunner(countJob({ during, retry: { on: 'any error' } }))
    await eventually(async () =>
      expect(await read(row)).toMatchObject({ attempts: 1, worker: null }),
    )
    suite.clock.advance(1000)
    runner.wake()
    await inState(row, 'completed')
    await runner.stop()
  })

  test('a step that keeps killing the process fails the job', async () => {
    const steps: number[] = []
    const row = await insert({}, { attempts: 25 })
    const runner = openRunner(countJob({ during: (step) => steps.push(step) }))
    expect((await inState(row, 'failed')).problem).toBe(
      'The job was interrupted too often. Start it again.',
    )
    expect(steps).toEqual([])
    await runner.stop()
  })

  test('an input that does not match the declaration fails the job', async () => {
    const row = await insert({ steps: 'many' })
    const runner = openRunner(countJob())
    expect((await inState(row, 'failed')).problem).toContain('failed unexpectedly')
    await runner.stop()
  })

  test('a kind that repeats is due within its interval after a start, although a clock was ahead when it was queued', async () => {
    const kind = newId()
    const ahead = '2099-01-01T00:00:00.000Z'
    await suite.accounts.jobs.insert(
      newJobRow({ kind, input: z.object({}) }, { uniqueKey: kind, input: {} }, ahead),
    )
    const everyMs = 3_600_000
    const dueAt = new Date(Date.parse(await suite.clock.now()) + everyMs).toISOString()
    const runner = openRunner(countJob({ kind, everyMs }))
    const due = () => suite.query(`select available_at from jobs where kind = '${kind}'`)
    await eventually(async () => expect(await due()).toEqual([{ available_at: dueAt }]))
    await runner.stop()
  })

  test('a kind that repeats has one job, which runs again after each end, failures included', async () => {
    const kind = newId()
    const everyMs = 3_600_000
    let runs = 0
    const during = (step: number) => {
      if (step === 0) runs += 1
      if (runs === 2) throw new Error('a defect')
    }
    const job = countJob({ kind, everyMs, during })
    const runners = [openRunner(job), openRunner(job)]
    const rows = () =>
      suite.query(`select state, problem, position, attempts from jobs where kind = '${kind}'`)
    const again = async (run: number) => {
      await eventually(async () => {
        expect(runs).toBe(run)
        expect(await rows()).toMatchObject([{ state: 'queued', position: null, attempts: 0 }])
      })
      suite.clock.advance(everyMs)
      for (const runner of runners) runner.wake()
    }
    await again(1)
    await again(2)
    await again(3)
    await again(4)
    await Promise.all(runners.map((runner) => runner.stop()))
    expect(await rows()).toHaveLength(1)
  })
})

describe('jobs of two processes on PostgreSQL', () => {
  const suite = jobSuite('PostgreSQL')
  /** No lease is renewed within a test. */
  const leaseMs = 600_000

  test('a job that the other process cancels aborts its step at once, and no other job', async () => {
    const other = await suite.openOtherProcess()
    const aborted: number[] = []
    const started: number[] = []
    const during = async (step: number, job: StepInput<{ steps: number }, CountProgress>) => {
      started.push(job.input.steps)
      await untilAborted(step, job).catch(() => aborted.push(job.input.steps))
    }
    const runner = suite.openRunner(countJob({ during }), { leaseMs })
    const row = await suite.insert({ steps: 8 })
    await suite.insert({ steps: 9 })
    runner.wake()
    await eventually(() => expect(new Set(started)).toEqual(new Set([8, 9])))
    const { notifications } = other
    const idle = suite.openRunner(countJob({ kind: 'other' }), { leaseMs, notifications })
    await eventually(() => expect(suite.accounts.notifications.isConnected()).toBe(true))
    await eventually(() => expect(notifications.isConnected()).toBe(true))
    await other.jobs.cancel(suite.projectId, row.id, await suite.clock.now())
    idle.abort(suite.projectId, row.id)
    await eventually(() => expect(aborted).toEqual([8]))
    expect((await suite.read(row)).state).toBe('cancelled')
    await Promise.all([runner.stop(), idle.stop()])
    await other.close()
  })
})
