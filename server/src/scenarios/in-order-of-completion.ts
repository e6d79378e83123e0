/**
 * The results of `work` as they arrive; at most `atOnce` run at a time, and none starts before the last result is taken.
 * `work` must not reject.
 */
export async function* inOrderOfCompletion<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running = new Map<number, Promise<readonly [index: number, result: Result]>>()
  const entries = items.entries()
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
}
