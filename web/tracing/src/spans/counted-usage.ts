import type { ListedSpan } from '@assay/contract/traces.ts'
import type { SpanTree } from './span-tree.ts'

/*
 * Which spans the totals of a trace count: the innermost that carry usage, because whoever stands above them
 * repeats their sums.
 */

export const hasTokens = ({ tokens_in, tokens_out }: ListedSpan): boolean =>
  (tokens_in ?? 0) > 0 || (tokens_out ?? 0) > 0

export const hasCost = ({ cost_usd }: ListedSpan): boolean => (cost_usd ?? 0) > 0

/** Positions of the spans that carry something and have nobody below them who does, from top to bottom. */
export function innermost(
  { nodes, order }: SpanTree,
  carries: (span: ListedSpan) => boolean,
): readonly number[] {
  const found: number[] = []
  const isBelow = new Uint8Array(nodes.length)
  for (const at of order.toReversed()) {
    const node = nodes[at]
    if (node === undefined) continue
    const isCarrier = isBelow[at] === 0 && carries(node.span)
    if (isCarrier) found.push(at)
    if (node.parent !== -1 && (isCarrier || isBelow[at] === 1)) isBelow[node.parent] = 1
  }
  return found.reverse()
}
