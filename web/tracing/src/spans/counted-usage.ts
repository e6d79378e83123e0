import type { ListedSpan } from '@assay/contract/traces.ts'
import type { CallCounts } from '../parts/unpriced-calls.ts'
import type { SpanTree } from './span-tree.ts'

/*
 * The spans that count toward the totals of a trace: the innermost ones with usage, because their ancestors repeat the
 * sums, calls that the server found to be separate from those within them, and of a call that several instrumentations
 * report, one.
 */

export const hasTokens = ({ tokens_in, tokens_out }: ListedSpan): boolean =>
  (tokens_in ?? 0) > 0 || (tokens_out ?? 0) > 0

export const hasCost = ({ cost_usd }: ListedSpan): boolean => (cost_usd ?? 0) > 0

/** Positions of the counted spans with usage that have no descendant with usage, top to bottom. */
export function innermost(
  { nodes, order }: SpanTree,
  hasUsage: (span: ListedSpan) => boolean,
): readonly number[] {
  const found: number[] = []
  const isBelow = new Uint8Array(nodes.length)
  for (const at of order.toReversed()) {
    const node = nodes[at]
    if (node === undefined) continue
    const isInnermost = isBelow[at] === 0 || node.span.is_separate_call
    const isCarrier = isInnermost && hasUsage(node.span)
    if (isCarrier && node.span.repeats_span_id === null) found.push(at)
    if (node.parent !== -1 && (isCarrier || isBelow[at] === 1)) isBelow[node.parent] = 1
  }
  return found.reverse()
}

/** Model calls that used tokens, and those of them without a known cost. */
export function countCalls(tree: SpanTree): CallCounts {
  const calls = innermost(tree, hasTokens)
    .map((at) => tree.nodes[at]?.span)
    .filter((span) => (span?.model ?? '') !== '')
  return {
    model_call_count: calls.length,
    unpriced_call_count: calls.filter((span) => span?.cost_usd === null).length,
  }
}

/**
 * Model calls that do not count because spans within them report the same call, or the calls that they sum up: the id of
 * the first of these by their own.
 */
export function findOuterCalls({ nodes, order }: SpanTree): ReadonlyMap<string, string> {
  const outer = new Map<string, string>()
  const inner = new Map<number, string>()
  for (const at of order.toReversed()) {
    const node = nodes[at]
    if (node === undefined) continue
    const { span, parent, children } = node
    const within = inner.get(at)
    const isCall = span.kind === 'llm'
    const isAround = children.some((child) => nodes[child]?.span.kind === 'llm')
    const isOuter = isCall && within !== undefined && !span.is_separate_call
    if (isOuter && (isAround || hasTokens(span) || hasCost(span))) outer.set(span.span_id, within)
    const found = isCall && !isOuter ? span.span_id : within
    // Bottom to top, so that the first of siblings is the last one set.
    if (parent !== -1 && found !== undefined) inner.set(parent, found)
  }
  return outer
}
