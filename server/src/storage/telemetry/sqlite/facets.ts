import type { DatabaseSync } from 'node:sqlite'
import type { Instant } from '../../../domain/instant.ts'
import type { Facet } from '../aggregates/trace-facets.ts'
import { prepareRows } from './database.ts'
import {
  deleteFacetTrace,
  facetByNumber,
  facetKeyNo,
  findFacet,
  insertFacet,
  insertFacetTrace,
} from './statements/facets.ts'
import type { StoredTrace } from './trace-columns.ts'
import type { IndexEntry, TraceState } from './trace-states.ts'

/*
 * Indexes traces by their facets. The facets of a trace are stored in its own row, so that its index entries can be
 * deleted even if a later version would index it by others.
 */

export interface Facets {
  /** Updates the index entries of the trace; only what has changed is written. */
  index(trace: TraceState, facets: readonly Facet[], at: Instant): IndexEntry
  remove(trace: IndexedTrace): void
  /** Moves the index entries of the trace to another project; returns the numbers of its facets there. */
  move(trace: IndexedTrace, projectNo: number): readonly number[]
  /** To be called after a rollback: cached numbers may not be stored. */
  invalidate(): void
}

/** A stored trace, whose index entries are at its start. */
type IndexedTrace = Pick<StoredTrace, 'traceNo' | 'facetNos' | 'startedAt'>

/** About 10 MB. */
const cacheEntriesMax = 100_000

export function prepareFacets(db: DatabaseSync): Facets {
  const { findNumber, findOrInsert, invalidate } = openNumbers(db)
  const insert = db.prepare(insertFacetTrace)
  const remove = db.prepare(deleteFacetTrace)
  const readFacet = prepareRows(db, facetByNumber)
  const removeAll = ({ traceNo, facetNos, startedAt }: IndexedTrace) => {
    for (const facetNo of facetNos) remove.run(facetNo, startedAt, traceNo)
  }
  return {
    index({ traceNo, projectNo, indexEntry }, facets, at) {
      const facetNos = facets.map((facet) => findNumber(projectNo, facet))
      const before = indexEntry?.at === at ? new Set(indexEntry.facetNos) : nothing
      const now = new Set(facetNos)
      for (const facetNo of indexEntry?.facetNos ?? []) {
        if (!(before.has(facetNo) && now.has(facetNo))) remove.run(facetNo, indexEntry!.at, traceNo)
      }
      for (const facetNo of facetNos) {
        if (!before.has(facetNo)) insert.run(facetNo, at, traceNo)
      }
      return { facetNos, at }
    },
    remove: removeAll,
    move(trace, projectNo) {
      removeAll(trace)
      return trace.facetNos.map((facetNo) => {
        const [key, value] = readFacet.get(facetNo) as unknown as [number, string]
        const moved = findOrInsert(projectNo, key, value)
        insert.run(moved, trace.startedAt, trace.traceNo)
        return moved
      })
    },
    invalidate,
  }
}

const nothing: ReadonlySet<number> = new Set()

function openNumbers(db: DatabaseSync) {
  const find = prepareRows(db, findFacet)
  const insert = prepareRows(db, insertFacet)
  const known = new Map<string, number>()
  const findOrInsert = (...identity: [projectNo: number, key: number, value: string]): number => {
    const row = find.get(...identity) ?? insert.get(...identity)
    const [facetNo] = row as unknown as [number]
    return facetNo
  }
  const findNumber = (projectNo: number, { key, value }: Facet): number => {
    const name = `${projectNo} ${key} ${value}`
    const cached = known.get(name)
    if (cached !== undefined) return cached
    const facetNo = findOrInsert(projectNo, facetKeyNo[key], value)
    if (known.size === cacheEntriesMax) known.clear()
    known.set(name, facetNo)
    return facetNo
  }
  return { findNumber, findOrInsert, invalidate: () => known.clear() }
}
