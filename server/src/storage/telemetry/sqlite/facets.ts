import type { DatabaseSync } from 'node:sqlite'
import type { Instant } from '../../../domain/instant.ts'
import type { Facet } from './aggregates/trace-facets.ts'
import { prepareRows } from './database.ts'
import {
  deleteFacetTrace,
  facetKeyNo,
  findFacet,
  insertFacet,
  insertFacetTrace,
} from './statements/facets.ts'
import type { IndexEntry, TraceState } from './trace-states.ts'

/*
 * Indexes traces by their facets. The facets of a trace are stored in its own row, so that its index entries can be
 * deleted even if a later version would index it by others.
 */

export interface Facets {
  /** Updates the index entries of the trace; only what has changed is written. */
  index(trace: TraceState, facets: readonly Facet[], at: Instant): IndexEntry
  remove(trace: TraceState): void
  /** To be called after a rollback: cached numbers may not be stored. */
  invalidate(): void
}

/** About 10 MB. */
const cacheEntriesMax = 100_000

export function prepareFacets(db: DatabaseSync): Facets {
  const findNumber = openNumbers(db)
  const insert = db.prepare(insertFacetTrace)
  const remove = db.prepare(deleteFacetTrace)
  const removeFromIndex = (
    { traceNo, indexEntry }: TraceState,
    isUnchanged: (facetNo: number) => boolean,
  ) => {
    for (const facetNo of indexEntry?.facetNos ?? []) {
      if (!isUnchanged(facetNo)) remove.run(facetNo, indexEntry!.at, traceNo)
    }
  }
  return {
    index(trace, facets, at) {
      const facetNos = facets.map((facet) => findNumber(trace.projectNo, facet))
      const before = trace.indexEntry?.at === at ? new Set(trace.indexEntry.facetNos) : nothing
      const now = new Set(facetNos)
      removeFromIndex(trace, (facetNo) => before.has(facetNo) && now.has(facetNo))
      for (const facetNo of facetNos) {
        if (!before.has(facetNo)) insert.run(facetNo, at, trace.traceNo)
      }
      return { facetNos, at }
    },
    remove: (trace) => removeFromIndex(trace, () => false),
    invalidate: () => findNumber.invalidate(),
  }
}

const nothing: ReadonlySet<number> = new Set()

function openNumbers(db: DatabaseSync) {
  const find = prepareRows(db, findFacet)
  const insert = prepareRows(db, insertFacet)
  const known = new Map<string, number>()
  const findNumber = (projectNo: number, { key, value }: Facet): number => {
    const name = `${projectNo} ${key} ${value}`
    const cached = known.get(name)
    if (cached !== undefined) return cached
    const identity = [projectNo, facetKeyNo[key], value] as const
    const [facetNo] = (find.get(...identity) ?? insert.get(...identity)) as unknown as [number]
    if (known.size === cacheEntriesMax) known.clear()
    known.set(name, facetNo)
    return facetNo
  }
  return Object.assign(findNumber, { invalidate: () => known.clear() })
}
