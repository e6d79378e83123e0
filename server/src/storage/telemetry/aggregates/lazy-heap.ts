/** When more entries at the top are invalid, one pass over all entries is faster. */
const removedOneByOne = 100

/** A binary heap whose entries may become invalid; invalid entries are dropped when they reach the top. */
export class LazyHeap<T> {
  #items: T[] = []
  readonly #isBefore: (a: T, b: T) => boolean
  readonly #isValid: (item: T) => boolean

  constructor(isBefore: (a: T, b: T) => boolean, isValid: (item: T) => boolean) {
    this.#isBefore = isBefore
    this.#isValid = isValid
  }

  push(item: T): void {
    const items = this.#items
    let index = items.length
    while (index > 0) {
      const above = (index - 1) >>> 1
      if (!this.#isBefore(item, items[above]!)) break
      items[index] = items[above]!
      index = above
    }
    items[index] = item
  }

  /** The first valid entry. */
  first(): T | undefined {
    for (let removed = 0; ; removed += 1) {
      const item = this.#items[0]
      if (item === undefined || this.#isValid(item)) return item
      if (removed === removedOneByOne) this.#removeInvalid()
      else this.#removeFirst()
    }
  }

  #removeInvalid(): void {
    const items = this.#items
    this.#items = []
    for (const item of items) if (this.#isValid(item)) this.push(item)
  }

  #removeFirst(): void {
    const items = this.#items
    const last = items.pop()!
    if (items.length === 0) return
    let index = 0
    for (;;) {
      let below = 2 * index + 1
      if (below >= items.length) break
      if (below + 1 < items.length && this.#isBefore(items[below + 1]!, items[below]!)) below += 1
      if (!this.#isBefore(items[below]!, last)) break
      items[index] = items[below]!
      index = below
    }
    items[index] = last
  }
}
