import { compareIds } from '../../../domain/id-order.ts'

/** The first `max` distinct strings of those added, in byte order. */
export class SmallestStrings {
  readonly values = new Set<string>()
  readonly #max: number
  /** Sorted as soon as there are more values than `max`. */
  #sorted: string[] | null = null

  constructor(max: number) {
    this.#max = max
  }

  /** Returns the value that this one replaces. */
  add(value: string): string | undefined {
    if (this.values.has(value)) return undefined
    if (this.values.size < this.#max) {
      this.values.add(value)
      return undefined
    }
    this.#sorted ??= [...this.values].sort(compareIds)
    const last = this.#sorted.at(-1)!
    if (compareIds(value, last) > 0) return undefined
    this.values.delete(last)
    this.values.add(value)
    this.#sorted.pop()
    this.#sorted.splice(indexFor(this.#sorted, value), 0, value)
    return last
  }
}

function indexFor(sorted: readonly string[], value: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareIds(sorted[middle]!, value) < 0) low = middle + 1
    else high = middle
  }
  return low
}
