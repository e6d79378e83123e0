import { setImmediate as nextTurn } from 'node:timers/promises'

/** Few enough that the most expensive ones delay other requests by milliseconds. */
const itemsPerTurn = 20

/** Maps many items on the main thread, with other requests in between. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  toResult: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += itemsPerTurn) {
    if (at > 0) await nextTurn()
    results.push(...items.slice(at, at + itemsPerTurn).map(toResult))
  }
  return results
}
