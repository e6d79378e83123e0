import { parseSearch, stringifySearch } from '@assay/account/routes/search-params.ts'
import { type TraceSearch, traceSearch } from '../../parts/trace-search.ts'

/*
 * A saved view stores the URL query of a list: its filters and columns, but not whether it was live.
 */

export function queryOfView({ live: _, ...search }: TraceSearch): string {
  const sorted = Object.entries(search).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return stringifySearch(Object.fromEntries(sorted)).slice(1)
}

/** Unknown parameters are dropped. */
export function searchOfView(view: { readonly query: string }): TraceSearch {
  const { live: _, ...search } = traceSearch.parse(parseSearch(view.query))
  return search
}

/** The view with these filters and columns, otherwise one with these filters and no columns. */
export function findView<View extends { readonly query: string }>(
  views: readonly View[],
  search: TraceSearch,
): View | undefined {
  const { columns: _, ...anyColumns } = search
  const shows = (view: View, query: string) => queryOfView(searchOfView(view)) === query
  return (
    views.find((view) => shows(view, queryOfView(search))) ??
    views.find((view) => shows(view, queryOfView(anyColumns)))
  )
}
