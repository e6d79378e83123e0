import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Instant } from '../../../domain/instant.ts'
import { foldCase, hasNonAscii } from '../../../domain/letter-case.ts'
import { type FacetKey, levelsFrom } from '../../../domain/trace-facets.ts'
import type { TraceFilters } from '../port/traces.ts'
import { prepareRows, rowsOf } from './database.ts'
import type { TimePosition } from './positions.ts'
import { countFacetTraces, facetKeyNo, facetsByPart, facetsByValue } from './statements/facets.ts'
import { tracesWithAnyScore, tracesWithScore } from './statements/scores.ts'
import type { PlanName } from './statements/trace-scans.ts'

/*
 * Which way to traces leaves least to look through. Where one of the filters leads to few traces they are fetched
 * and sorted; where each leads to many, those that fit are soon met on the way from the newest.
 */

export interface PlanFilters extends TraceFilters {
  /** The whole name of the trace. */
  readonly rootName?: string
}

/** How the statements of statements/trace-walks.ts are told of filters and bounds. */
export type Bindings = Record<string, SQLInputValue>

export interface QueryPlan {
  readonly name: PlanName
  readonly bindings: Bindings
}

/** Undefined where a word that is asked for was never seen. */
export type QueryPlanner = (
  projectId: string,
  filters: PlanFilters,
  bounds: Bindings,
) => QueryPlan | undefined

/** Sorted without anyone noticing. */
const sortedTracesMax = 2000
/** A part of a name that more names than this contain is no help. */
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
    rootName: filters.rootName ?? null,
    name: name === undefined ? null : `%${name.replaceAll(/[\\%_]/g, '\\$&')}%`,
    namePart: name !== undefined && hasNonAscii(name) ? foldCase(name) : null,
    minCostUsd: filters.minCostUsd ?? null,
    minTokens: filters.minTokens ?? null,
    ...scoreBindings(filters),
    minDuration: minDurationMs === undefined ? null : nanosOf(minDurationMs),
  }
}

function scoreBindings({ hasScore, score }: PlanFilters): Bindings {
  return {
    hasScore: hasScore === undefined ? null : Number(hasScore),
    scoreName: score?.name ?? null,
    minScore: score?.min ?? 0,
    maxScore: score?.max ?? 1,
  }
}

/** From an instant on up to before another, and what comes after a trace. */
export function boundBindings(
  from: Instant = firstInstant,
  to: Instant = lastInstant,
  after?: TimePosition,
): Bindings {
  // Every id is after the empty one: to start before `to` is to come before its first trace.
  const before = after !== undefined && after.at < to ? after : { at: to, id: '' }
  return {
    beforeStart: before.at < lastInstant ? before.at : lastInstant,
    beforeId: before.id,
    from: from > firstInstant ? from : firstInstant,
  }
}

/** Of a duration beyond what instants span, one that no trace has. */
function nanosOf(millis: number): bigint {
  return BigInt(Math.ceil(Math.min(millis * 1e6, 9.2e18)))
}

export function openQueryPlanner(db: DatabaseSync): QueryPlanner {
  const facetsOf = openFacetSearch(db)
  const count = prepareRows(db, countFacetTraces)
  const scoredTraces = openScoreSearch(db)

  /** The group that leads to fewest traces, if these are few. */
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
  return (projectId, filters, bounds) => {
    const { all, groups } = facetsOf(projectId, filters, bounds)
    if ([...all, ...groups].some((group) => group.length === 0)) return undefined
    const facets = all.length === 0 ? null : JSON.stringify(all.flat())
    if (filters.sessionId !== undefined) return { name: 'ofSession', bindings: { facets } }
    if (filters.userId !== undefined) return { name: 'ofUser', bindings: { facets } }
    const scored = scoredTraces(filters, bounds)
    if (scored?.length === 0) return undefined
    if (scored !== undefined) {
      return { name: 'byNumber', bindings: { facets, traceNos: JSON.stringify(scored) } }
    }
    const few = fewest([...all, ...groups], bounds)
    if (few !== undefined) {
      return { name: 'ofFewFacets', bindings: { facets, scanFacets: JSON.stringify(few) } }
    }
    const [scanned] = all
    if (scanned !== undefined) {
      return { name: 'ofFacet', bindings: { facets, scanFacet: scanned[0]! } }
    }
    return { name: filters.status === 'ERROR' ? 'inError' : 'newest', bindings: { facets } }
  }
}

/** The traces that the filters by score allow, if there are few of them. */
function openScoreSearch(
  db: DatabaseSync,
): (filters: PlanFilters, bounds: Bindings) => readonly number[] | undefined {
  const byName = prepareRows(db, tracesWithScore)
  const any = prepareRows(db, tracesWithAnyScore)
  for (const statement of [byName, any]) statement.setAllowUnknownNamedParameters(true)
  return ({ hasScore, score }, bounds) => {
    if (score === undefined && hasScore !== true) return undefined
    const statement = score === undefined ? any : byName
    const rows = rowsOf<readonly [number]>(statement, { ...bounds, limit: sortedTracesMax + 1 })
    return rows.length > sortedTracesMax ? undefined : rows.map(([traceNo]) => traceNo)
  }
}

interface RequiredFacets {
  /** Each of one facet, or of none where the word was never seen; a trace is to have every one. */
  readonly all: readonly (readonly number[])[]
  /** Each of some facets, one of which every trace that fits has. */
  readonly groups: readonly (readonly number[])[]
}

function openFacetSearch(
  db: DatabaseSync,
): (projectId: string, filters: PlanFilters, bounds: Bindings) => RequiredFacets {
  const byValue = prepareRows(db, facetsByValue)
  const byPart = prepareRows(db, facetsByPart)
  const facetNos = (projectId: string, key: FacetKey, values: readonly string[]) =>
    rowsOf<readonly [number]>(byValue, {
      projectId,
      key: facetKeyNo[key],
      values: JSON.stringify(values),
    }).map(([facetNo]) => facetNo)

  return (projectId, filters, { name = null, namePart = null }) => {
    const { tags = [], model, kind, rootName, minCostUsd, minDurationMs, minTokens } = filters
    const words = [
      ...[...new Set(tags)].map((tag) => ['tag', tag] as const),
      ...(model === undefined ? [] : [['model', model] as const]),
      ...(kind === undefined ? [] : [['kind', kind] as const]),
      ...(rootName === undefined ? [] : [['name', rootName] as const]),
    ]
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
      const names = rowsOf<readonly [number]>(byPart, { projectId, key, name, namePart, limit })
      if (names.length <= matchingNamesMax) groups.push(names.map(([facetNo]) => facetNo))
    }
    return { all: words.map(([key, word]) => facetNos(projectId, key, [word])), groups }
  }
}
