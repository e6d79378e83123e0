import { type MemberQueue, openMemberQueue } from '../../../platform/member-queue.ts'
import { fitsWith, type LargeBatch } from './trace-sizes.ts'
import { type StoreGroup, storeTogether, type WaitingBatch } from './write-queue.ts'

/*
 * Batches that change large traces are stored apart from others, so that they delay only those who send such, too. Each
 * organization has one group of them at a time.
 */

/** Groups of batches are stored at once for so many organizations. */
const organizationsAtOnce = 2

type Waiting<Batch, Outcome> = WaitingBatch<LargeBatch<Batch>, Outcome>

/** Stores a batch when it is the turn of its organization. */
export function openLargeWrites<Batch, Outcome>(
  storeGroup: StoreGroup<LargeBatch<Batch>, Outcome>,
): (batch: LargeBatch<Batch>) => Promise<Outcome> {
  const waiting = openMemberQueue<Waiting<Batch, Outcome>>()
  const running = new Set<string>()
  const startNext = () => {
    while (running.size < organizationsAtOnce) {
      const next = waiting.take(([id]) => !running.has(id))
      if (next === undefined) return
      const [organizationId] = next.item.batch.requester
      running.add(organizationId)
      const startedAt = performance.now()
      void storeTogether(takeGroup(waiting, next.item), storeGroup).then(() => {
        next.charge(Math.max(1, performance.now() - startedAt))
        running.delete(organizationId)
        startNext()
      })
    }
  }
  return async (batch) => {
    const outcome = Promise.withResolvers<Outcome>()
    waiting.add(batch.requester, { batch, outcome })
    startNext()
    return await outcome.promise
  }
}

/** A batch, and those of its organization that fit with it. */
function takeGroup<Batch, Outcome>(
  waiting: MemberQueue<Waiting<Batch, Outcome>>,
  first: Waiting<Batch, Outcome>,
): readonly Waiting<Batch, Outcome>[] {
  const group = [first]
  for (;;) {
    const next = waiting.take(([id]) => id === first.batch.requester[0])
    if (next === undefined) return group
    if (
      !fitsWith(
        group.map(({ batch }) => batch),
        next.item.batch,
      )
    ) {
      next.putBack(0)
      return group
    }
    next.charge(0)
    group.push(next.item)
  }
}
