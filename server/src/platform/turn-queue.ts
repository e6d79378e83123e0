/*
 * A queue whose owners take turns: an owner with many items does not delay the items of others.
 */

export interface TurnQueue<Item> {
  readonly size: number
  add(owner: string, item: Item): void
  /** The oldest item of the owner whose turn it is. */
  take(): Item | undefined
  remove(owner: string, item: Item): void
}

export function createTurnQueue<Item>(): TurnQueue<Item> {
  // In the order of turns.
  const waiting = new Map<string, Item[]>()
  let size = 0
  return {
    get size() {
      return size
    },
    add(owner, item) {
      const own = waiting.get(owner)
      if (own === undefined) waiting.set(owner, [item])
      else own.push(item)
      size += 1
    },
    take() {
      const [next] = waiting
      if (next === undefined) return undefined
      const [owner, items] = next
      const item = items.shift()
      waiting.delete(owner)
      if (items.length > 0) waiting.set(owner, items)
      size -= 1
      return item
    },
    remove(owner, item) {
      const own = waiting.get(owner)
      const at = own?.indexOf(item) ?? -1
      if (own === undefined || at === -1) return
      own.splice(at, 1)
      if (own.length === 0) waiting.delete(owner)
      size -= 1
    },
  }
}
