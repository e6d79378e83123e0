import type { ListedSpan } from '@assay/contract/traces.ts'
import type { SpanNode, SpanTree } from '../../spans/span-tree.ts'
import { diffLists } from './diff-lists.ts'

/*
 * Aligns two traces: children of matched spans are matched by kind and name, in order. Unmatched spans belong to
 * one side, with all their descendants. Swapping the traces swaps the sides and matches the same spans.
 */

export interface AlignedSpan {
  /** The ID of the span in A, or in B if A does not have it: `a:7f3e`. */
  readonly id: string
  readonly a: ListedSpan | undefined
  readonly b: ListedSpan | undefined
  readonly depth: number
}

type Pair = readonly [a: SpanNode | undefined, b: SpanNode | undefined]

/** All spans of both traces in display order, with matched spans as one row. */
export function align(a: SpanTree, b: SpanTree): readonly AlignedSpan[] {
  const listNodes = (tree: SpanTree, positions: readonly number[] = []) =>
    positions.map((at) => tree.nodes[at] as SpanNode)
  const aligned: AlignedSpan[] = []
  const roots = matchRoots(listNodes(a, a.roots), listNodes(b, b.roots))
  const stack = roots.map((pair) => ({ pair, depth: 0 })).reverse()
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { pair, depth } = next
    const [one, other] = pair
    const id = one === undefined ? `b:${other?.span.span_id}` : `a:${one.span.span_id}`
    aligned.push({ id, a: one?.span, b: other?.span, depth })
    const children = match(listNodes(a, one?.children), listNodes(b, other?.children))
    for (const child of children.toReversed()) stack.push({ pair: child, depth: depth + 1 })
  }
  return aligned
}

/** Single roots always match, regardless of their names. */
function matchRoots(ofA: readonly SpanNode[], ofB: readonly SpanNode[]): readonly Pair[] {
  return ofA.length === 1 && ofB.length === 1 ? [[ofA[0], ofB[0]]] : match(ofA, ofB)
}

/** Matches siblings: between matches, first the spans of A, then those of B. */
function match(ofA: readonly SpanNode[], ofB: readonly SpanNode[]): readonly Pair[] {
  return diffLists(ofA, ofB, toAlignmentKey).flatMap(
    ({ onlyA, onlyB, common }): readonly Pair[] => [
      ...onlyA.map((node) => [node, undefined] as const),
      ...onlyB.map((node) => [undefined, node] as const),
      ...common,
    ],
  )
}

function toAlignmentKey({ span }: SpanNode): string {
  return `${span.kind}\n${span.name}`
}
