import type { SpanNode, SpanTree } from '../../spans/span-tree.ts'
import type { TreeRow } from './tree-rows.ts'

/*
 * The content of a tree row: a span, or a group of siblings.
 */

export interface RowLine {
  readonly name: string
  readonly node: SpanNode
  readonly count: number
  /** The span itself failed. */
  readonly isError: boolean
  /** Failed spans hidden by collapse. */
  readonly errorsHidden: number
  readonly canCollapse: boolean
  /** First start and last end, in epoch milliseconds. */
  readonly startMs: number
  readonly endMs: number
  /** Sent without an end. */
  readonly isOpen: boolean
  /** Null if unknown. */
  readonly durationMs: number | null
}

/** Undefined for a row of a different tree. */
export function toRowLine(row: TreeRow, tree: SpanTree): RowLine | undefined {
  return row.is === 'span' ? spanLine(row.at, row.isOpen, tree) : groupLine(row, tree)
}

function spanLine(at: number, isOpen: boolean, tree: SpanTree): RowLine | undefined {
  const node = tree.nodes[at]
  if (node === undefined) return undefined
  return {
    name: node.span.name,
    node,
    count: 1,
    isError: node.span.status === 'ERROR',
    errorsHidden: isOpen ? 0 : node.errorsBelow,
    canCollapse: node.children.length > 0,
    startMs: tree.startMs[at] as number,
    endMs: tree.endMs[at] as number,
    isOpen: node.isOpen,
    durationMs: node.isOpen ? null : node.span.latency_ms,
  }
}

function groupLine(
  { members, isOpen }: Extract<TreeRow, { is: 'group' }>,
  { nodes, startMs: starts, endMs: ends }: SpanTree,
): RowLine | undefined {
  const node = nodes[members[0] ?? -1]
  if (node === undefined) return undefined
  let errors = 0
  let startMs = Infinity
  let endMs = -Infinity
  for (const at of members) {
    const member = nodes[at]
    errors += (member?.errorsBelow ?? 0) + (member?.span.status === 'ERROR' ? 1 : 0)
    startMs = Math.min(startMs, starts[at] as number)
    endMs = Math.max(endMs, ends[at] as number)
  }
  return {
    name: node.span.name,
    node,
    count: members.length,
    isError: false,
    errorsHidden: isOpen ? 0 : errors,
    canCollapse: true,
    startMs,
    endMs,
    isOpen: false,
    durationMs: endMs - startMs,
  }
}
