import type { ListedSpan } from '@assay/contract/traces.ts'
import type { SpanTree } from '../../spans/span-tree.ts'
import type { AlignedSpan } from './align.ts'

/*
 * The differences between aligned spans.
 */

export interface Difference {
  readonly presence: 'both' | 'only-a' | 'only-b'
  readonly isRenamed: boolean
  readonly status: boolean
  readonly duration: boolean
  readonly tokens: boolean
  readonly cost: boolean
  readonly output: boolean
}

/** Durations always vary: a difference must exceed both thresholds. */
const leastDuration = { ratio: 1.25, ms: 20 } as const

/** Whether the outputs of an aligned pair are known to differ. */
export type OutputsDiffer = (aligned: AlignedSpan) => boolean

export function differenceOf(
  aligned: AlignedSpan,
  a: SpanTree,
  b: SpanTree,
  outputsDiffer: OutputsDiffer,
): Difference {
  const one = a.nodes[aligned.a]?.span
  const other = b.nodes[aligned.b]?.span
  if (one === undefined || other === undefined) {
    return { ...same, presence: one === undefined ? 'only-b' : 'only-a' }
  }
  return {
    presence: 'both',
    isRenamed: one.name !== other.name || one.kind !== other.kind,
    status: one.status !== other.status,
    duration: isDurationDifferent(one.latency_ms, other.latency_ms),
    tokens: one.tokens_in !== other.tokens_in || one.tokens_out !== other.tokens_out,
    cost: one.cost_usd !== other.cost_usd,
    output: outputsDiffer(aligned),
  }
}

const same: Difference = {
  presence: 'both',
  isRenamed: false,
  status: false,
  duration: false,
  tokens: false,
  cost: false,
  output: false,
}

function isDurationDifferent(one: number, other: number): boolean {
  const short = Math.min(one, other)
  const long = Math.max(one, other)
  return long - short >= leastDuration.ms && long >= short * leastDuration.ratio
}

export function isDifferent(difference: Difference): boolean {
  const { presence, ...flags } = difference
  return presence !== 'both' || Object.values(flags).some(Boolean)
}

export interface DifferenceCounts {
  readonly onlyA: number
  readonly onlyB: number
  readonly slower: number
  readonly faster: number
  readonly costlier: number
  readonly cheaper: number
  readonly status: number
  readonly output: number
}

/** Counts the differences from A to B. */
export function countDifferences(
  aligned: readonly AlignedSpan[],
  differences: readonly Difference[],
  a: SpanTree,
  b: SpanTree,
): DifferenceCounts {
  const counts = {
    onlyA: 0,
    onlyB: 0,
    slower: 0,
    faster: 0,
    costlier: 0,
    cheaper: 0,
    status: 0,
    output: 0,
  }
  for (const [at, difference] of differences.entries()) {
    const row = aligned[at]
    if (row === undefined) continue
    if (difference.presence === 'only-a') counts.onlyA += 1
    if (difference.presence === 'only-b') counts.onlyB += 1
    if (difference.status) counts.status += 1
    if (difference.output) counts.output += 1
    const one = a.nodes[row.a]?.span
    const other = b.nodes[row.b]?.span
    if (one === undefined || other === undefined) continue
    if (difference.duration) counts[other.latency_ms > one.latency_ms ? 'slower' : 'faster'] += 1
    if (difference.cost) countCost(one, other, counts)
  }
  return counts
}

function countCost(
  { cost_usd: one }: ListedSpan,
  { cost_usd: other }: ListedSpan,
  counts: { costlier: number; cheaper: number },
): void {
  // An unknown cost is neither costlier nor cheaper.
  if (one === null || other === null) return
  counts[other > one ? 'costlier' : 'cheaper'] += 1
}

/** Positions of the rows that differ and of their ancestors, top to bottom. */
export function differingRows(
  aligned: readonly AlignedSpan[],
  differences: readonly Difference[],
): readonly number[] {
  const isShown = new Uint8Array(aligned.length)
  for (let at = aligned.length - 1; at >= 0; at -= 1) {
    const difference = differences[at]
    if (isShown[at] === 0 && (difference === undefined || !isDifferent(difference))) continue
    isShown[at] = 1
    const parent = aligned[at]?.parent ?? -1
    if (parent !== -1) isShown[parent] = 1
  }
  return aligned.flatMap((_, at) => (isShown[at] === 1 ? [at] : []))
}
