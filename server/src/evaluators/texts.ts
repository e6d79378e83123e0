/*
 * Comparing texts of any length in bounded time.
 */

/** Longer texts are read up to here. */
export const textMax = 100_000

/** Lower case, without differences of spacing and Unicode form. */
export function normalizeText(text: string): string {
  return text.slice(0, textMax).normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}

/** Words and numbers in lower case. Each character of a script without spaces is a word. */
export function wordsIn(text: string): string[] {
  return (
    text
      .slice(0, textMax)
      .normalize('NFKC')
      .toLowerCase()
      .match(
        /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}]+|\p{N}+(?:[.,]\p{N}+)*/gu,
      ) ?? []
  )
}

/** The weight of the heaviest common subsequence: with weights of 0 and 1, its length. The time is the product of the lengths. */
export function commonSubsequence<A, B>(
  a: readonly A[],
  b: readonly B[],
  weigh: (a: A, b: B) => number,
): number {
  let above = new Float64Array(b.length + 1)
  for (const x of a) {
    const row = new Float64Array(b.length + 1)
    for (const [n, y] of b.entries()) {
      row[n + 1] = Math.max(above[n + 1]!, row[n]!, above[n]! + weigh(x, y))
    }
    above = row
  }
  return above[b.length]!
}

/** The harmonic mean of precision and recall of `common` elements; 1 for two empty lists. */
export function f1(common: number, lengthA: number, lengthB: number): number {
  return lengthA + lengthB === 0 ? 1 : (2 * common) / (lengthA + lengthB)
}
