import type { TraceFilters } from '@assay/contract/traces.ts'
import { chipText, listTerms } from './filter-terms.ts'
import { type TraceListFilters, type TraceSearch, traceSearch } from './trace-search.ts'

/*
 * Filters of traces as text, where they cannot be changed.
 */

/** `Status: Error`, one for each filter. */
export function listFilterLabels(filters: TraceListFilters, nowMs: number): readonly string[] {
  const { mode = 'live', ...others } = filters
  const terms = listTerms(mode === 'all' ? others : { ...others, mode })
  return terms.map((term) => chipText(term, nowMs))
}

/** The list of traces with the filters of a request. */
export function toTraceSearch(filters: TraceFilters): TraceSearch {
  return { ...traceSearch.parse(filters), mode: filters.mode ?? 'all' }
}
