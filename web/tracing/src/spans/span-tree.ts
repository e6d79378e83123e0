import type { ListedSpan } from '@assay/contract/traces.ts'
import { instantMs } from '@assay/ui/time-format.ts'

/*
 * The spans of a trace as a forest. Iterative and linear, so that deep chains and parent cycles are safe.
 */

export interface SpanNode {
  readonly span: ListedSpan
  /** Position in `nodes`, -1 for a root. */
  readonly parent: number
  /** Positions in `nodes`, in the order of the spans. */
  readonly children: readonly number[]
  readonly depth: number
  /** The number of descendants. */
  readonly below: number
  /** The number of failed descendants. */
  readonly errorsBelow: number
  /** A root that was sent without an end, although something within it happened later. It is drawn to the end of that. */
  readonly isOpen: boolean
  /** `orphan`: the parent was never received, shown as a root. `cycle`: a parent cycle was cut here. */
  readonly anomaly?: 'orphan' | 'cycle'
}

export interface SpanTree {
  /** In the order of the spans. */
  readonly nodes: readonly SpanNode[]
  readonly roots: readonly number[]
  /** Display order of the fully expanded tree. */
  readonly order: readonly number[]
  readonly positionById: ReadonlyMap<string, number>
  /** Epoch milliseconds. */
  readonly startMs: Float64Array
  readonly endMs: Float64Array
}

interface Draft {
  span: ListedSpan
  parent: number
  children: number[]
  depth: number
  below: number
  errorsBelow: number
  isOpen: boolean
  anomaly?: 'orphan' | 'cycle'
}

/** Builds the forest. The order of `spans` is the order among siblings. */
export function buildTree(spans: readonly ListedSpan[]): SpanTree {
  const positionById = new Map(spans.map((span, at) => [span.span_id, at]))
  const nodes = spans.map((span): Draft => toDraft(span, positionById))
  const roots: number[] = []
  for (const [at, node] of nodes.entries()) {
    if (node.parent === -1) roots.push(at)
    else nodes[node.parent]?.children.push(at)
  }

  let order = orderFrom(nodes, roots)
  if (order.length < nodes.length) {
    roots.push(...cutCycles(nodes, order))
    roots.sort((one, other) => one - other)
    order = orderFrom(nodes, roots)
  }
  const startMs = Float64Array.from(spans, ({ started_at }) => instantMs(started_at))
  const endMs = Float64Array.from(spans, ({ ended_at }) => instantMs(ended_at))
  extendOpenRoots(nodes, order, endMs)
  return { nodes: totaled(nodes, order), roots, order, positionById, startMs, endMs }
}

/** A trace is stored in the same way: `unfinished` in contract/src/traces.ts. */
function extendOpenRoots(nodes: readonly Draft[], order: readonly number[], endMs: Float64Array) {
  let rootAt = -1
  for (const at of order) {
    const node = nodes[at] as Draft
    if (node.parent === -1) rootAt = at
    const root = nodes[rootAt] as Draft
    if (root.span.latency_ms !== 0 || endMs[at]! <= endMs[rootAt]!) continue
    root.isOpen = true
    endMs[rootAt] = endMs[at]!
  }
}

function toDraft(span: ListedSpan, positionById: ReadonlyMap<string, number>): Draft {
  const { parent_span_id } = span
  const parent = parent_span_id === null ? -1 : (positionById.get(parent_span_id) ?? -1)
  const draft = { span, parent, children: [], depth: 0, below: 0, errorsBelow: 0, isOpen: false }
  return parent_span_id !== null && parent === -1 ? { ...draft, anomaly: 'orphan' } : draft
}

/** Preorder from the roots, setting depths. Does not reach spans in or below a cycle. */
function orderFrom(nodes: readonly Draft[], roots: readonly number[]): number[] {
  const order: number[] = []
  const waiting = [...roots].reverse()
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    order.push(at)
    const node = nodes[at]
    if (node === undefined) continue
    node.depth = node.parent === -1 ? 0 : (nodes[node.parent]?.depth ?? 0) + 1
    for (let child = node.children.length - 1; child >= 0; child -= 1) {
      waiting.push(node.children[child] as number)
    }
  }
  return order
}

/** Makes the first span of each cycle a root and returns these roots. */
function cutCycles(nodes: readonly Draft[], reached: readonly number[]): number[] {
  // 0: unvisited; otherwise the number of the walk. A walk that meets itself has found a cycle.
  const visitedBy = new Int32Array(nodes.length)
  for (const at of reached) visitedBy[at] = -1
  const cut: number[] = []
  for (let start = 0; start < nodes.length; start += 1) {
    let at = start
    while (visitedBy[at] === 0) {
      visitedBy[at] = start + 1
      at = nodes[at]?.parent ?? -1
    }
    if (visitedBy[at] !== start + 1) continue
    const root = firstOfCycle(nodes, at)
    const node = nodes[root] as Draft
    const siblings = nodes[node.parent]?.children
    siblings?.splice(siblings.indexOf(root), 1)
    node.parent = -1
    node.anomaly = 'cycle'
    cut.push(root)
  }
  return cut
}

function firstOfCycle(nodes: readonly Draft[], member: number): number {
  let first = member
  for (let at = nodes[member]?.parent ?? member; at !== member; at = nodes[at]?.parent ?? member) {
    first = Math.min(first, at)
  }
  return first
}

/** In reverse order, every child is complete before its parent. */
function totaled(nodes: readonly Draft[], order: readonly number[]): readonly SpanNode[] {
  for (const at of order.toReversed()) {
    const node = nodes[at] as Draft
    const parent = nodes[node.parent]
    if (parent === undefined) continue
    parent.below += node.below + 1
    parent.errorsBelow += node.errorsBelow + (node.span.status === 'ERROR' ? 1 : 0)
  }
  return nodes
}

/** Positions from the root to the parent. */
export function listAncestors({ nodes }: SpanTree, position: number): readonly number[] {
  const ancestors: number[] = []
  for (let at = nodes[position]?.parent ?? -1; at !== -1; at = nodes[at]?.parent ?? -1) {
    ancestors.push(at)
  }
  return ancestors.reverse()
}
