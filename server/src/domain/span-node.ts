import { compareIds } from './id-order.ts'
import { isToolCall } from './tool-calls.ts'
import { type CountedSpan, reportableFields } from './trace-totals.ts'

/*
 * A span in a forest that grows in any order. The depth of a span, its root and the tool call around it are found
 * through union-find, whose paths are compressed as they are walked.
 */

export interface SpanNode<Span extends CountedSpan = CountedSpan> {
  readonly span: Span
  readonly isToolCall: boolean
  /** Null at a root, where the parent is not stored, and where a cycle was cut. */
  parent: SpanNode<Span> | null
  isCycleRoot: boolean
  hasChildren: boolean
  /** An `llm` span directly around another. */
  isAroundCall: boolean
  isAboveTokens: boolean
  isAboveCost: boolean
  /** A span above, and by how many levels; null at a root. */
  up: SpanNode<Span> | null
  levels: number
  /** A span above, with no tool call from here up to it; null at a root and at a tool call. */
  callUp: SpanNode<Span> | null
  /** Of a root only. */
  tree: Tree<Span> | null
  nextOpenCall: SpanNode<Span> | null
}

/** What is known of a tree at its root. */
export interface Tree<Span extends CountedSpan> {
  /** For each reportable field the span nearest to the root that has it. */
  readonly nearest: (SpanNode<Span> | null)[]
  /** MCP calls without a tool call above them: a list through `nextOpenCall`. */
  firstOpenCall: SpanNode<Span> | null
  lastOpenCall: SpanNode<Span> | null
  /** Whether the root is ranked among the roots, and which of the nearest spans are among those of other trees. */
  isRanked: boolean
  readonly ranked: (SpanNode<Span> | null)[]
}

export function newNode<Span extends CountedSpan>(span: Span): SpanNode<Span> {
  const node: SpanNode<Span> = {
    span,
    isToolCall: isToolCall(span),
    parent: null,
    isCycleRoot: false,
    hasChildren: false,
    isAroundCall: false,
    isAboveTokens: false,
    isAboveCost: false,
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

/** Afterwards `levels` is the depth of the node, unless it is the root. */
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

export function depthOf<Span extends CountedSpan>(node: SpanNode<Span>): number {
  rootOfNode(node)
  return node.up === null ? 0 : node.levels
}

/** The nearest tool call at the node or above; the root where there is none. */
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
