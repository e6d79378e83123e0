import type { FilterName } from './filter-definitions.ts'

/*
 * Comparisons such as `cost>0.1`. The filters of the API are inclusive, so that a strict bound is the next possible
 * value.
 */

export type BoundName = Extract<
  FilterName,
  `${'min' | 'max'}_${'cost_usd' | 'duration_ms' | 'tokens'}`
>

export interface Comparison {
  readonly label: string
  readonly min: BoundName
  readonly max: BoundName
  /** For messages: a smaller and a larger value. */
  readonly examples: readonly [from: string, to: string]
  /** The next larger value that a trace can have. */
  readonly above: (value: number) => number
  readonly below: (value: number) => number
}

/** Durations are measured in nanoseconds. */
const nanos = (value: number, step: number) => (Math.round(value * 1e6) + step) / 1e6

const comparisons: Readonly<Record<string, Comparison>> = {
  cost: {
    label: 'Cost',
    min: 'min_cost_usd',
    max: 'max_cost_usd',
    examples: ['0.01', '0.5'],
    above: (value) => adjacentNumber(value, 1n),
    below: (value) => adjacentNumber(value, -1n),
  },
  duration: {
    label: 'Duration',
    min: 'min_duration_ms',
    max: 'max_duration_ms',
    examples: ['500ms', '2s'],
    above: (value) => nanos(value, 1),
    below: (value) => nanos(value, -1),
  },
  tokens: {
    label: 'Tokens',
    min: 'min_tokens',
    max: 'max_tokens',
    examples: ['100', '2k'],
    above: (value) => Math.floor(value) + 1,
    below: (value) => Math.ceil(value) - 1,
  },
}

export function comparisonByKey(key: string): Comparison | undefined {
  const typedKey = key.toLowerCase()
  return Object.hasOwn(comparisons, typedKey) ? comparisons[typedKey] : undefined
}

export interface Bound {
  /** `cost`. */
  readonly key: string
  readonly label: string
  readonly operator: '>' | '>=' | '<' | '<='
  readonly value: number
}

/** The comparison that a filter is; undefined for other filters. */
export function toBound(name: FilterName, value: number): Bound | undefined {
  const [key, comparison] =
    Object.entries(comparisons).find(([, { min, max }]) => name === min || name === max) ?? []
  if (key === undefined || comparison === undefined) return undefined
  const { label, above, below } = comparison
  const isMin = name === comparison.min
  const [toStrict, fromStrict] = isMin ? [above, below] : [below, above]
  const limit = fromStrict(value)
  // `> 0.1`, not the next number 0.10000000000000002, and `≥ 100`, not `> 99`.
  const isStrict = toStrict(limit) === value && roundness(limit) < roundness(value)
  const operator = isMin ? '>' : '<'
  return isStrict
    ? { key, label, operator, value: limit }
    : { key, label, operator: `${operator}=`, value }
}

/** The number of significant characters: the fewer, the rounder. */
function roundness(value: number): number {
  return String(value).replace(/0+$/, '').length
}

/** The next larger or smaller number with a fraction; of zero, the smallest number. */
function adjacentNumber(value: number, step: bigint): number {
  if (value === 0) return Number(step) * Number.MIN_VALUE
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  view.setBigInt64(0, view.getBigInt64(0) + step)
  return view.getFloat64(0)
}
