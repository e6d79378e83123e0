import { diffArrays } from 'diff'

/** The positions of an item that both lists contain. */
export type Pair = readonly [a: number, b: number]

/** Bounds the time for very different lists: the diff is quadratic in the number of edits. */
const maxEditLength = 2000

/**
 * Items in common, in the order of both lists: as many as possible for similar lists, a good match for very
 * different ones. Swapping the lists only swaps the sides of the pairs.
 */
export function commonSequence(a: readonly string[], b: readonly string[]): readonly Pair[] {
  if (a.join('\n') > b.join('\n')) return commonSequence(b, a).map(([one, other]) => [other, one])
  const changes = diffArrays([...a], [...b], { maxEditLength })
  if (changes === undefined) return greedySequence(a, b)
  const pairs: Pair[] = []
  let atA = 0
  let atB = 0
  for (const { added, removed, count } of changes) {
    if (!added && !removed) {
      for (let at = 0; at < count; at += 1) pairs.push([atA + at, atB + at])
    }
    if (!added) atA += count
    if (!removed) atB += count
  }
  return pairs
}

const maxSkipped = 20

/** Matches each item with its next occurrence, unless that would skip too many others. */
function greedySequence(a: readonly string[], b: readonly string[]): readonly Pair[] {
  const pairs: Pair[] = []
  let next = 0
  for (const [at, item] of a.entries()) {
    const skipped = b.slice(next, next + maxSkipped).indexOf(item)
    if (skipped === -1) continue
    pairs.push([at, next + skipped])
    next += skipped + 1
  }
  return pairs
}
