import { compareIds } from '../../../domain/id-order.ts'
import type { Trace } from '../../../domain/span.ts'
import type { CountedSpan, TraceTotals } from '../../../domain/trace-totals.ts'

/*
 * What traces are indexed by besides their own columns: tags, models, kinds and names, service and environment, and the
 * powers of two that cost, duration and tokens have reached.
 */

export type FacetKey =
  | 'tag'
  | 'model'
  | 'kind'
  | 'name'
  | 'service'
  | 'environment'
  | 'cost'
  | 'duration'
  | 'tokens'

export interface Facet {
  readonly key: FacetKey
  readonly value: string
}

/** Per trace: the first in byte order. */
const namesMax = 200
const othersMax = 100

/** The kinds and names of a trace's spans; those that no facet can need may be omitted. */
export interface FacetSources {
  readonly kinds: ReadonlySet<string>
  readonly names: ReadonlySet<string>
}

export function collectFacetSources(spans: readonly CountedSpan[]): FacetSources {
  return {
    kinds: new Set(spans.map(({ kind }) => kind)),
    names: new Set(spans.map(({ name }) => name)),
  }
}

/** The maximum number of kinds and names that facets can need. The name of the trace does not count. */
export const facetSourcesMax = { kinds: othersMax, names: namesMax + 1 } as const

/** Without duplicates. */
export function toFacets({ kinds, names }: FacetSources, totals: TraceTotals): Facet[] {
  const others = new Set(names)
  others.delete(totals.rootName)
  return [
    ...facets('tag', new Set(totals.tags), othersMax),
    ...facets('model', new Set(totals.models), othersMax),
    ...facets('kind', kinds, othersMax),
    { key: 'name', value: totals.rootName },
    ...facets('name', others, namesMax),
    ...optionalFacet('service', totals.service),
    ...optionalFacet('environment', totals.environment),
    ...levels(totals),
  ]
}

function facets(key: FacetKey, values: ReadonlySet<string>, max: number): Facet[] {
  const all = [...values]
  const limited = all.length > max ? all.sort(compareIds).slice(0, max) : all
  return limited.map((value) => ({ key, value }))
}

function optionalFacet(key: FacetKey, value: string | null): Facet[] {
  return value === null ? [] : [{ key, value }]
}

function levels(totals: TraceTotals): Facet[] {
  const sizes = [
    ['cost', totals.costUsd ?? 0],
    ['duration', totals.durationMs],
    ['tokens', sumTokens(totals)],
  ] as const
  return sizes.flatMap(([key, size]) => {
    const level = toLevel(key, size)
    return level === undefined ? [] : [{ key, value: String(level) }]
  })
}

function sumTokens({ tokensIn, tokensOut }: Pick<Trace, 'tokensIn' | 'tokensOut'>): number {
  return tokensIn + tokensOut
}

/** The smallest size that has a level. */
const units = { cost: 1e-6, duration: 1, tokens: 1 } as const
const lastLevel = 63

/**
 * The power of two that a size has reached; undefined below the first unit. A larger size never has a lower
 * level.
 */
function toLevel(key: keyof typeof units, size: number): number | undefined {
  const inUnits = size / units[key]
  return inUnits >= 1 ? Math.min(Math.floor(Math.log2(inUnits)), lastLevel) : undefined
}

/** The levels of all sizes in the range; undefined when it has sizes without a level. */
export function levelsBetween(
  key: keyof typeof units,
  min: number,
  max = Number.POSITIVE_INFINITY,
): readonly string[] | undefined {
  const first = toLevel(key, min)
  if (first === undefined) return undefined
  const last = toLevel(key, max) ?? first - 1
  return Array.from({ length: Math.max(0, last + 1 - first) }, (_, i) => String(first + i))
}
