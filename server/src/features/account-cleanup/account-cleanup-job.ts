import { z } from 'zod'
import { idleMs } from '../../accounts/session.ts'
import { type DefinedJob, defineJob } from '../../jobs/define-job.ts'
import type { Clock } from '../../platform/clock.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'

const everyMs = 10 * 60_000
/** Of each table: on SQLite, other requests wait for a statement. */
const removedAtOnce = 500

/** Removes rows that can no longer be used, because requests only remove those they come across. */
export function accountCleanupJob(
  { expiredRows }: Pick<AccountStores, 'expiredRows'>,
  clock: Clock,
): DefinedJob {
  return defineJob({
    kind: 'account_cleanup',
    input: z.object({}),
    everyMs,
    async step({ progress }) {
      const now = clock.now()
      const idleSince = new Date(now.getTime() - idleMs).toISOString()
      const removed = await expiredRows.remove({ now: now.toISOString(), idleSince }, removedAtOnce)
      const done = progress.done + removed
      return removed === 0
        ? { isDone: true, progress }
        : { position: null, progress: { ...progress, done } }
    },
  })
}
