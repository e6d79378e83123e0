/*
 * Finds texts that nearly repeat an earlier one: by the share of sequences of three words that both have. An index from
 * sequences to texts keeps a comparison with a thousand others fast.
 */

/** Jaccard index from which two texts count as the same. */
const sameFrom = 0.6
const wordsOfShingle = 3

export interface SeenTexts {
  /** Whether it is none of the earlier ones; then it is one of them from now on. */
  readonly add: (text: string) => boolean
}

export function openSeenTexts(): SeenTexts {
  const sizes: number[] = []
  const textsWith = new Map<string, number[]>()
  return {
    add(text) {
      const shingles = shinglesOf(text)
      const common = new Map<number, number>()
      for (const shingle of shingles) {
        for (const other of textsWith.get(shingle) ?? []) {
          common.set(other, (common.get(other) ?? 0) + 1)
        }
      }
      for (const [other, both] of common) {
        const either = shingles.size + (sizes[other] ?? 0) - both
        if (both / either >= sameFrom) return false
      }
      const own = sizes.push(shingles.size) - 1
      for (const shingle of shingles) {
        const texts = textsWith.get(shingle)
        if (texts === undefined) textsWith.set(shingle, [own])
        else texts.push(own)
      }
      return true
    },
  }
}

function shinglesOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const count = Math.max(1, words.length - wordsOfShingle + 1)
  return new Set(
    Array.from({ length: count }, (_, at) => words.slice(at, at + wordsOfShingle).join(' ')),
  )
}
