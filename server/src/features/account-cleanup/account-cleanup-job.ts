import { z } from 'zod'
import { idleMs } from '../../accounts/session.ts'
import { checkTime, type TimeState } from '../../jobs/accepted-time.ts'
import { type DefinedJob, defineJob } from '../../jobs/define-job.ts'
import type { JobProgress } from '../../jobs/job-row.ts'
import type { Clock } from '../../platform/clock.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'

const everyMs = 10 * 60_000
/** Of each table: on SQLite, other requests wait for a statement. */
const removedAtOnce = 500

interface CleanupPosition {
  /** The time at which the rows have expired. */
  readonly now: number
}

/** What is kept from run to run. */
interface CleanupProgress extends JobProgress {
  readonly time?: TimeState
}

/**
 * Removes rows that can no longer be used, because requests only remove those they come across. Removes nothing while the
 * clock may be ahead: sessions and invites would be valid again once it is corrected.
 */
export function accountCleanupJob(
  { expiredRows }: Pick<AccountStores, 'expiredRows'>,
  clock: Clock,
): DefinedJob {
  return defineJob<Record<string, never>, CleanupPosition, CleanupProgress>({
    kind: 'account_cleanup',
    input: z.object({}),
    everyMs,
    async step({ progress }, position) {
      if (position === undefined) {
        const now = clock.now().getTime()
        const { isAccepted, state: time } = checkTime(now, progress.time)
        const next = { ...progress, time }
        return isAccepted ? { position: { now }, progress: next } : { isDone: true, progress: next }
      }
      const now = new Date(position.now).toISOString()
      const idleSince = new Date(position.now - idleMs).toISOString()
      const removed = await expiredRows.remove({ now, idleSince }, removedAtOnce)
      return removed === 0
        ? { isDone: true, progress }
        : { position, progress: { ...progress, done: progress.done + removed } }
    },
  })
}
