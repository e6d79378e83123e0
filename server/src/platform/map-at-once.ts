/** The results of `work` for all items, in their order; at most `atOnce` run at a time. The first failure rejects. */
export async function mapAtOnce<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const entries = items.entries()
  const runNext = async () => {
    for (const [index, item] of entries) results[index] = await work(item, index)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, runNext))
  return results
}
