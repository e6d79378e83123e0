import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../../platform/clock.ts'
import { Unavailable } from '../../../platform/failure.ts'
import type { AccountStores } from '../../accounts/stores.ts'
import type { IdempotencyRecord, Recorded } from '../port/ingest.ts'
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

/** Longer than a batch takes, and no longer than its sender waits to send it again. */
const leaseMs = 60_000
/** How long a batch waits for another one with its key. */
const waitMs = 5000
/** Between two looks at the outcome of a batch that another process stores. */
const firstPollMs = 50
const longestPollMs = 500

export function openIdempotency(records: IdempotencyRecords, clock: Clock): RecordOnce {
  // Of the batches with one key, one uses the database; the others wait here, however many they are.
  const running = new Map<string, Promise<Recorded | undefined>>()
  return async (projectId, idempotency, record) => {
    const id = JSON.stringify([projectId, idempotency.key])
    const waitUntil = performance.now() + waitMs
    for (let other = running.get(id); other !== undefined; other = running.get(id)) {
      const recorded = await waitFor(other, waitUntil)
      if (recorded !== undefined) return { ...recorded, repeated: true }
    }
    const claim = { project_id: projectId, key: idempotency.key, claim_id: randomUUID() }
    const mine = recordClaimed({ records, clock, claim, waitUntil }, idempotency.note, record)
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
}

async function recordClaimed(
  { records, clock, claim, waitUntil }: ClaimPorts,
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
  let outcome: Outcome
  try {
    outcome = await record()
  } catch (error) {
    // Without it, the next batch with the key waits for the end of the lease.
    await records.release(claim).catch(() => undefined)
    throw error
  }
  const recorded = { ...outcome, note }
  if (outcome.traces.length === 0) await records.release(claim)
  else await records.complete(claim, JSON.stringify(recorded))
  return { ...recorded, repeated: false }

  async function tryClaim(): Promise<boolean> {
    const now = clock.now()
    const leasedUntil = new Date(now.getTime() + leaseMs).toISOString()
    const at = now.toISOString()
    const row = { ...claim, leased_until: leasedUntil, outcome: null, created_at: at }
    return await records.claim(row, at)
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
