import { setTimeout as sleep } from 'node:timers/promises'
import type { IdempotencyClaim } from '../../accounts/idempotency-record-store.ts'
import type { AccountStores } from '../../accounts/stores.ts'

/*
 * Claims of idempotency keys whose batch was not stored, or whose outcome could not be recorded. Unless they are released,
 * the next batch with the key waits for the end of the lease.
 */

type Records = Pick<AccountStores['idempotencyRecords'], 'release'>

/** Resolves after the first attempt. Further ones follow until the accounts database responds. Never rejects. */
export type AbandonClaim = (claim: IdempotencyClaim) => Promise<void>

const retryMs = 1000
/** In a long outage: the leases of the others end by themselves. */
const waitingMax = 10_000

export function openAbandonedClaims(records: Records, retryEveryMs = retryMs): AbandonClaim {
  const waiting = new Set<IdempotencyClaim>()

  const releaseAll = async () => {
    for (const claim of waiting) {
      while (!(await isReleased(claim))) await sleep(retryEveryMs, undefined, { ref: false })
      waiting.delete(claim)
    }
  }
  const isReleased = async (claim: IdempotencyClaim) =>
    await records.release(claim).then(
      () => true,
      () => false,
    )
  return async (claim) => {
    if ((await isReleased(claim)) || waiting.size >= waitingMax) return
    waiting.add(claim)
    if (waiting.size === 1) void releaseAll()
  }
}
