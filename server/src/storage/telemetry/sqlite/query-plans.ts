import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Instant } from '../../../domain/instant.ts'
import { foldCase, hasNonAscii } from '../../../domain/letter-case.ts'
import type { TraceFilters } from '../port/traces.ts'
import { type FacetKey, levelsFrom } from './aggregates/trace-facets.ts'
import { prepareRows, readRows } from './database.ts'
import type { TimePosition } from './positions.ts'
import {
  countFacetTraces,
  facetKeyNo,
  facetsByPart,
  facetsByValue,
  rarestFacet,
} from './statements/facets.ts'
import { tracesWithAnyScore, tracesWithScore, tracesWithVerdict } from './statements/scores.ts'
import type { PlanName } from './statements/trace-scans.ts'
import { tracesByIdPrefix } from './statements/traces.ts'

/*
 * Chooses the index scan that reads the fewest traces. If one of the filters matches few traces, these are fetched and
 * sorted. If each matches many, a scan from the newest soon finds enough.
 */

export interface PlanFilters extends TraceFilters {
  /** The whole name of the trace. */
  readonly rootName?: string
}

/** The parameters of the statements in statements/trace-scans.ts. */
export type Bindings = Record<string, SQLInputValue>

export interface QueryPlan {
  readonly name: PlanName
  readonly bindings: Bindings
}

/** Undefined when no trace can match, because a value of a filter was never stored. */
export type QueryPlanner = (
  projectId: string,
  filters: PlanFilters,
  bounds: Bindings,
) => QueryPlan | undefined

/** Few enough to sort in a millisecond. */
const sortedTracesMax = 2000
/** Above this many matching names, a part of a name is not used to choose the scan. */
const matchingNamesMax = 1000

// Instants are 64-bit integers: nothing starts before the first or after the last.
const firstInstant = -(2n ** 63n)
const lastInstant = 2n ** 63n - 1n

export function scanBindings(
  projectId: string,
  filters: PlanFilters,
  after?: TimePosition,
): Bindings {
  const { name, minDurationMs } = filters
  return {
    projectId,
    ...boundBindings(filters.from, filters.to, after),
    status: filters.status ?? null,
    mode: filters.mode ?? null,
    environment: filters.environment ?? null,
    source: filters.source ?? null,
    service: filters.service ?? null,
    sessionId: filters.sessionId ?? null,
    userId: filters.userId ?? null,
    ...idBindings(filters),
    rootName: filters.rootName ?? null,
    name: name === undefined ? null : `%${name.replaceAll(/[\\%_]/g, '\\$&')}%`,
    namePart: name !== undefined && hasNonAscii(name) ? foldCase(name) : null,
    minCostUsd: filters.minCostUsd ?? null,
    minTokens: filters.minTokens ?? null,
    ...scoreBindings(filters),
    minDuration: minDurationMs === undefined ? null : toNanos(minDurationMs),
  }
}

/** An id with the prefix sorts before the prefix followed by the last character of Unicode. */
function idBindings({ traceIdPrefix }: PlanFilters): Bindings {
  if (traceIdPrefix === undefined) return { idFrom: null, idTo: null }
  return { idFrom: traceIdPrefix, idTo: `${traceIdPrefix}\u{10FFFF}` }
}

function scoreBindings({ hasScore, score }: PlanFilters): Bindings {
  return {
    hasScore: hasScore === undefined ? null : Number(hasScore),
    scoreName: score?.name ?? null,
    minScore: score?.min ?? 0,
    maxScore: score?.max ?? 1,
    passed: score?.passed === undefined ? null : Number(score.passed),
  }
}

/** From an instant up to, not including, another, and after a trace. */
export function boundBindings(
  from: Instant = firstInstant,
  to: Instant = lastInstant,
  after?: TimePosition,
): Bindings {
  // Every id sorts after the empty one, so this excludes traces that start at `to`.
  const before = after !== undefined && after.at < to ? after : { at: to, id: '' }
  return {
    beforeStart: before.at < lastInstant ? before.at : lastInstant,
    beforeId: before.id,
    from: from > firstInstant ? from : firstInstant,
  }
}

/** At most a duration that no trace can have. */
function toNanos(millis: number): bigint {
  return BigInt(Math.ceil(Math.min(millis * 1e6, 9.2e18)))
}

export function openQueryPlanner(db: DatabaseSync): QueryPlanner {
  const searchFacets = openFacetSearch(db)
  const count = prepareRows(db, countFacetTraces)
  const rarestOf = prepareRows(db, rarestFacet)
  const scoredTraces = openScoreSearch(db)
  const tracesByPrefix = openIdSearch(db)

  /** The group with the fewest traces, if they are few. */
  const fewest = (groups: readonly (readonly number[])[], { from, beforeStart }: Bindings) => {
    let smallest: readonly number[] | undefined
    let limit = sortedTracesMax
    for (const group of groups) {
      const bindings = { facets: JSON.stringify(group), from, beforeStart, limit: limit + 1 }
      const [traces] = count.get(bindings as Bindings) as unknown as [number]
      if (traces <= limit) {
        smallest = group
        limit = traces
      }
    }
    return smallest
  }
  /** Of facets that many traces have: the one whose newest traces reach back furthest. */
  const rarest = (facetNos: readonly number[], { from, beforeStart }: Bindings) => {
    if (facetNos.length < 2) return facetNos[0]
    const facets = JSON.stringify(facetNos)
    const bindings = { facets, from, beforeStart, skip: sortedTracesMax } as Bindings
    const [row] = readRows<readonly [number]>(rarestOf, bindings)
    return row?.[0]
  }
  return (projectId, filters, bounds) => {
    const { all, groups } = searchFacets(projectId, filters, bounds)
    if ([...all, ...groups].some((group) => group.length === 0)) return undefined
    const facets = all.length === 0 ? null : JSON.stringify(all.flat())
    if (filters.sessionId !== undefined) return { name: 'ofSession', bindings: { facets } }
    if (filters.userId !== undefined) return { name: 'ofUser', bindings: { facets } }
    const numbered = tracesByPrefix(filters, bounds) ?? scoredTraces(filters, bounds)
    if (numbered?.length === 0) return undefined
    if (numbered !== undefined) {
      return { name: 'byNumber', bindings: { facets, traceNos: JSON.stringify(numbered) } }
    }
    const few = fewest([...all, ...groups], bounds)
    if (few !== undefined) {
      return { name: 'ofFewFacets', bindings: { facets, scanFacets: JSON.stringify(few) } }
    }
    const scanFacet = rarest(all.flat(), bounds)
    if (scanFacet !== undefined) return { name: 'ofFacet', bindings: { facets, scanFacet } }
    return { name: unindexedPlan(filters), bindings: { facets } }
  }
}

/** Without a filter that few traces match. */
function unindexedPlan({ status, mode }: PlanFilters): PlanName {
  if (status === 'ERROR') return 'inError'
  return mode === undefined ? 'newest' : 'ofMode'
}

/** The traces whose ids have the prefix, if they are few. */
function openIdSearch(
  db: DatabaseSync,
): (filters: PlanFilters, bounds: Bindings) => readonly number[] | undefined {
  const byPrefix = prepareRows(db, tracesByIdPrefix)
  byPrefix.setAllowUnknownNamedParameters(true)
  return ({ traceIdPrefix }, bounds) => {
    if (traceIdPrefix === undefined) return undefined
    return readFew(byPrefix, bounds)
  }
}

/** The traces that match the score filters, if they are few. */
function openScoreSearch(
  db: DatabaseSync,
): (filters: PlanFilters, bounds: Bindings) => readonly number[] | undefined {
  const byName = prepareRows(db, tracesWithScore)
  const byVerdict = prepareRows(db, tracesWithVerdict)
  const any = prepareRows(db, tracesWithAnyScore)
  for (const statement of [byName, byVerdict, any]) statement.setAllowUnknownNamedParameters(true)
  return ({ hasScore, score }, bounds) => {
    if (score === undefined && hasScore !== true) return undefined
    if (score === undefined) return readFew(any, bounds)
    return readFew(score.passed === undefined ? byName : byVerdict, bounds)
  }
}

/** The numbers of the traces, unless there are too many to sort. */
function readFew(statement: StatementSync, bounds: Bindings): readonly number[] | undefined {
  const rows = readRows<readonly [number]>(statement, { ...bounds, limit: sortedTracesMax + 1 })
  return rows.length > sortedTracesMax ? undefined : rows.map(([traceNo]) => traceNo)
}

/** Filters by one word that is a facet. */
const wordFilters = [
  ['model', 'model'],
  ['kind', 'kind'],
  ['name', 'rootName'],
  ['service', 'service'],
  ['environment', 'environment'],
] as const satisfies readonly (readonly [FacetKey, keyof PlanFilters])[]

interface RequiredFacets {
  /** One facet each, or none if the value was never stored. A trace must have all of them. */
  readonly all: readonly (readonly number[])[]
  /** Several facets each. A trace must have one of each group. */
  readonly groups: readonly (readonly number[])[]
}

function openFacetSearch(
  db: DatabaseSync,
): (projectId: string, filters: PlanFilters, bounds: Bindings) => RequiredFacets {
  const byValue = prepareRows(db, facetsByValue)
  const byPart = prepareRows(db, facetsByPart)
  const facetNos = (projectId: string, key: FacetKey, values: readonly string[]) =>
    readRows<readonly [number]>(byValue, {
      projectId,
      key: facetKeyNo[key],
      values: JSON.stringify(values),
    }).map(([facetNo]) => facetNo)

  return (projectId, filters, { name = null, namePart = null }) => {
    const { tags = [], minCostUsd, minDurationMs, minTokens } = filters
    const words = [
      ...[...new Set(tags)].map((tag) => ['tag', tag] as const),
      ...wordFilters.flatMap(([key, filter]) => {
        const word = filters[filter]
        return word === undefined ? [] : [[key, word] as const]
      }),
    ]
    const all = words.map(([key, word]) => facetNos(projectId, key, [word]))
    const sizes = [
      ['cost', minCostUsd],
      ['duration', minDurationMs],
      ['tokens', minTokens],
    ] as const
    const groups = sizes.flatMap(([key, size]) => {
      const levels = size === undefined ? undefined : levelsFrom(key, size)
      return levels === undefined ? [] : [facetNos(projectId, key, levels)]
    })
    if (name !== null) {
      const key = facetKeyNo.name
      const limit = matchingNamesMax + 1
      const names = readRows<readonly [number]>(byPart, { projectId, key, name, namePart, limit })
      const found = names.map(([facetNo]) => facetNo)
      // Every trace that matches has the only name that matches.
      if (found.length === 1) all.unshift(found)
      else if (found.length <= matchingNamesMax) groups.push(found)
    }
    return { all, groups }
  }
}
