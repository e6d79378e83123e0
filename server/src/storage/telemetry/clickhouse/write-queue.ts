import { Unavailable } from '../../../platform/failure.ts'
import { openByteBudget } from '../../../platform/member-budget.ts'
import { openMemberQueue } from '../../../platform/member-queue.ts'
import type { Requester } from '../../../platform/requester.ts'
import { isServerFailure } from './connection-errors.ts'

/*
 * Batches that wait to be stored. While some are being stored, those that arrive form the next group, so that a group of
 * many senders costs as few statements as one of a single sender. Organizations take turns.
 */

/** Stores a batch together with others. Rejects with Unavailable when too much is waiting. */
export type WriteQueue<Batch, Outcome> = (
  requester: Requester,
  batch: Batch,
  sizeBytes: number,
) => Promise<Outcome>

/**
 * Stores batches together: one outcome for each, or a promise for which the others do not wait. Rejects when nothing is
 * known of any of them.
 */
export type StoreGroup<Batch, Outcome> = (
  batches: readonly Batch[],
) => Promise<readonly (Outcome | Promise<Outcome>)[]>

export interface WaitingBatch<Batch, Outcome> {
  readonly batch: Batch
  readonly outcome: PromiseWithResolvers<Outcome>
}

interface Waiting<Batch, Outcome> extends WaitingBatch<Batch, Outcome> {
  readonly sizeBytes: number
}

const waitingBytesMax = 256 * 1024 * 1024
/** Larger groups delay their first batch and make a row no cheaper. */
const groupBytesMax = 8 * 1024 * 1024
const groupBatchesMax = 1000

export function openWriteQueue<Batch, Outcome>(
  storeGroup: StoreGroup<Batch, Outcome>,
): WriteQueue<Batch, Outcome> {
  const waiting = openMemberQueue<Waiting<Batch, Outcome>>()
  const budget = openByteBudget({
    ...{ total: waitingBytesMax, ofOrganization: waitingBytesMax / 2, ofUser: waitingBytesMax / 4 },
    refusal: 'Too much is waiting to be stored.',
  })
  let running: Promise<void> | undefined

  const takeGroup = () => {
    const group: Waiting<Batch, Outcome>[] = []
    let bytes = 0
    while (bytes < groupBytesMax && group.length < groupBatchesMax) {
      const next = waiting.take()
      if (next === undefined) break
      group.push(next.item)
      bytes += next.item.sizeBytes
      // A turn costs what the batch adds to the group.
      next.charge(1 + next.item.sizeBytes / 1024)
    }
    return group
  }
  const run = async () => {
    for (let group = takeGroup(); group.length > 0; group = takeGroup()) {
      await storeTogether(group, storeGroup)
    }
    running = undefined
  }
  return async (requester, batch, sizeBytes) => {
    const release = budget.take(requester, sizeBytes)
    try {
      const outcome = Promise.withResolvers<Outcome>()
      waiting.add(requester, { batch, sizeBytes, outcome })
      // Batches that arrive in the same turn of the event loop are stored together.
      running ??= Promise.resolve().then(run)
      return await outcome.promise
    } finally {
      release()
    }
  }
}

/** Settles the outcome of each batch. */
export async function storeTogether<Batch, Outcome>(
  group: readonly WaitingBatch<Batch, Outcome>[],
  storeGroup: StoreGroup<Batch, Outcome>,
): Promise<void> {
  try {
    const outcomes = await storeGroup(group.map(({ batch }) => batch))
    for (const [index, { outcome }] of group.entries()) outcome.resolve(outcomes[index]!)
  } catch (error) {
    // A server that fails would do so for each of them.
    if (group.length === 1 || error instanceof Unavailable || isServerFailure(error)) {
      for (const { outcome } of group) outcome.reject(error)
      return
    }
    // One of them caused it: stored one by one, only that one fails.
    for (const one of group) await storeTogether([one], storeGroup)
  }
}
