import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { type FacetKey, levelsFrom } from '../../../domain/trace-facets.ts'
import type { TraceFilters, TraceQuery } from '../store.ts'
import { prepareRows, rowsOf } from './database.ts'
import type { TraceRow } from './rows-read.ts'
import { openSearch } from './search/searching.ts'
import { countFacetTraces, facetKeyNo, facetsByPart, facetsByValue } from './statements/facets.ts'
import {
  newestTraces,
  tracesByNumber,
  tracesInError,
  tracesOfFacet,
  tracesOfFewFacets,
  tracesOfSession,
  tracesOfUser,
} from './statements/traces.ts'

/*
 * The list of traces, walked along the way that leaves least to look through. Where one of the filters leads
 * to few traces they are fetched and sorted; where each leads to many, a page of those that fit is soon met on
 * the way from the newest.
 */

export type TraceLists = (projectId: string, query: TraceQuery) => TraceRow[]

type Bindings = Record<string, SQLInputValue>

/** Sorted without anyone noticing. */
const fewTraces = 2000
/** A part of a name that more names than this contain is no help. */
const fewNames = 1000

// Instants are 64-bit integers: nothing starts before the first or after the last.
const firstInstant = -(2n ** 63n)
const lastInstant = 2n ** 63n - 1n

/** Gives one trace more than was asked for where there are more. */
export function openTraceLists(db: DatabaseSync): TraceLists {
  const waysOf = openWays(db)
  const search = openSearch(db)
  const byNumber = prepareRows(db, tracesByNumber)
  return (projectId, query) => {
    const bindings = listBindings(projectId, query)
    const way = waysOf(projectId, query.filters, bindings)
    if (way === undefined) return []
    const along = { ...bindings, ...way.bindings }
    if (query.filters.search === undefined) return rowsOf(way.statement, along)
    const begun = search.begin(projectId, query.filters.search)
    if (begun === undefined) return []
    const few = begun.fewTraces()
    if (few === undefined) return walk(way.statement, along, query.limit + 1, begun.among)
    const { facets = null } = way.bindings
    const found = { ...bindings, facets, traceNos: JSON.stringify(few) }
    return walk(byNumber, found, query.limit + 1, begun.among)
  }
}

/** Traces looked at together for words. */
const firstWalk = 100
const longestWalk = 1600

/** Goes along the way until enough of the traces on it are met. */
function walk(
  statement: StatementSync,
  bindings: Bindings,
  limit: number,
  among: (traces: readonly TraceRow[]) => TraceRow[],
): TraceRow[] {
  const found: TraceRow[] = []
  let from = bindings
  for (let step = firstWalk; ; step = Math.min(step * 2, longestWalk)) {
    const traces: TraceRow[] = rowsOf(statement, { ...from, limit: step })
    found.push(...among(traces))
    const last = traces.at(-1)
    if (found.length >= limit || last === undefined || traces.length < step) {
      return found.slice(0, limit)
    }
    from = { ...from, beforeStart: BigInt(last[11]), beforeId: last[0] }
  }
}

export function isFiltered(filters: TraceFilters): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}

function listBindings(projectId: string, { limit, after, filters }: TraceQuery): Bindings {
  // Every id is after the empty one: to start before `to` is to come before its first trace.
  const to = { startedAt: filters.to ?? lastInstant, traceId: '' }
  const before = after !== undefined && after.startedAt < to.startedAt ? after : to
  const { name, minDurationMs } = filters
  return {
    projectId,
    beforeStart: before.startedAt,
    beforeId: before.traceId,
    from: filters.from ?? firstInstant,
    status: filters.status ?? null,
    mode: filters.mode ?? null,
    environment: filters.environment ?? null,
    source: filters.source ?? null,
    service: filters.service ?? null,
    sessionId: filters.sessionId ?? null,
    userId: filters.userId ?? null,
    name: name === undefined ? null : `%${name.replaceAll(/[\\%_]/g, '\\$&')}%`,
    minCostUsd: filters.minCostUsd ?? null,
    minTokens: filters.minTokens ?? null,
    minDuration: minDurationMs === undefined ? null : nanosOf(minDurationMs),
    limit: limit + 1,
  }
}

/** Of a duration beyond what instants span, one that no trace has. */
function nanosOf(millis: number): bigint {
  return BigInt(Math.ceil(Math.min(millis * 1e6, 9.2e18)))
}

interface Way {
  readonly statement: StatementSync
  readonly bindings: Bindings
}

/** Undefined where a word that is asked for was never seen. */
function openWays(
  db: DatabaseSync,
): (projectId: string, filters: TraceFilters, bounds: Bindings) => Way | undefined {
  const newest = prepareRows(db, newestTraces)
  const inError = prepareRows(db, tracesInError)
  const ofSession = prepareRows(db, tracesOfSession)
  const ofUser = prepareRows(db, tracesOfUser)
  const ofFacet = prepareRows(db, tracesOfFacet)
  const ofFew = prepareRows(db, tracesOfFewFacets)
  const facetsOf = openFacetSearch(db)
  const count = prepareRows(db, countFacetTraces)

  /** The group that leads to fewest traces, if these are few. */
  const fewest = (groups: readonly (readonly number[])[], { from, beforeStart }: Bindings) => {
    let best: readonly number[] | undefined
    let limit = fewTraces
    for (const group of groups) {
      const bindings = { facets: JSON.stringify(group), from, beforeStart, limit: limit + 1 }
      const [traces] = count.get(bindings as Bindings) as unknown as [number]
      if (traces <= limit) {
        best = group
        limit = traces
      }
    }
    return best
  }
  return (projectId, filters, bounds) => {
    const { all, groups } = facetsOf(projectId, filters, bounds['name'] ?? null)
    if ([...all, ...groups].some((group) => group.length === 0)) return undefined
    const facets = all.length === 0 ? null : JSON.stringify(all.flat())
    if (filters.sessionId !== undefined) return { statement: ofSession, bindings: { facets } }
    if (filters.userId !== undefined) return { statement: ofUser, bindings: { facets } }
    const few = fewest([...all, ...groups], bounds)
    if (few !== undefined) {
      return { statement: ofFew, bindings: { facets, alongFacets: JSON.stringify(few) } }
    }
    const [along] = all
    if (along !== undefined) {
      return { statement: ofFacet, bindings: { facets, alongFacet: along[0]! } }
    }
    return { statement: filters.status === 'ERROR' ? inError : newest, bindings: { facets } }
  }
}

interface WantedFacets {
  /** Each of one facet, or of none where the word was never seen; a trace is to have every one. */
  readonly all: readonly (readonly number[])[]
  /** Each of some facets, one of which every trace that fits has. */
  readonly groups: readonly (readonly number[])[]
}

function openFacetSearch(
  db: DatabaseSync,
): (projectId: string, filters: TraceFilters, namePart: SQLInputValue) => WantedFacets {
  const byValue = prepareRows(db, facetsByValue)
  const byPart = prepareRows(db, facetsByPart)
  const facetNos = (projectId: string, key: FacetKey, values: readonly string[]) =>
    rowsOf<readonly [number]>(byValue, {
      projectId,
      key: facetKeyNo[key],
      values: JSON.stringify(values),
    }).map(([facetNo]) => facetNo)

  return (projectId, filters, namePart) => {
    const { tags = [], model, kind, minCostUsd, minDurationMs, minTokens } = filters
    const words = [
      ...[...new Set(tags)].map((tag) => ['tag', tag] as const),
      ...(model === undefined ? [] : [['model', model] as const]),
      ...(kind === undefined ? [] : [['kind', kind] as const]),
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
    if (namePart !== null) {
      const key = facetKeyNo.name
      const limit = fewNames + 1
      const names = rowsOf<readonly [number]>(byPart, { projectId, key, part: namePart, limit })
      if (names.length <= fewNames) groups.push(names.map(([facetNo]) => facetNo))
    }
    return { all: words.map(([key, word]) => facetNos(projectId, key, [word])), groups }
  }
}
