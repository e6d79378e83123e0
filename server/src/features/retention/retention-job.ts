import { limits } from '@assay/contract/limits.ts'
import { z } from 'zod'
import { checkTime, type TimeState } from '../../jobs/accepted-time.ts'
import { type DefinedJob, defineJob } from '../../jobs/define-job.ts'
import type { JobProgress } from '../../jobs/job-row.ts'
import type { Clock } from '../../platform/clock.ts'
import { Unavailable } from '../../platform/failure.ts'
import type { Log } from '../../platform/log.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import type { Position } from '../../storage/telemetry/port/position.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'

/*
 * Every hour removes idempotency records that are older than a month, then traces, metrics and log records that are
 * older than the retention period of their project, and the comments of removed traces. Removes nothing while the clock
 * may be wrong.
 */

export interface RetentionPorts {
  readonly accounts: Pick<AccountStores, 'projects' | 'comments'>
  readonly telemetry: Pick<
    TelemetryStore,
    'findTraces' | 'removeOldTraces' | 'removeOldSignals' | 'removeOldIdempotencyRecords'
  >
  readonly clock: Clock
  readonly log: Log
  /** For projects without a setting of their own; undefined keeps everything. */
  readonly retentionDays: number | undefined
}

const everyMs = 60 * 60_000
/** Within a minute. Then the other projects follow, whose telemetry may be in another database. */
const attemptsPerStep = 7
const commentsPerStep = 200
const nanosPerDay = 86_400_000_000_000n
/** A day longer than promised. */
const idempotencyNanos = BigInt(limits.idempotencyDays.value + 1) * nanosPerDay
const nanosAt = (ms: number) => BigInt(ms) * 1_000_000n

interface SweepPosition {
  /** The time that ages are measured from; null where the clock cannot be believed. */
  readonly now: number | null
  /** Whether old idempotency records may be left. */
  readonly hasOldRecords?: boolean
  /** The last project that has been processed. */
  readonly after: string | undefined
  /** The phase of the next one. */
  readonly current?: Phase & { readonly projectId: string }
}

interface Phase {
  readonly phase: 'traces' | 'signals' | 'comments'
  readonly after?: string | undefined
}

export function retentionJob(ports: RetentionPorts): DefinedJob {
  const { accounts, telemetry, retentionDays } = ports
  return defineJob<Record<string, never>, SweepPosition, SweepProgress>({
    kind: 'retention',
    input: z.object({}),
    everyMs,
    async step({ progress, attempt }, position: SweepPosition | undefined) {
      if (position === undefined) return begin(progress, ports)
      const { now, hasOldRecords, after, current } = position
      if (now === null) return { isDone: true, progress }
      if (hasOldRecords === true) {
        const before = nanosAt(now) - idempotencyNanos
        const isMore = (await telemetry.removeOldIdempotencyRecords(before)) === 'more'
        return { position: { ...position, hasOldRecords: isMore }, progress }
      }
      const project = await accounts.projects.findNextWithRetention(after, retentionDays)
      if (project === undefined) return { isDone: true, progress }
      const { id: projectId, retentionDays: days } = project
      const before = nanosAt(now) - BigInt(days) * nanosPerDay
      const phase = current?.projectId === projectId ? current : ({ phase: 'traces' } as const)
      const next = await removeSome(projectId, before, phase, ports).catch((error: unknown) => {
        if (!(error instanceof Unavailable) || attempt < attemptsPerStep) throw error
        ports.log.warn('nothing more is removed by age from a project for now', { projectId })
        return undefined
      })
      return next === undefined
        ? {
            position: { now, after: projectId },
            progress: { ...progress, done: progress.done + 1 },
          }
        : { position: { now, after, current: { ...next, projectId } }, progress }
    },
  })
}

/** What is kept from run to run. */
interface SweepProgress extends JobProgress {
  readonly time?: TimeState
}

function begin(progress: SweepProgress, { clock, log }: RetentionPorts) {
  const now = clock.now().getTime()
  const { isAccepted, state } = checkTime(now, progress.time)
  if (!isAccepted) {
    log.warn('nothing is removed by age: the clock is more than a day ahead of the last run', {
      lastRunAt: new Date(state.acceptedAt).toISOString(),
    })
  }
  const position: SweepPosition = {
    now: isAccepted ? now : null,
    hasOldRecords: true,
    after: undefined,
  }
  return { position, progress: { ...progress, time: state } }
}

/** The phase to continue with; undefined when the project is done. */
async function removeSome(
  projectId: string,
  before: bigint,
  { phase, after }: Phase,
  ports: RetentionPorts,
): Promise<Phase | undefined> {
  const { telemetry } = ports
  switch (phase) {
    case 'traces': {
      const { isDone } = await telemetry.removeOldTraces(projectId, before)
      return { phase: isDone ? 'signals' : 'traces' }
    }
    case 'signals': {
      const next: Position | undefined = await telemetry.removeOldSignals(projectId, before, after)
      return next === undefined ? { phase: 'comments' } : { phase, after: next }
    }
    case 'comments': {
      const next = await removeComments(projectId, after ?? '', ports)
      return next === undefined ? undefined : { phase, after: next }
    }
  }
}

/** Removes comments of traces that do not exist. Returns the last comment that was checked. */
async function removeComments(
  projectId: string,
  after: string,
  { accounts, telemetry }: RetentionPorts,
): Promise<string | undefined> {
  const comments = await accounts.comments.listAfter(projectId, after, commentsPerStep)
  if (comments.length === 0) return undefined
  const traceIds = [...new Set(comments.map(({ trace_id }) => trace_id))]
  const traces = await telemetry.findTraces(projectId, traceIds)
  const found = new Set(traces.map(({ traceId }) => traceId))
  const orphans = comments.filter(({ trace_id }) => !found.has(trace_id)).map(({ id }) => id)
  if (orphans.length > 0) await accounts.comments.removeOrphans(projectId, orphans)
  return comments.at(-1)?.id
}
