import { compareIds } from './id-order.ts'

/** The first `max` distinct words of those added, in byte order. */
export class LeastWords {
  readonly words = new Set<string>()
  readonly #max: number
  /** Sorted as soon as there are more words than `max`. */
  #sorted: string[] | null = null

  constructor(max: number) {
    this.#max = max
  }

  add(word: string): void {
    if (this.words.has(word)) return
    if (this.words.size < this.#max) {
      this.words.add(word)
      return
    }
    this.#sorted ??= [...this.words].sort(compareIds)
    const last = this.#sorted.at(-1)!
    if (compareIds(word, last) > 0) return
    this.words.delete(last)
    this.words.add(word)
    this.#sorted.pop()
    this.#sorted.splice(indexFor(this.#sorted, word), 0, word)
  }
}

function indexFor(sorted: readonly string[], word: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareIds(sorted[middle]!, word) < 0) low = middle + 1
    else high = middle
  }
  return low
}
