import type { SpanTree } from '../../spans/span-tree.ts'
import { commonSequence, type Pair } from './common-sequence.ts'

/*
 * Aligns two traces: children of matched spans are matched by kind and name, in order. Unmatched spans belong to
 * one side, with all their descendants. Swapping the traces swaps the sides and matches the same spans.
 */

export interface AlignedSpan {
  /** Position in the tree of A, -1 if only B has the span. */
  readonly a: number
  readonly b: number
  readonly depth: number
  /** Index of the parent in the aligned spans, -1 for a root. */
  readonly parent: number
}

interface Waiting {
  readonly a: number
  readonly b: number
  readonly depth: number
  readonly parent: number
}

const none: readonly number[] = []

/** All spans of both traces in display order, with matched spans as one row. */
export function align(a: SpanTree, b: SpanTree): readonly AlignedSpan[] {
  const aligned: AlignedSpan[] = []
  const waiting: Waiting[] = []
  const put = (roots: readonly Pair[], depth: number, parent: number) => {
    for (let at = roots.length - 1; at >= 0; at -= 1) {
      const [one, other] = roots[at] as Pair
      waiting.push({ a: one, b: other, depth, parent })
    }
  }
  put(rootsOf(a, b), 0, -1)
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const place = aligned.push(next) - 1
    const ofA = next.a === -1 ? none : (a.nodes[next.a]?.children ?? none)
    const ofB = next.b === -1 ? none : (b.nodes[next.b]?.children ?? none)
    put(siblings(a, b, ofA, ofB), next.depth + 1, place)
  }
  return aligned
}

/** Single roots always match, regardless of their names. */
function rootsOf(a: SpanTree, b: SpanTree): readonly Pair[] {
  const [one] = a.roots
  const [other] = b.roots
  const isOneEach = a.roots.length === 1 && b.roots.length === 1
  if (isOneEach && one !== undefined && other !== undefined) return [[one, other]]
  return siblings(a, b, a.roots, b.roots)
}

/** Merges two lists of siblings: between matches, first the spans of A, then those of B. */
function siblings(
  a: SpanTree,
  b: SpanTree,
  ofA: readonly number[],
  ofB: readonly number[],
): readonly Pair[] {
  const matched = commonSequence(ofA.map(keyIn(a)), ofB.map(keyIn(b)))
  const rows: Pair[] = []
  let nextA = 0
  let nextB = 0
  const passTo = (untilA: number, untilB: number) => {
    for (; nextA < untilA; nextA += 1) rows.push([ofA[nextA] as number, -1])
    for (; nextB < untilB; nextB += 1) rows.push([-1, ofB[nextB] as number])
  }
  for (const [atA, atB] of matched) {
    passTo(atA, atB)
    rows.push([ofA[atA] as number, ofB[atB] as number])
    nextA = atA + 1
    nextB = atB + 1
  }
  passTo(ofA.length, ofB.length)
  return rows
}

function keyIn({ nodes }: SpanTree): (position: number) => string {
  return (position) => {
    const span = nodes[position]?.span
    return `${span?.kind}\n${span?.name}`
  }
}
