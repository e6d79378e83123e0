/** A copy of the list with the item at `from` moved to `to`; the list itself if either is outside of it. */
export function moveItem<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const isInside = (at: number) => at >= 0 && at < items.length
  if (!isInside(from) || !isInside(to)) return items
  return items.toSpliced(from, 1).toSpliced(to, 0, items[from]!)
}
