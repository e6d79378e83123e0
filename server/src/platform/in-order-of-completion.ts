/**
 * The results of `work` as they arrive; at most `atOnce` run at a time, and none starts before the last result is taken.
 * Ends only when all that has begun has ended; then rejects if `work` did.
 */
export async function* inOrderOfCompletion<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running = new Map<number, Promise<readonly [index: number, result: Result]>>()
  const entries = items.entries()
  try {
    for (;;) {
      while (running.size < atOnce) {
        const next = entries.next()
        if (next.done === true) break
        const [index, item] = next.value
        running.set(
          index,
          work(item).then((result) => [index, result] as const),
        )
      }
      if (running.size === 0) return
      const [index, result] = await Promise.race(running.values())
      running.delete(index)
      yield result
    }
  } finally {
    await Promise.allSettled(running.values())
  }
}
