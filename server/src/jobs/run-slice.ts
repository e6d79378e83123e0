import { setTimeout as sleep } from 'node:timers/promises'
import { Failure, Unavailable } from '../platform/failure.ts'
import type { Log } from '../platform/log.ts'
import type { Timestamp } from '../storage/accounts/column-types.ts'
import type { JobRow } from '../storage/accounts/service-tables.ts'
import type { AccountStores } from '../storage/accounts/stores.ts'
import { type DefinedJob, StepError } from './define-job.ts'

/*
 * Runs a leased job for a slice of time: steps, pauses, and the end of the job. See runner.ts for the
 * guarantees.
 */

export interface SlicePorts {
  readonly accounts: Pick<AccountStores, 'jobs' | 'clock'>
  readonly log: Log
  readonly worker: string
  readonly leaseMs: number
  readonly sliceMs: number
  readonly stopping: AbortSignal
  /** Called when the job is due again after so long. */
  readonly wakeIn: (ms: number) => void
}

const firstRetryMs = 1_000
const longestRetryMs = 5 * 60_000
const keptJobs = 50
const keptMs = 30 * 24 * 60 * 60_000

/**
 * Never rejects. The caller aborts `abort` when the job is canceled; this function does when the lease is
 * lost.
 */
export async function runSlice(
  leased: JobRow,
  definition: DefinedJob,
  abort: AbortController,
  ports: SlicePorts,
): Promise<void> {
  const { stopping } = ports
  const signal = AbortSignal.any([abort.signal, stopping])
  const timer = setInterval(renewal(leased.id, abort, ports), ports.leaseMs / 3)
  let row = leased
  try {
    if (row.attempts > definition.retry.maxAttempts) {
      throw new Failure('INTERNAL_ERROR', 'The job was interrupted too often. Start it again.')
    }
    const startedAt = performance.now()
    const isOver = () => stopping.aborted || performance.now() - startedAt >= ports.sliceMs
    do {
      if (stopping.aborted) break
      const next = await runStep(row, definition, signal, ports)
      if (next === undefined) return
      row = next
    } while (!isOver() && !abort.signal.aborted)
    await release(row, 0, ports)
  } catch (error) {
    if (abort.signal.aborted) return
    if (error instanceof StepError) {
      const failed = { ...row, progress: JSON.stringify(error.progress) }
      await handleError(error.cause, failed, definition, ports)
    } else {
      await handleError(error, row, definition, ports)
    }
  } finally {
    clearInterval(timer)
  }
}

/** The job after the step; undefined when this worker no longer holds it. */
async function runStep(
  row: JobRow,
  definition: DefinedJob,
  signal: AbortSignal,
  ports: SlicePorts,
): Promise<JobRow | undefined> {
  const { accounts, worker, leaseMs } = ports
  const startedAt = performance.now()
  const outcome = await definition.step(row, signal)
  const progress = JSON.stringify(outcome.progress)
  if ('isDone' in outcome) {
    await end(row, definition, { state: 'completed', progress, problem: null }, ports)
    return undefined
  }
  const position = JSON.stringify(outcome.position)
  const { resumeInMs, waitedMs = 0 } = outcome
  const available_at = await fromNow(resumeInMs ?? leaseMs, ports)
  const isMine = await accounts.jobs.advance(row.id, worker, { position, progress, available_at })
  if (!isMine) return undefined
  if (resumeInMs !== undefined) {
    await accounts.jobs.release(row.id, worker, { available_at, attempts: 0 })
    ports.wakeIn(resumeInMs)
    return undefined
  }
  const workedMs = performance.now() - startedAt - waitedMs
  const pauseMs = workedMs * (1 / definition.share - 1)
  if (pauseMs > 0) await pause(pauseMs, signal)
  return { ...row, position, progress, attempts: 1 }
}

/** Another worker may take the job at once. */
async function release(
  { id, progress }: JobRow,
  attempts: number,
  ports: SlicePorts,
): Promise<void> {
  const available_at = await fromNow(0, ports)
  await ports.accounts.jobs.release(id, ports.worker, { available_at, attempts, progress })
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  // An aborted pause just ends.
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}

async function end(
  { id, kind, project_id }: JobRow,
  { everyMs }: DefinedJob,
  outcome: Pick<JobRow, 'state' | 'progress' | 'problem'>,
  ports: SlicePorts,
): Promise<void> {
  const { jobs } = ports.accounts
  if (everyMs !== undefined) {
    const available_at = await fromNow(everyMs, ports)
    await jobs.reschedule(id, ports.worker, { available_at, problem: outcome.problem })
    return
  }
  await jobs.finish(id, ports.worker, { ...outcome, finished_at: await fromNow(0, ports) })
  await jobs.prune({ kind, projectId: project_id }, keptJobs, await fromNow(-keptMs, ports))
}

/** Retries or fails the job. If even that cannot be stored, the lease expires and the step is repeated. */
async function handleError(
  error: unknown,
  row: JobRow,
  definition: DefinedJob,
  ports: SlicePorts,
): Promise<void> {
  const { id, kind, attempts, progress } = row
  const { retry } = definition
  const fields = { jobId: id, kind, attempts }
  try {
    // Probably because its signal has aborted: the start that the stop interrupted does not count.
    if (ports.stopping.aborted) {
      await release(row, attempts - 1, ports)
      return
    }
    const isPassing = error instanceof Unavailable || retry.on === 'any error'
    if (isPassing && attempts < retry.maxAttempts) {
      ports.log.error('a step of a job failed and will be retried', error, fields)
      const delayMs = Math.min(longestRetryMs, firstRetryMs * 2 ** (attempts - 1))
      const available_at = await fromNow(delayMs, ports)
      await ports.accounts.jobs.release(id, ports.worker, { available_at, progress })
      ports.wakeIn(delayMs)
      return
    }
    ports.log.error('a job failed', error, fields)
    const problem = formatProblem(error)
    await end(row, definition, { state: 'failed', progress, problem }, ports)
  } catch (failure) {
    ports.log.error('the state of a job could not be stored', failure, fields)
  }
}

function formatProblem(error: unknown): string {
  if (error instanceof Failure) return error.message
  if (error instanceof Unavailable) {
    return 'A database was unavailable for too long. Start the job again.'
  }
  return 'The job failed unexpectedly. The server log has the cause under the ID of the job.'
}

/**
 * Renews the lease. Aborts the step when the lease is lost, or about to expire because the database is
 * unreachable.
 */
function renewal(id: string, abort: AbortController, ports: SlicePorts): () => void {
  const { accounts, worker, leaseMs } = ports
  let renewedAt = performance.now()
  const renew = async () => {
    const isRenewed = await accounts.jobs.renew(id, {
      worker,
      until: await fromNow(leaseMs, ports),
    })
    if (isRenewed) renewedAt = performance.now()
    else abort.abort()
  }
  return () =>
    void renew().catch(() => {
      if (performance.now() - renewedAt > leaseMs / 2) abort.abort()
    })
}

async function fromNow(ms: number, { accounts }: SlicePorts): Promise<Timestamp> {
  return new Date(Date.parse(await accounts.clock.now()) + ms).toISOString()
}
