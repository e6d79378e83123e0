import { diffArrays } from 'diff'

type Pair = readonly [a: number, b: number]

/** Items that only one of two lists has, up to the next item in common. */
export interface DiffStep<T> {
  readonly onlyA: readonly T[]
  readonly onlyB: readonly T[]
  /** Empty at the end of the lists. */
  readonly common: readonly (readonly [a: T, b: T])[]
}

/**
 * Both lists in order, with as many items in common as possible if they are similar, and a good match if they are
 * very different. Swapping the lists only swaps the sides.
 */
export function diffLists<T>(
  a: readonly T[],
  b: readonly T[],
  keyOf: (item: T) => string,
): readonly DiffStep<T>[] {
  const pairs = commonPairs(a.map(keyOf), b.map(keyOf))
  return [...pairs, [a.length, b.length] as const].map(([atA, atB], step) => {
    const [lastA, lastB] = pairs[step - 1] ?? [-1, -1]
    return {
      onlyA: a.slice(lastA + 1, atA),
      onlyB: b.slice(lastB + 1, atB),
      common: step < pairs.length ? [[a[atA] as T, b[atB] as T]] : [],
    }
  })
}

/** Bounds the time for very different lists: the diff is quadratic in the number of edits. */
const maxEditLength = 2000

function commonPairs(a: readonly string[], b: readonly string[]): readonly Pair[] {
  // Of several equally good matches, the diff may find another one if the lists are swapped.
  if (a.join('\n') > b.join('\n')) return commonPairs(b, a).map(([one, other]) => [other, one])
  const changes = diffArrays([...a], [...b], { maxEditLength, oneChangePerToken: true })
  if (changes === undefined) return greedyPairs(a, b)
  const pairs: Pair[] = []
  let atA = 0
  let atB = 0
  for (const { added, removed } of changes) {
    if (!added && !removed) pairs.push([atA, atB])
    if (!added) atA += 1
    if (!removed) atB += 1
  }
  return pairs
}

const maxSkipped = 20

/** Matches each item with its next occurrence, unless that would skip too many others. */
function greedyPairs(a: readonly string[], b: readonly string[]): readonly Pair[] {
  let next = 0
  return a.flatMap((item, at): Pair[] => {
    const found = b.slice(next, next + maxSkipped).indexOf(item)
    if (found === -1) return []
    next += found + 1
    return [[at, next - 1]]
  })
}
