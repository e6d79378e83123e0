import { compareIds } from '../../../domain/id-order.ts'
import { isToolCall } from '../../../domain/tool-calls.ts'
import { type CountedSpan, reportableFields } from '../../../domain/trace-totals.ts'

/*
 * A span in a forest that grows in any order. Depth, root and enclosing tool call of a span are found
 * through union-find with path compression.
 */

export interface SpanNode<Span extends CountedSpan = CountedSpan> {
  readonly span: Span
  readonly isToolCall: boolean
  /** Whether it is counted, and linked with its parent if that is stored. */
  isLinked: boolean
  /** Null at a root, when the parent is not stored, and where a cycle was cut. */
  parent: SpanNode<Span> | null
  isCycleRoot: boolean
  hasChildren: boolean
  /** An `llm` span that is the direct parent of another. */
  isAroundCall: boolean
  isAboveTokens: boolean
  isAboveCost: boolean
  /** Another instrumentation's span of the same call counts. */
  isRepeated: boolean
  /** It counts beside the calls within it. */
  isSeparate: boolean
  /** An ancestor, and its distance in levels; null at a root. */
  up: SpanNode<Span> | null
  levels: number
  /** An ancestor with no tool call in between; null at a root and at a tool call. */
  callUp: SpanNode<Span> | null
  /** Set at roots only. */
  tree: Tree<Span> | null
  nextOpenCall: SpanNode<Span> | null
}

/** Data of a tree, stored at its root. */
export interface Tree<Span extends CountedSpan> {
  /** For each reportable field the span nearest to the root that has it. */
  readonly nearest: (SpanNode<Span> | null)[]
  /** MCP calls without an enclosing tool call: a list linked by `nextOpenCall`. */
  firstOpenCall: SpanNode<Span> | null
  lastOpenCall: SpanNode<Span> | null
  /**
   * Whether the root is in the heap of roots, and which of its nearest spans are in the heaps of their
   * fields.
   */
  isRanked: boolean
  readonly ranked: (SpanNode<Span> | null)[]
}

export function newNode<Span extends CountedSpan>(span: Span): SpanNode<Span> {
  const node: SpanNode<Span> = {
    span,
    isToolCall: isToolCall(span),
    isLinked: false,
    parent: null,
    isCycleRoot: false,
    hasChildren: false,
    isAroundCall: false,
    isAboveTokens: false,
    isAboveCost: false,
    isRepeated: false,
    isSeparate: false,
    up: null,
    levels: 0,
    callUp: null,
    tree: null,
    nextOpenCall: null,
  }
  return node
}

export function treeAt<Span extends CountedSpan>(root: SpanNode<Span>): Tree<Span> {
  root.tree ??= {
    nearest: reportableFields.map((field) => (root.span[field] === null ? null : root)),
    firstOpenCall: null,
    lastOpenCall: null,
    isRanked: false,
    ranked: reportableFields.map(() => null),
  }
  return root.tree
}

/** Afterwards `levels` is the depth of the node, except at the root. */
export function rootOfNode<Span extends CountedSpan>(node: SpanNode<Span>): SpanNode<Span> {
  let root = node
  let depth = 0
  for (; root.up !== null; root = root.up) depth += root.levels
  for (let each = node; each.up !== null && each.up !== root; ) {
    const { up, levels } = each
    each.up = root
    each.levels = depth
    depth -= levels
    each = up
  }
  return root
}

export function measureDepth<Span extends CountedSpan>(node: SpanNode<Span>): number {
  rootOfNode(node)
  return node.up === null ? 0 : node.levels
}

/** The nearest tool call at or above the node; the root when there is none. */
export function callAt<Span extends CountedSpan>(node: SpanNode<Span>): SpanNode<Span> {
  let top = node
  while (top.callUp !== null) top = top.callUp
  for (let each = node; each.callUp !== null && each.callUp !== top; ) {
    const { callUp } = each
    each.callUp = top
    each = callUp
  }
  return top
}

export function isEarlierNode(a: SpanNode, b: SpanNode): boolean {
  if (a.span.startedAt !== b.span.startedAt) return a.span.startedAt < b.span.startedAt
  return compareIds(a.span.spanId, b.span.spanId) < 0
}
