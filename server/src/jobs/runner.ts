import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { newId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import type { Notifications } from '../platform/notifications.ts'
import { setNewest } from '../platform/recent-entries.ts'
import { openRepeatedFailures } from '../platform/repeated-failures.ts'
import type { JobCount, JobQueue } from '../storage/accounts/job-store.ts'
import type { JobRow } from '../storage/accounts/service-tables.ts'
import type { AccountStores } from '../storage/accounts/stores.ts'
import type { DefinedJob, WaitedFor } from './define-job.ts'
import { newJobRow } from './job-row.ts'
import { runSlice, type SlicePorts } from './run-slice.ts'

/*
 * Runs background jobs step by step. A job is a row of the accounts database, so it survives restarts and
 * any process that uses the database can run it. Guarantees:
 *
 * Lease. A job runs in one process at a time. The process that holds the lease renews it; when it is killed
 * or loses the database, another one takes over after the lease has expired (15 seconds). Nothing is stored for a job
 * without holding its lease.
 *
 * Position. Position and progress are stored together after each step, and the next step starts there, in
 * any process. A step that was interrupted before it was stored is repeated.
 *
 * Fairness. A process runs a few jobs at once, and in slots of their own those that wait for models, webhooks or mail. One
 * organization has at most half of each, and fewer of those for webhooks. Each job yields after a while; the next one comes from the kind and organization that has waited
 * longest, and among its projects from the one that has. After each step a job pauses, so that steps take at most their
 * share of time.
 *
 * Failure. Steps are retried with growing delays if their kind allows it. A job that fails permanently
 * stores a sentence for users, and the cause is logged with the id of the job. A job also fails when a step
 * keeps killing the process.
 *
 * Cancellation. The signal of the step in progress aborts, and no other step starts: at once also in another process, or
 * when that renews the lease, while notifications between processes are not delivered.
 *
 * Schedule. A kind that repeats has one row, which is queued again when it has ended. A start brings one forward that was
 * queued by a clock that was ahead.
 *
 * Stop. Aborts the signals of the steps in progress and waits for these to end, for `stopWithinMs` at most. Then the leases
 * are released, so that another process continues the jobs at once. Nothing else starts.
 *
 * Retention. The newest 50 finished jobs of a kind and project are kept, for at most 30 days.
 */

export interface JobRunner {
  /** A job may be due. */
  wake(): void
  /** Aborts the step in progress of a canceled job, in whichever process it runs. */
  abort(projectId: string, jobId: string): void
  /** How many jobs are stored, by kind and state. */
  stats(): Promise<readonly JobCount[]>
  stop(): Promise<void>
}

export interface RunnerPorts {
  readonly accounts: Pick<AccountStores, 'jobs' | 'clock'>
  readonly jobs: readonly DefinedJob[]
  readonly notifications: Notifications
  readonly log: Log
  /** Replaces the number of slots of each sort: half of them for one organization, rounded up. */
  readonly concurrency?: number
  readonly leaseMs?: number
  /** How long a job runs before it yields. */
  readonly sliceMs?: number
  /** How long a stop waits for steps that ignore their signal. */
  readonly stopWithinMs?: number
}

interface Slots {
  /** By the jobs that they are for. */
  readonly waitsFor: WaitedFor | undefined
  readonly total: number
  readonly ofOrganization: number
}

const slotsBySort: readonly Slots[] = [
  { waitsFor: undefined, total: 4, ofOrganization: 2 },
  { waitsFor: 'models', total: 4, ofOrganization: 2 },
  { waitsFor: 'mail', total: 8, ofOrganization: 4 },
  // Many wait for servers that are gone, and cost little more than a connection.
  { waitsFor: 'webhooks', total: 64, ofOrganization: 8 },
]

const pollMsMax = 5_000
const noInput = z.object({})
const rememberedTurns = 10_000

/** What the process that cancels a job sends the others. */
const canceledJob = z.object({ projectId: z.string(), jobId: z.string() })
type CanceledJob = z.output<typeof canceledJob>

interface RunningJob {
  readonly kind: string
  readonly organizationId: string | null
  readonly abort: AbortController
  readonly end: Promise<void>
}

export function openJobRunner(ports: RunnerPorts): JobRunner {
  const {
    accounts,
    concurrency,
    leaseMs = 15_000,
    sliceMs = 5_000,
    log,
    notifications,
    stopWithinMs = 10_000,
  } = ports
  const definitions = new Map(ports.jobs.map((job) => [job.kind, job]))
  const worker = newId()
  const stopping = new AbortController()
  const running = new Map<string, RunningJob>()
  const turns = openTurns()
  let isScheduled = false

  const failures = openRepeatedFailures(log, 'could not look for due jobs')
  const { request: wake, waitForEnd } = openRequestedRuns(
    () => fill().then(failures.onSuccess, failures.onFailure),
    stopping.signal,
  )

  const pollMs = findPollMs(ports.jobs)
  const wakeIn = (ms: number) => {
    if (ms < pollMs) setTimeout(wake, ms).unref()
  }
  const slicePorts = { accounts, log, worker, leaseMs, sliceMs, stopping: stopping.signal, wakeIn }

  /** Starts due jobs until none is left or the limit is reached. */
  const fill = async () => {
    if (!isScheduled) await schedule(accounts, ports.jobs)
    isScheduled = true
    for (const slots of slotsBySort) await fillSlots(limitSlots(slots, concurrency))
  }

  const fillSlots = async (slots: Slots) => {
    const kinds = ports.jobs.flatMap((job) => (job.waitsFor === slots.waitsFor ? job.kind : []))
    while (!stopping.signal.aborted) {
      const next = await acquireNext(kinds, running, { ...slicePorts, slots, turns })
      if (next === undefined) return
      if (next.row !== undefined) start(next.row)
    }
  }

  const start = (row: JobRow) => {
    const definition = definitions.get(row.kind)
    if (definition === undefined) throw new Error(`no definition of the job kind ${row.kind}`)
    const abort = new AbortController()
    const end = runSlice(row, definition, abort, slicePorts).finally(() => {
      running.delete(row.id)
      wake()
    })
    running.set(row.id, { kind: row.kind, organizationId: row.organization_id, abort, end })
  }

  const cancellations = openCancellations((id) => running.get(id)?.abort.abort(), notifications)

  const timer = setInterval(wake, pollMs).unref()
  wake()
  return {
    wake,
    abort: cancellations.abort,
    stats: () => accounts.jobs.countByState(),
    async stop() {
      stopping.abort()
      cancellations.stop()
      clearInterval(timer)
      await waitForEnd()
      const ends = [...running.values()].map(({ end }) => end)
      await waitAtMost(stopWithinMs, ends)
      await releaseAll([...running.keys()], slicePorts)
    },
  }
}

/** Of jobs that run in this process or in another. */
function openCancellations(abortHere: (jobId: string) => void, notifications: Notifications) {
  const stop = notifications.listen('jobs', {
    onMessage: (message) => abortHere(canceledJob.safeParse(message).data?.jobId ?? ''),
  })
  const abort = (projectId: string, jobId: string) => {
    abortHere(jobId)
    const message: CanceledJob = { projectId, jobId }
    notifications.send('jobs', message)
  }
  return { abort, stop }
}

/** Runs one at a time; requests during a run are for one more. */
function openRequestedRuns(run: () => Promise<void>, stopping: AbortSignal) {
  let running: Promise<void> | undefined
  let isRequested = false
  return {
    request: () => {
      if (stopping.aborted) return
      isRequested = true
      running ??= (async () => {
        while (isRequested && !stopping.aborted) {
          isRequested = false
          await run()
        }
        running = undefined
      })()
    },
    waitForEnd: async () => running,
  }
}

/** As often as the most frequent schedule. */
function findPollMs(jobs: readonly DefinedJob[]): number {
  return Math.min(pollMsMax, ...jobs.map(({ everyMs }) => everyMs ?? pollMsMax))
}

function limitSlots(slots: Slots, total: number | undefined): Slots {
  return total === undefined ? slots : { ...slots, total, ofOrganization: Math.ceil(total / 2) }
}

interface AcquirePorts extends Pick<SlicePorts, 'accounts' | 'worker' | 'leaseMs'> {
  readonly slots: Slots
  readonly turns: ReturnType<typeof openTurns>
}

/** Undefined when no job is due or no slot is free; without a row when another worker was faster. */
async function acquireNext(
  kinds: readonly string[],
  running: ReadonlyMap<string, RunningJob>,
  { accounts, worker, leaseMs, slots, turns }: AcquirePorts,
): Promise<{ readonly row: JobRow | undefined } | undefined> {
  const taken = [...running.values()].filter(({ kind }) => kinds.includes(kind))
  if (taken.length >= slots.total) return undefined
  const now = await accounts.clock.now()
  const exceptJobs = [...running.keys()]
  const exceptOrganizations = listFull(taken, slots.ofOrganization)
  const due = { kinds, now, exceptJobs, exceptOrganizations }
  const queue = turns.next(await accounts.jobs.listDue(due))
  if (queue === undefined) return undefined
  const until = new Date(Date.parse(now) + leaseMs).toISOString()
  return { row: await accounts.jobs.acquire(queue, { worker, until }, now, exceptJobs) }
}

/** The organizations that have as many jobs as they may. */
function listFull(taken: readonly RunningJob[], maxOfOrganization: number): readonly string[] {
  const counts = Map.groupBy(taken, ({ organizationId }) => organizationId)
  return [...counts].flatMap(([id, jobs]) =>
    id !== null && jobs.length >= maxOfOrganization ? [id] : [],
  )
}

/** For steps that are still running, which store nothing without their lease. */
async function releaseAll(
  ids: readonly string[],
  { accounts, log, worker }: SlicePorts,
): Promise<void> {
  try {
    for (const id of ids) {
      await accounts.jobs.release(id, worker, { available_at: await accounts.clock.now() })
    }
  } catch (error) {
    log.error('the lease of a job could not be released and will expire', error)
  }
}

async function waitAtMost(ms: number, ends: readonly Promise<void>[]): Promise<void> {
  const ended = new AbortController()
  const limit = sleep(ms, undefined, { signal: ended.signal }).catch(() => undefined)
  await Promise.race([Promise.all(ends), limit])
  ended.abort()
}

async function schedule(
  { jobs, clock }: RunnerPorts['accounts'],
  definitions: readonly DefinedJob[],
): Promise<void> {
  for (const { kind, everyMs } of definitions) {
    if (everyMs === undefined) continue
    const now = await clock.now()
    await jobs.insert(newJobRow({ kind, input: noInput }, { uniqueKey: kind, input: {} }, now))
    await jobs.bringForward(kind, new Date(Date.parse(now) + everyMs).toISOString())
  }
}

/** Round robin over queues. */
function openTurns() {
  const lastTurns = new Map<string, number>()
  let turn = 0
  return {
    next(queues: readonly JobQueue[]): JobQueue | undefined {
      let next: { queue: JobQueue; key: string; turn: number } | undefined
      for (const queue of queues) {
        const key = `${queue.kind} ${queue.organizationId ?? ''}`
        const last = lastTurns.get(key) ?? 0
        if (next === undefined || last < next.turn) next = { queue, key, turn: last }
      }
      if (next === undefined) return undefined
      setNewest(lastTurns, next.key, ++turn, rememberedTurns)
      return next.queue
    },
  }
}
