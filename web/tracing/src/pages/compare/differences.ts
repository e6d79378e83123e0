import type { ListedSpan } from '@assay/contract/traces.ts'
import type { AlignedSpan } from './align.ts'

/*
 * The differences between aligned spans, from A to B.
 */

export type Difference = 'added' | 'missing' | 'output' | keyof typeof checks

export interface ComparedSpan extends AlignedSpan {
  readonly differences: readonly Difference[]
}

/** Durations always vary: a difference must exceed both thresholds. */
const minSlowdown = { ratio: 1.25, ms: 20 } as const

const checks = {
  status: (a, b) => a.status !== b.status,
  renamed: (a, b) => a.name !== b.name || a.kind !== b.kind,
  slower: (a, b) => isSlower(a, b),
  faster: (a, b) => isSlower(b, a),
  tokens: (a, b) => a.tokens_in !== b.tokens_in || a.tokens_out !== b.tokens_out,
  costlier: (a, b) => isCheaper(a, b),
  cheaper: (a, b) => isCheaper(b, a),
  // An unknown cost is neither costlier nor cheaper.
  unpriced: (a, b) => (a.cost_usd === null) !== (b.cost_usd === null),
} as const satisfies Readonly<Record<string, (a: ListedSpan, b: ListedSpan) => boolean>>

const checkNames = Object.keys(checks) as readonly (keyof typeof checks)[]

export function findDifferences(
  { a, b }: Pick<AlignedSpan, 'a' | 'b'>,
  isOutputDifferent: boolean,
): readonly Difference[] {
  if (a === undefined) return ['added']
  if (b === undefined) return ['missing']
  const found = checkNames.filter((name) => checks[name](a, b))
  return isOutputDifferent ? [...found, 'output'] : found
}

function isSlower({ latency_ms: before }: ListedSpan, { latency_ms: after }: ListedSpan): boolean {
  if (before === null || after === null) return false
  return after - before >= minSlowdown.ms && after >= before * minSlowdown.ratio
}

function isCheaper({ cost_usd: one }: ListedSpan, { cost_usd: other }: ListedSpan): boolean {
  return one !== null && other !== null && one < other
}

export function countDifferences(
  spans: readonly ComparedSpan[],
): Readonly<Partial<Record<Difference, number>>> {
  const counts: Partial<Record<Difference, number>> = {}
  for (const difference of spans.flatMap(({ differences }) => differences)) {
    counts[difference] = (counts[difference] ?? 0) + 1
  }
  return counts
}

/** The spans that differ, and their ancestors. */
export function onlyDifferent(spans: readonly ComparedSpan[]): readonly ComparedSpan[] {
  const included: ComparedSpan[] = []
  // Read upwards, the parent of a span is the next one that is one level higher.
  let ancestorDepth = -1
  for (const span of spans.toReversed()) {
    const isAncestor = span.depth === ancestorDepth
    if (!isAncestor && span.differences.length === 0) continue
    included.push(span)
    ancestorDepth = span.depth - 1
  }
  return included.reverse()
}
