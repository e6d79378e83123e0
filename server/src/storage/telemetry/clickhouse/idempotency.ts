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

/** Longer than a batch takes, and no longer than its sender waits to send it again. */
const leaseMs = 60_000
/** How long a batch waits for another one with its key. */
const waitMs = 5000
const pollMs = 50

/** Stores the batch of the key once; everyone else gets its outcome. */
export async function recordOnce(
  records: IdempotencyRecords,
  clock: Clock,
  projectId: string,
  { key, note }: IdempotencyRecord,
  record: () => Promise<Outcome>,
): Promise<Recorded> {
  const claim = { project_id: projectId, key, claim_id: randomUUID() }
  const waitUntil = performance.now() + waitMs
  while (!(await tryClaim())) {
    const completed = await findOutcome()
    if (completed !== undefined) return { ...completed, repeated: true }
    if (performance.now() > waitUntil) {
      throw new Unavailable('Another batch with this idempotency key is being stored.', 2)
    }
    await sleep(pollMs)
  }
  const recorded = await recordClaimed()
  return { ...recorded, repeated: false }

  async function tryClaim(): Promise<boolean> {
    const now = clock.now()
    const leasedUntil = new Date(now.getTime() + leaseMs).toISOString()
    const at = now.toISOString()
    const row = { ...claim, leased_until: leasedUntil, outcome: null, created_at: at }
    return await records.claim(row, at)
  }

  async function findOutcome(): Promise<Omit<Recorded, 'repeated'> | undefined> {
    const outcome = (await records.find(projectId, key))?.outcome ?? null
    return outcome === null ? undefined : (JSON.parse(outcome) as Omit<Recorded, 'repeated'>)
  }

  async function recordClaimed(): Promise<Omit<Recorded, 'repeated'>> {
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
    return recorded
  }
}
