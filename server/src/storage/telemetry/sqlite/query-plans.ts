import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Instant } from '../../../domain/instant.ts'
import { foldCase, hasNonAscii } from '../../../domain/letter-case.ts'
import { type FacetKey, levelsBetween } from '../aggregates/trace-facets.ts'
import { toNanos } from '../duration-bounds.ts'
import type { AnyOf, TraceFilters } from '../port/traces.ts'
import { firstInstant, lastInstant, type TimePosition } from '../positions.ts'
import { prepareRows, readRows } from './database.ts'
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

export function scanBindings(
  projectId: string,
  filters: PlanFilters,
  after?: TimePosition,
): Bindings {
  const { minDurationMs, maxDurationMs } = filters
  return {
    projectId,
    ...boundBindings(filters.from, filters.to, after),
    status: filters.status ?? null,
    mode: filters.mode ?? null,
    source: filters.source ?? null,
    ...valueBindings(filters),
    ...idBindings(filters),
    ...nameBindings(filters),
    minCostUsd: filters.minCostUsd ?? null,
    maxCostUsd: filters.maxCostUsd ?? null,
    minTokens: filters.minTokens ?? null,
    maxTokens: filters.maxTokens ?? null,
    ...scoreBindings(filters),
    minDuration: minDurationMs === undefined ? null : toNanos(minDurationMs, Math.ceil),
    maxDuration: maxDurationMs === undefined ? null : toNanos(maxDurationMs, Math.floor),
  }
}

function valueBindings(filters: PlanFilters): Bindings {
  const { excluded = {} } = filters
  return {
    environments: toJsonList(filters.environment),
    services: toJsonList(filters.service),
    sessionIds: toJsonList(filters.sessionId),
    userIds: toJsonList(filters.userId),
    noEnvironments: toJsonList(excluded.environment),
    noServices: toJsonList(excluded.service),
    noSessionIds: toJsonList(excluded.sessionId),
    noUserIds: toJsonList(excluded.userId),
  }
}

function toJsonList(values: AnyOf | undefined): string | null {
  return values === undefined ? null : JSON.stringify([values].flat())
}

function nameBindings({ rootName, name, excluded }: PlanFilters): Bindings {
  const noName = excluded?.name
  return {
    rootName: rootName ?? null,
    name: toPattern(name),
    namePart: toFolded(name),
    noName: toPattern(noName),
    noNamePart: toFolded(noName),
  }
}

function toPattern(part: string | undefined): string | null {
  return part === undefined ? null : `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`
}

/** Null where SQLite can compare the pattern: in ASCII, and without a NUL, which would end it. */
function toFolded(part: string | undefined): string | null {
  const isFolded = part !== undefined && (hasNonAscii(part) || part.includes('\0'))
  return isFolded ? foldCase(part) : null
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
    const { all, groups, bindings: facets } = searchFacets(projectId, filters, bounds)
    if ([...all, ...groups].some((group) => group.length === 0)) return undefined
    const [scanSession, scanUser] = [onlyValue(filters.sessionId), onlyValue(filters.userId)]
    if (scanSession !== undefined)
      return { name: 'ofSession', bindings: { ...facets, scanSession } }
    if (scanUser !== undefined) return { name: 'ofUser', bindings: { ...facets, scanUser } }
    const numbered = tracesByPrefix(filters, bounds) ?? scoredTraces(filters, bounds)
    if (numbered?.length === 0) return undefined
    if (numbered !== undefined) {
      return { name: 'byNumber', bindings: { ...facets, traceNos: JSON.stringify(numbered) } }
    }
    const few = fewest([...all, ...groups], bounds)
    if (few !== undefined) {
      return { name: 'ofFewFacets', bindings: { ...facets, scanFacets: JSON.stringify(few) } }
    }
    const scanFacet = rarest(all.flat(), bounds)
    if (scanFacet !== undefined) return { name: 'ofFacet', bindings: { ...facets, scanFacet } }
    return { name: unindexedPlan(filters), bindings: facets }
  }
}

function onlyValue(values: AnyOf | undefined): string | undefined {
  const all = [values ?? []].flat()
  return all.length === 1 ? all[0] : undefined
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

/** Filters by words that are facets. */
const wordFilters = [
  ['model', 'model'],
  ['kind', 'kind'],
  ['tag', 'anyTag'],
  ['name', 'rootName'],
  ['service', 'service'],
  ['environment', 'environment'],
] as const satisfies readonly (readonly [FacetKey, keyof PlanFilters])[]

/** Those that can be excluded and are in no column of their own. */
const excludedFacets = ['model', 'kind', 'tag'] as const satisfies readonly FacetKey[]

interface RequiredFacets {
  /** One facet each, or none if the value was never stored. A trace must have all of them. */
  readonly all: readonly (readonly number[])[]
  /** Several facets each. A trace must have one of each group. */
  readonly groups: readonly (readonly number[])[]
  /** Those that the statements compare. */
  readonly bindings: Bindings
}

function openFacetSearch(
  db: DatabaseSync,
): (projectId: string, filters: PlanFilters, bounds: Bindings) => RequiredFacets {
  const byValue = prepareRows(db, facetsByValue)
  const facetNos = (projectId: string, key: FacetKey, values: readonly string[]) =>
    readRows<readonly [number]>(byValue, {
      projectId,
      key: facetKeyNo[key],
      values: JSON.stringify(values),
    }).map(([facetNo]) => facetNo)
  const namesWith = openNameSearch(db)

  return (projectId, filters, bounds) => {
    const { tags = [], excluded = {} } = filters
    const words = [
      ...[...new Set(tags)].map((tag) => ['tag', [tag]] as const),
      ...wordFilters.flatMap(([key, filter]) => {
        const values = filters[filter]
        return values === undefined ? [] : [[key, [values].flat()] as const]
      }),
    ]
    const found = words.map(([key, values]) => facetNos(projectId, key, values))
    const names = namesWith(projectId, bounds)
    // Every trace that matches has the only name that matches.
    const all = [...(names?.length === 1 ? [names] : []), ...found.filter(isOne)]
    const either = found.filter((group) => !isOne(group))
    const sizes = sizeLevels(filters).map(([key, levels]) => facetNos(projectId, key, levels))
    const none = excludedFacets.flatMap((key) => {
      const values = excluded[key]
      return values === undefined ? [] : facetNos(projectId, key, values)
    })
    const compared = [...all, ...either]
    return {
      all,
      groups: [...either, ...sizes, ...(names === undefined || names.length === 1 ? [] : [names])],
      bindings: {
        facets: compared.length === 0 ? null : JSON.stringify(compared),
        noFacets: none.length === 0 ? null : JSON.stringify(none),
      },
    }
  }
}

function isOne(group: readonly number[]): boolean {
  return group.length === 1
}

/** The levels of the sizes that match, except where sizes without a level match too. */
function sizeLevels(filters: PlanFilters): readonly (readonly [FacetKey, readonly string[]])[] {
  const sizes = [
    ['cost', filters.minCostUsd, filters.maxCostUsd],
    ['duration', filters.minDurationMs, filters.maxDurationMs],
    ['tokens', filters.minTokens, filters.maxTokens],
  ] as const
  return sizes.flatMap(([key, min, max]) => {
    const levels = min === undefined ? undefined : levelsBetween(key, min, max)
    return levels === undefined ? [] : [[key, levels] as const]
  })
}

/** The facets of the names with the requested part; undefined without one, and if they are many. */
function openNameSearch(
  db: DatabaseSync,
): (projectId: string, bounds: Bindings) => readonly number[] | undefined {
  const byPart = prepareRows(db, facetsByPart)
  return (projectId, { name = null, namePart = null }) => {
    if (name === null) return undefined
    const limit = matchingNamesMax + 1
    const bindings = { projectId, key: facetKeyNo.name, name, namePart, limit }
    const names = readRows<readonly [number]>(byPart, bindings)
    return names.length > matchingNamesMax ? undefined : names.map(([facetNo]) => facetNo)
  }
}
