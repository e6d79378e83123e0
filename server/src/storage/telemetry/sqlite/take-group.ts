import type { TakenItem } from '../../../platform/fair-queue.ts'
import type { MemberQueue } from '../../../platform/member-queue.ts'
import type { Requester } from '../../../platform/requester.ts'
import type { Batch } from './writer.ts'

/*
 * Which batches are stored in one transaction. One commit for many is cheaper, but each of them waits for all others of
 * its group, so groups of several projects are shorter.
 */

// A group ends here: larger groups delay their first batch and do not make commits cheaper.
const groupBatches = 1000
const groupBytes = 2 * 1024 * 1024
const groupMs = 60
/** While batches of several projects are in the group or wait. */
const sharedGroupMs = 20

/** After a batch that takes longer, batches that arrived meanwhile take part in the turns. */
const longBatchMs = 5

export interface GroupOptions<Item> {
  readonly waiting: MemberQueue<Item>
  /** Undefined where it must not be stored with others. */
  readonly findBatch: (item: Item) => Batch | undefined
  /** Adds the items that have arrived to the queue. */
  readonly receive: () => void
  readonly monotonicMs: () => number
}

/** Takes the batches of a group one by one, each added to `group`, until a limit. */
export function* takeGroup<Item>(
  first: TakenItem<Item>,
  group: TakenItem<Item>[],
  { waiting, findBatch, receive, monotonicMs }: GroupOptions<Item>,
): Generator<Batch, void> {
  const projectId = findBatch(first.item)?.projectId
  const isOther = ([, otherId]: Requester) => otherId !== projectId
  let isShared = false
  let bytes = 0
  let takenMs = 0
  for (let next: typeof first | undefined = first; next !== undefined; ) {
    const batch = findBatch(next.item)
    if (batch === undefined) return next.putBack(0)
    group.push(next)
    bytes += batch.parts.reduce((sum, { length }) => sum + length, 0)
    const takenAt = monotonicMs()
    yield batch
    const elapsedMs = monotonicMs() - takenAt
    // At once, so that a batch that arrives now takes its place by what was done, not by what was expected.
    next.charge(elapsedMs)
    takenMs += elapsedMs
    if (elapsedMs > longBatchMs) receive()
    isShared ||= batch.projectId !== projectId || waiting.hasFor(isOther)
    const isFull = group.length === groupBatches || bytes > groupBytes
    next = isFull
      ? undefined
      : waiting.take(undefined, (isShared ? sharedGroupMs : groupMs) - takenMs)
  }
}
