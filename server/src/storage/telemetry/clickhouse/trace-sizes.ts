import type { Requester } from '../../../platform/requester.ts'

/*
 * How many stored spans traces have: all of them are read again when one is added, so that they are what a batch costs.
 */

/** By the key of a trace; new ones have none. */
export type StoredSpans = ReadonlyMap<string, number>

/** Of which traces of one organization have together in a group of batches; a trace of so many takes some 0.4 s. */
const spansOfOrganization = 5000
/** Of a group of large batches, unless all change the same traces: as many are read at once. */
const spansAtOnce = 100_000

/** A batch that changes larger traces than may be changed together with those of others. */
export interface LargeBatch<Batch> {
  readonly batch: Batch
  readonly requester: Requester
  readonly storedSpans: StoredSpans
}

/** Those among some batches. */
export function findLarge<Batch>(
  batches: readonly LargeBatch<Batch>[],
): ReadonlyMap<Batch, LargeBatch<Batch>> {
  const taken = new Map<string, StoredSpans>()
  const large = new Map<Batch, LargeBatch<Batch>>()
  for (const each of batches) {
    const [organizationId] = each.requester
    const together = new Map([...(taken.get(organizationId) ?? []), ...each.storedSpans])
    if (sumOf(together) > spansOfOrganization) large.set(each.batch, each)
    else taken.set(organizationId, together)
  }
  return large
}

/** Whether a batch may be stored together with others: it changes the same traces, or few spans are read in all. */
export function fitsWith(
  group: readonly LargeBatch<unknown>[],
  next: LargeBatch<unknown>,
): boolean {
  const before = new Map(group.flatMap(({ storedSpans }) => [...storedSpans]))
  const isAdded = [...next.storedSpans.keys()].some((key) => !before.has(key))
  return !isAdded || sumOf(new Map([...before, ...next.storedSpans])) <= spansAtOnce
}

function sumOf(storedSpans: StoredSpans): number {
  return storedSpans.values().reduce((sum, count) => sum + count, 0)
}
