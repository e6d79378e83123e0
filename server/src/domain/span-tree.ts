import { compareIds } from './id-order.ts'
import type { SpanHead } from './span.ts'

/*
 * The tree that spans form through their parents, and which of them count for usage. Parents may be missing
 * or form cycles. Time and memory are linear in the number of spans, and nothing recurses, because a trace
 * may be one long chain.
 */

type LinkedSpan = Pick<SpanHead, 'spanId' | 'parentSpanId' | 'startedAt'>
type UsageSpan = Pick<SpanHead, 'tokensIn' | 'tokensOut' | 'costUsd'>

/** The spans as a forest. Numbers are indexes into the list of spans. */
export interface SpanTree {
  /** -1 at a root, when the parent is not stored, and where a cycle was cut. */
  readonly parents: Int32Array
  /** Every span once, children before their parents. */
  readonly bottomUp: Int32Array
  /** Spans whose link to a stored parent was cut because it closed a cycle. */
  readonly cycleRoots: ReadonlySet<number>
}

export function buildSpanTree(spans: readonly LinkedSpan[]): SpanTree {
  const parents = storedParents(spans)
  const pendingChildren = new Int32Array(spans.length)
  for (const parent of parents) if (parent >= 0) pendingChildren[parent]! += 1

  const bottomUp = new Int32Array(spans.length)
  let visitedCount = 0
  // Visits a span, then its parent if that has no other unvisited child, and so on up.
  const visitFrom = (start: number) => {
    for (let index = start; index >= 0 && pendingChildren[index] === 0; ) {
      bottomUp[visitedCount++] = index
      pendingChildren[index] = -1
      const parent = parents[index]!
      if (parent >= 0) pendingChildren[parent]! -= 1
      index = parent
    }
  }
  for (let index = 0; index < spans.length; index += 1) visitFrom(index)

  const cycleRoots = new Set<number>()
  // Unvisited spans are on cycles: all others have been reached from their leaves.
  for (let index = 0; visitedCount < spans.length; index += 1) {
    if (pendingChildren[index]! <= 0) continue
    const first = earliestInCycle(spans, parents, index)
    const above = parents[first]!
    parents[first] = -1
    cycleRoots.add(first)
    pendingChildren[above]! -= 1
    visitFrom(above)
  }
  return { parents, bottomUp, cycleRoots }
}

function storedParents(spans: readonly LinkedSpan[]): Int32Array {
  const indexes = new Map<string, number>()
  for (let index = 0; index < spans.length; index += 1) indexes.set(spans[index]!.spanId, index)
  const parents = new Int32Array(spans.length).fill(-1)
  for (let index = 0; index < spans.length; index += 1) {
    const { parentSpanId } = spans[index]!
    const parent = parentSpanId === null ? undefined : indexes.get(parentSpanId)
    if (parent !== undefined && parent !== index) parents[index] = parent
  }
  return parents
}

function earliestInCycle(spans: readonly LinkedSpan[], parents: Int32Array, start: number): number {
  let earliest = start
  for (let index = parents[start]!; index !== start; index = parents[index]!) {
    if (isEarlier(spans[index]!, spans[earliest]!)) earliest = index
  }
  return earliest
}

export function isEarlier(a: LinkedSpan, b: LinkedSpan): boolean {
  if (a.startedAt !== b.startedAt) return a.startedAt < b.startedAt
  return compareIds(a.spanId, b.spanId) < 0
}

/*
 * Tokens and cost are counted separately, each in the innermost spans that have them: an agent span may
 * have the cost of calls that report only tokens.
 */

export function hasTokens({
  tokensIn,
  tokensOut,
}: Pick<SpanHead, 'tokensIn' | 'tokensOut'>): boolean {
  return (tokensIn ?? 0) > 0 || (tokensOut ?? 0) > 0
}

export function hasCost({ costUsd }: Pick<SpanHead, 'costUsd'>): boolean {
  return (costUsd ?? 0) > 0
}

/** For each span, 1 when a descendant has usage that the span's own would count twice. */
export function spansAbove<Span extends UsageSpan>(
  spans: readonly Span[],
  { parents, bottomUp }: SpanTree,
  hasUsage: (span: Span) => boolean,
): Uint8Array {
  const isAbove = new Uint8Array(spans.length)
  for (const index of bottomUp) {
    const parent = parents[index]!
    if (parent >= 0 && (isAbove[index] === 1 || hasUsage(spans[index]!))) isAbove[parent] = 1
  }
  return isAbove
}
