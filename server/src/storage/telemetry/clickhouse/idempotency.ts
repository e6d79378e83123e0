import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../../platform/clock.ts'
import { Unavailable } from '../../../platform/failure.ts'
import type { AccountStores } from '../../accounts/stores.ts'
import type { IdempotencyRecord, Recorded } from '../port/ingest.ts'
import { type AbandonClaim, openAbandonedClaims } from './abandoned-claims.ts'
import type { Outcome } from './span-recording.ts'

/*
 * One outcome for each idempotency key: claimed in the accounts database before the spans are stored, completed after them
 * (docs/adr/0020-idempotency-keys-claimed-around-the-spans.md).
 */

export type IdempotencyRecords = AccountStores['idempotencyRecords']

/** Stores the batch of the key once; everyone else gets its outcome. */
export type RecordOnce = (
  projectId: string,
  idempotency: IdempotencyRecord,
  record: () => Promise<Outcome>,
) => Promise<Recorded>

/** How long a key stays claimed after the process that stores its batch has ended. */
const leaseMs = 20_000
/** Often enough that a few failures lose no lease. */
const renewalMs = 5_000
/** How long a batch waits for another one with its key. */
const waitMs = 5000
/** Between two looks at the outcome of a batch that another process stores. */
const firstPollMs = 50
const longestPollMs = 500
/** Between attempts to record the outcome of a batch that is stored. */
const completionDelaysMs = [100, 400]

export function openIdempotency(
  records: IdempotencyRecords,
  clock: Clock,
  renewEveryMs = renewalMs,
): RecordOnce {
  // Of the batches with one key, one uses the database; the others wait here, however many they are.
  const running = new Map<string, Promise<Recorded | undefined>>()
  const abandon = openAbandonedClaims(records)
  return async (projectId, idempotency, record) => {
    const id = JSON.stringify([projectId, idempotency.key])
    const waitUntil = performance.now() + waitMs
    for (let other = running.get(id); other !== undefined; other = running.get(id)) {
      const recorded = await waitFor(other, waitUntil)
      if (recorded !== undefined) return { ...recorded, repeated: true }
    }
    const claim = { project_id: projectId, key: idempotency.key, claim_id: randomUUID() }
    const mine = recordClaimed(
      { records, clock, claim, waitUntil, renewEveryMs, abandon },
      idempotency.note,
      record,
    )
    const forOthers = mine.then(
      (recorded) => (recorded.traces.length > 0 ? recorded : undefined),
      () => undefined,
    )
    running.set(id, forOthers)
    void forOthers.then(() => running.delete(id))
    return await mine
  }
}

interface ClaimPorts {
  readonly records: IdempotencyRecords
  readonly clock: Clock
  readonly claim: { readonly project_id: string; readonly key: string; readonly claim_id: string }
  readonly waitUntil: number
  readonly renewEveryMs: number
  readonly abandon: AbandonClaim
}

async function recordClaimed(
  { records, clock, claim, waitUntil, renewEveryMs, abandon }: ClaimPorts,
  note: string,
  record: () => Promise<Outcome>,
): Promise<Recorded> {
  for (
    let pollMs = firstPollMs;
    !(await tryClaim());
    pollMs = Math.min(longestPollMs, 2 * pollMs)
  ) {
    const completed = await findOutcome()
    if (completed !== undefined) return { ...completed, repeated: true }
    if (performance.now() > waitUntil) throw isBeingStored()
    await sleep(pollMs)
  }
  const outcome = await recordWithLease()
  const recorded = { ...outcome, note }
  if (outcome.traces.length === 0) await abandon(claim)
  // Another batch claimed the key after the lease: the outcome of that one counts, which the sender gets when it repeats.
  else if (!(await complete(JSON.stringify(recorded)))) throw isBeingStored()
  return { ...recorded, repeated: false }

  async function tryClaim(): Promise<boolean> {
    const at = clock.now().toISOString()
    const row = { ...claim, leased_until: endOfLease(), outcome: null, created_at: at }
    try {
      return await records.claim(row, at)
    } catch (error) {
      // Only the response may have been lost.
      await abandon(claim)
      throw error
    }
  }

  async function complete(outcome: string): Promise<boolean> {
    for (const delayMs of completionDelaysMs) {
      try {
        return await records.complete(claim, outcome)
      } catch {
        await sleep(delayMs)
      }
    }
    try {
      return await records.complete(claim, outcome)
    } catch (error) {
      await abandon(claim)
      throw error
    }
  }

  function endOfLease(): string {
    return new Date(clock.now().getTime() + leaseMs).toISOString()
  }

  /** A batch waits longer than a lease where ClickHouse is slow and others wait before it. */
  async function recordWithLease(): Promise<Outcome> {
    const renewing = setInterval(() => {
      // One that fails is repeated by the next.
      records.renew(claim, endOfLease()).catch(() => undefined)
    }, renewEveryMs)
    try {
      return await record()
    } catch (error) {
      await abandon(claim)
      throw error
    } finally {
      clearInterval(renewing)
    }
  }

  async function findOutcome(): Promise<Omit<Recorded, 'repeated'> | undefined> {
    const outcome = (await records.find(claim.project_id, claim.key))?.outcome ?? null
    return outcome === null ? undefined : (JSON.parse(outcome) as Omit<Recorded, 'repeated'>)
  }
}

/** Throws when the other batch takes longer. */
async function waitFor<T>(other: Promise<T>, until: number): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(isBeingStored()), until - performance.now())
  try {
    return await Promise.race([other, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

const isBeingStored = () =>
  new Unavailable('Another batch with this idempotency key is being stored.', 2)
