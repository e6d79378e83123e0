import { distance } from 'fastest-levenshtein'

/*
 * Finds quotations in texts: exactly, or nearly at the places that share most of their words.
 */

const similarityMin = 0.95
/** Of one word; frequent words say little about the place. */
const positionsMax = 50
const windowsMax = 3
/** Characters that searches read, together. */
const searchedMax = 400_000_000

export class QuoteIndex {
  readonly #texts: readonly string[]
  readonly #length: number
  #left = searchedMax
  /** Each text as words, one list after the other. */
  readonly #words: string[] = []
  readonly #positions = new Map<string, number[]>()

  constructor(texts: readonly string[]) {
    this.#texts = texts.map(normalize)
    this.#length = this.#texts.reduce((sum, { length }) => sum + length, 0)
    for (const text of this.#texts) {
      for (const word of text.split(' ')) {
        const positions = this.#positions.get(word)
        if (positions === undefined) this.#positions.set(word, [this.#words.length])
        else if (positions.length < positionsMax) positions.push(this.#words.length)
        this.#words.push(word)
      }
    }
  }

  /** Past the limit every quotation counts as contained, because that is unknown. */
  contains(quotation: string): boolean {
    const wanted = normalize(quotation)
    if (wanted === '' || this.#left <= 0) return true
    this.#left -= this.#length
    return this.#texts.some((text) => text.includes(wanted)) || this.#isNearlyContained(wanted)
  }

  #isNearlyContained(wanted: string): boolean {
    const words = wanted.split(' ')
    return this.#likelyStarts(words).some((start) =>
      // A word can be left out or added.
      [0, -1, 1].some((more) => {
        const found = this.#words.slice(Math.max(0, start), start + words.length + more).join(' ')
        return similarity(found, wanted) >= similarityMin
      }),
    )
  }

  /** Where most words of the quotation stand in its order. */
  #likelyStarts(words: readonly string[]): readonly number[] {
    const votes = new Map<number, number>()
    for (const [offset, word] of words.entries()) {
      for (const position of this.#positions.get(word) ?? []) {
        const start = position - offset
        votes.set(start, (votes.get(start) ?? 0) + 1)
      }
    }
    return [...votes]
      .sort(([a, votesA], [b, votesB]) => votesB - votesA || a - b)
      .slice(0, windowsMax)
      .map(([start]) => start)
  }
}

function normalize(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function similarity(a: string, b: string): number {
  const longer = Math.max(a.length, b.length, 1)
  // Comparing takes the product of the lengths, and the difference of the lengths is a part of the distance.
  if (1 - Math.abs(a.length - b.length) / longer < similarityMin) return 0
  return 1 - distance(a, b) / longer
}
