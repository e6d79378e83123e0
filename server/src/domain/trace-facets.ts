import { compareIds } from './id-order.ts'
import type { Trace } from './span.ts'
import type { CountedSpan, TraceTotals } from './trace-totals.ts'

/*
 * What a trace can be found by besides its own columns: words it carries, and how large it is, roughly.
 */

export type FacetKey = 'tag' | 'model' | 'kind' | 'name' | 'cost' | 'duration' | 'tokens'

export interface Facet {
  readonly key: FacetKey
  readonly value: string
}

/** Of one trace. Beyond it the last in the order of bytes are not found by. */
const namesMax = 200
const othersMax = 100

/** Each once: tags, models, kinds, names (of the trace and of its spans), and the levels of its sizes. */
export function facetsOf(spans: readonly CountedSpan[], totals: TraceTotals): Facet[] {
  const kinds = new Set<string>()
  const names = new Set<string>()
  for (const { kind, name } of spans) {
    kinds.add(kind)
    names.add(name)
  }
  names.delete(totals.rootName)
  return [
    ...facets('tag', new Set(totals.tags), othersMax),
    ...facets('model', new Set(totals.models), othersMax),
    ...facets('kind', kinds, othersMax),
    { key: 'name', value: totals.rootName },
    ...facets('name', names, namesMax),
    ...levels(totals),
  ]
}

function facets(key: FacetKey, values: ReadonlySet<string>, max: number): Facet[] {
  const all = [...values]
  const limited = all.length > max ? all.sort(compareIds).slice(0, max) : all
  return limited.map((value) => ({ key, value }))
}

function levels(totals: TraceTotals): Facet[] {
  const sizes = [
    ['cost', totals.costUsd ?? 0],
    ['duration', totals.durationMs],
    ['tokens', tokensOf(totals)],
  ] as const
  return sizes.flatMap(([key, size]) => {
    const level = levelOf(key, size)
    return level === undefined ? [] : [{ key, value: String(level) }]
  })
}

function tokensOf({ tokensIn, tokensOut }: Pick<Trace, 'tokensIn' | 'tokensOut'>): number {
  return tokensIn + tokensOut
}

/** The smallest size that has a level. */
const units = { cost: 1e-6, duration: 1, tokens: 1 } as const
const lastLevel = 63

/**
 * Which power of two a size has reached; undefined below the first unit. Whatever is at least a size has at
 * least its level.
 */
function levelOf(key: keyof typeof units, size: number): number | undefined {
  const inUnits = size / units[key]
  return inUnits >= 1 ? Math.min(Math.floor(Math.log2(inUnits)), lastLevel) : undefined
}

/** The levels of everything that is at least this size; undefined where what has none may be, too. */
export function levelsFrom(key: keyof typeof units, size: number): readonly string[] | undefined {
  const first = levelOf(key, size)
  if (first === undefined) return undefined
  return Array.from({ length: lastLevel + 1 - first }, (_, i) => String(first + i))
}
