import type { CallCounts } from '../../parts/unpriced-calls.ts'
import { countCalls, hasCost, hasTokens, innermost } from '../../spans/counted-usage.ts'
import type { SpanTree } from '../../spans/span-tree.ts'

/*
 * Cumulative tokens and cost over a trace. The usage of a span counts at its end.
 */

export interface UsagePoint {
  readonly atMs: number
  readonly spanId: string
  /** Added by this span. */
  readonly tokensIn: number
  readonly tokensOut: number
  readonly costUsd: number
  /** Cumulative, including this span. */
  readonly totalIn: number
  readonly totalOut: number
  readonly totalUsd: number
}

export interface UsageSeries {
  /** In order of time. A merged point links to its costliest span, or the one with the most tokens. */
  readonly points: readonly UsagePoint[]
  readonly calls: CallCounts
  /** No span has a cost: it is unknown, not zero. */
  readonly isCostUnknown: boolean
}

/** At most `maxPoints`; neighboring points are merged beyond that. */
export function usageSeries(tree: SpanTree, startMs: number, maxPoints: number): UsageSeries {
  const counted = new Map<number, UsagePoint>()
  const blank = (at: number): UsagePoint => {
    const span = tree.nodes[at]?.span
    return {
      atMs: (tree.endMs[at] as number) - startMs,
      spanId: span?.span_id ?? '',
      tokensIn: 0,
      tokensOut: 0,
      costUsd: 0,
      totalIn: 0,
      totalOut: 0,
      totalUsd: 0,
    }
  }
  for (const at of innermost(tree, hasTokens)) {
    const span = tree.nodes[at]?.span
    counted.set(at, {
      ...blank(at),
      tokensIn: span?.tokens_in ?? 0,
      tokensOut: span?.tokens_out ?? 0,
    })
  }
  for (const at of innermost(tree, hasCost)) {
    const before = counted.get(at) ?? blank(at)
    counted.set(at, { ...before, costUsd: tree.nodes[at]?.span.cost_usd ?? 0 })
  }
  const inTime = [...counted.values()].sort((one, other) => one.atMs - other.atMs)
  return {
    points: totaled(joined(inTime, maxPoints)),
    calls: countCalls(tree),
    isCostUnknown: tree.nodes.every(({ span }) => span.cost_usd === null),
  }
}

function joined(points: readonly UsagePoint[], maxPoints: number): readonly UsagePoint[] {
  if (points.length <= maxPoints) return points
  const groups: UsagePoint[] = []
  for (let group = 0; group < maxPoints; group += 1) {
    const from = Math.floor((group * points.length) / maxPoints)
    const to = Math.floor(((group + 1) * points.length) / maxPoints)
    groups.push(together(points.slice(from, to)))
  }
  return groups
}

function together(points: readonly UsagePoint[]): UsagePoint {
  const largest = points.reduce((one, other) => (isLarger(other, one) ? other : one))
  const sum = (of: (point: UsagePoint) => number) =>
    points.reduce((total, point) => total + of(point), 0)
  return {
    ...largest,
    atMs: points.at(-1)?.atMs ?? largest.atMs,
    tokensIn: sum(({ tokensIn }) => tokensIn),
    tokensOut: sum(({ tokensOut }) => tokensOut),
    costUsd: sum(({ costUsd }) => costUsd),
  }
}

function isLarger(one: UsagePoint, other: UsagePoint): boolean {
  return one.costUsd === other.costUsd
    ? one.tokensIn + one.tokensOut > other.tokensIn + other.tokensOut
    : one.costUsd > other.costUsd
}

function totaled(points: readonly UsagePoint[]): readonly UsagePoint[] {
  let totalIn = 0
  let totalOut = 0
  let totalUsd = 0
  return points.map((point) => {
    totalIn += point.tokensIn
    totalOut += point.tokensOut
    totalUsd += point.costUsd
    return { ...point, totalIn, totalOut, totalUsd }
  })
}
