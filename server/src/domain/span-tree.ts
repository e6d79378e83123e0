import { compareIds } from './id-order.ts'
import type { SpanHead } from './span.ts'

/*
 * The tree that spans form through their parents, and which of them count for usage. Parents may be missing or form
 * cycles. Time and memory are linear in the number of spans, and nothing recurses, because a chain of calls may be as
 * long as the trace.
 */

type LinkedSpan = Pick<SpanHead, 'spanId' | 'parentSpanId' | 'startedAt'>
type UsageSpan = Pick<SpanHead, 'tokensIn' | 'tokensOut' | 'costUsd'>

/** The spans as a forest. Numbers are indexes into the list of spans. */
export interface SpanTree {
  /** -1 at a root, where the parent is not stored, and where a cycle was cut. */
  readonly parents: Int32Array
  /** Every span once, children before their parents. */
  readonly bottomUp: Int32Array
  /** Spans whose link to a stored parent was cut because it closed a cycle. */
  readonly cycleRoots: ReadonlySet<number>
}

export function treeOf(spans: readonly LinkedSpan[]): SpanTree {
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
  // What is still unvisited is on a cycle: every other span has been reached from its lowest children.
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
 * Tokens and dollars count apart, each in the innermost spans that have any: an agent may know the price of calls
 * that only count tokens.
 */

export function hasTokens({ tokensIn, tokensOut }: UsageSpan): boolean {
  return (tokensIn ?? 0) > 0 || (tokensOut ?? 0) > 0
}

export function hasCost({ costUsd }: UsageSpan): boolean {
  return (costUsd ?? 0) > 0
}

/** For each span 1 where a span below it has usage, which its own would count a second time. */
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
