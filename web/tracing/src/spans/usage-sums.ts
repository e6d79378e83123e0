import type { ListedSpan } from '@assay/contract/traces.ts'
import type { CallCounts } from '../parts/unpriced-calls.ts'
import { hasCost, hasTokens, innermost } from './counted-usage.ts'
import type { SpanTree } from './span-tree.ts'

/*
 * Tokens and cost of branches. Counts as the totals of a trace do: each call once.
 */

export interface Usage extends CallCounts {
  readonly tokensIn: number
  readonly tokensOut: number
  /** Null if it is not known of any call. */
  readonly costUsd: number | null
}

/** The usage of adjacent siblings, by position, with all spans below them. Undefined without any. */
export type UsageSums = (siblings: readonly number[]) => Usage | undefined

interface Totals {
  readonly tokensIn: number
  readonly tokensOut: number
  readonly costUsd: number
  /** Spans with a known cost. */
  readonly priced: number
  readonly calls: number
  readonly unpricedCalls: number
}

const none: Totals = {
  ...{ tokensIn: 0, tokensOut: 0, costUsd: 0, priced: 0, calls: 0, unpricedCalls: 0 },
}

/** Linear in the number of spans, and constant per sum. Undefined if no span has usage. */
export function sumUsage(tree: SpanTree): UsageSums | undefined {
  const { nodes, order } = tree
  const withTokens = new Set(innermost(tree, hasTokens))
  const withCost = new Set(innermost(tree, hasCost))
  if (withTokens.size + withCost.size === 0) return undefined

  const places = new Int32Array(nodes.length)
  /** The totals of all spans displayed before a place. */
  const before = [none]
  for (const [place, at] of order.entries()) {
    places[at] = place
    const [hasOwnTokens, hasOwnCost] = [withTokens.has(at), withCost.has(at)]
    const totals = before[place]!
    const isCounted = hasOwnTokens || hasOwnCost
    before.push(isCounted ? add(totals, nodes[at]!.span, hasOwnTokens, hasOwnCost) : totals)
  }
  return (siblings) => {
    const last = siblings.at(-1)
    if (last === undefined) return undefined
    return subtract(before[places[last]! + nodes[last]!.below + 1]!, before[places[siblings[0]!]!]!)
  }
}

function add(to: Totals, span: ListedSpan, withTokens: boolean, withCost: boolean): Totals {
  const isCall = withTokens && (span.model ?? '') !== ''
  const isPriced = span.cost_usd !== null
  return {
    tokensIn: to.tokensIn + (withTokens ? (span.tokens_in ?? 0) : 0),
    tokensOut: to.tokensOut + (withTokens ? (span.tokens_out ?? 0) : 0),
    costUsd: to.costUsd + (withCost ? (span.cost_usd ?? 0) : 0),
    priced: to.priced + (isPriced ? 1 : 0),
    calls: to.calls + (isCall ? 1 : 0),
    unpricedCalls: to.unpricedCalls + (isCall && !isPriced ? 1 : 0),
  }
}

function subtract(to: Totals, from: Totals): Usage | undefined {
  if (to === from) return undefined
  // Twelve digits: the rest is the error of the subtraction.
  const costUsd = Number((to.costUsd - from.costUsd).toPrecision(12))
  return {
    tokensIn: to.tokensIn - from.tokensIn,
    tokensOut: to.tokensOut - from.tokensOut,
    costUsd: to.priced === from.priced ? null : costUsd,
    model_call_count: to.calls - from.calls,
    unpriced_call_count: to.unpricedCalls - from.unpricedCalls,
  }
}
