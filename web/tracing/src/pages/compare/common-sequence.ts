/*
 * What two lists have in common, in the order of both. The work is bounded: where an exact answer would cost too
 * much, a good one is given. Exchanging the lists exchanges the sides of each pair and changes nothing else.
 */

/** A place in the one list and a place in the other that hold the same. */
export type Pair = readonly [a: number, b: number]

/** Comparisons that an exact answer may take. */
const maxCells = 4_000_000

/** Pairs of places with equal words, rising in both lists; as many as there can be, if the lists are not too long. */
export function commonSequence(a: readonly string[], b: readonly string[]): readonly Pair[] {
  return isInOrder(a, b)
    ? ordered(a, b)
    : ordered(b, a).map(([one, other]) => [other, one] as const)
}

/** Which of two lists comes first is a matter of what they hold, so that the answer has no favorite side. */
function isInOrder(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return a.length < b.length
  for (const [at, word] of a.entries()) {
    const other = b[at] as string
    if (word !== other) return word < other
  }
  return true
}

function ordered(a: readonly string[], b: readonly string[]): readonly Pair[] {
  const least = Math.min(a.length, b.length)
  let head = 0
  while (head < least && a[head] === b[head]) head += 1
  let tail = 0
  while (tail < least - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1

  const inB = new Set(b.slice(head, b.length - tail))
  const remaining = placesOf(a, head, tail).filter((at) => inB.has(a[at] as string))
  const inA = new Set(remaining.map((at) => a[at] as string))
  const right = placesOf(b, head, tail).filter((at) => inA.has(b[at] as string))
  const isSmall = remaining.length * right.length <= maxCells
  const middle = isSmall
    ? longest(a, b, remaining, right)
    : rising(occurrences(a, b, remaining, right))
  return [
    ...Array.from({ length: head }, (_, at): Pair => [at, at]),
    ...middle,
    ...Array.from({ length: tail }, (_, at): Pair => [a.length - tail + at, b.length - tail + at]),
  ]
}

function placesOf(list: readonly string[], head: number, tail: number): readonly number[] {
  return Array.from({ length: list.length - head - tail }, (_, at) => head + at)
}

/** The longest there is, by a table of all pairs of places. */
function longest(
  a: readonly string[],
  b: readonly string[],
  remaining: readonly number[],
  right: readonly number[],
): readonly Pair[] {
  const width = right.length + 1
  const lengths = new Uint32Array((remaining.length + 1) * width)
  for (let i = remaining.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      const isSame = a[remaining[i] as number] === b[right[j] as number]
      const down = lengths[(i + 1) * width + j] as number
      const aside = lengths[i * width + j + 1] as number
      lengths[i * width + j] = isSame
        ? (lengths[(i + 1) * width + j + 1] as number) + 1
        : Math.max(down, aside)
    }
  }
  const pairs: Pair[] = []
  for (let i = 0, j = 0; i < remaining.length && j < right.length; ) {
    const one = remaining[i] as number
    const other = right[j] as number
    if (a[one] === b[other]) {
      pairs.push([one, other])
      i += 1
      j += 1
    } else if ((lengths[(i + 1) * width + j] as number) >= (lengths[i * width + j + 1] as number)) {
      i += 1
    } else {
      j += 1
    }
  }
  return pairs
}

/** The first of a word in the one list with its first in the other, the second with the second, and so on. */
function occurrences(
  a: readonly string[],
  b: readonly string[],
  remaining: readonly number[],
  right: readonly number[],
): readonly Pair[] {
  const waiting = new Map<string, number[]>()
  for (const at of right.toReversed()) {
    const word = b[at] as string
    const places = waiting.get(word)
    if (places === undefined) waiting.set(word, [at])
    else places.push(at)
  }
  return remaining.flatMap((at): Pair[] => {
    const other = waiting.get(a[at] as string)?.pop()
    return other === undefined ? [] : [[at, other]]
  })
}

/** As many of the pairs as rise on the second side too. */
function rising(pairs: readonly Pair[]): readonly Pair[] {
  // The end of the best chain of each length, and who stands before each pair in its chain.
  const ends: number[] = []
  const before = new Int32Array(pairs.length)
  const sideB = (at: number) => (pairs[at] as Pair)[1]
  for (let at = 0; at < pairs.length; at += 1) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (sideB(ends[middle] as number) < sideB(at)) low = middle + 1
      else high = middle
    }
    before[at] = low === 0 ? -1 : (ends[low - 1] as number)
    ends[low] = at
  }
  const chain: Pair[] = []
  for (let at = ends.at(-1) ?? -1; at !== -1; at = before[at] as number)
    chain.push(pairs[at] as Pair)
  return chain.reverse()
}
