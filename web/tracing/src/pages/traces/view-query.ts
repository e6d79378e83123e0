import { limits } from '@assay/contract/limits.ts'
import type { SavedView } from '@assay/contract/saved-views.ts'
import { parseSearch, stringifySearch } from '../../search-params.ts'
import { parseTraceSearch, type TraceSearch } from './trace-search.ts'

/*
 * A saved view is the address of a list: its filters and columns, not whether it was being followed.
 */

export function queryOfView({ live: _, ...search }: TraceSearch): string {
  const sorted = Object.entries(search).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return stringifySearch(Object.fromEntries(sorted)).slice(1)
}

/** What the view shows; what its text holds beyond that is left out. */
export function searchOfView(view: SavedView): TraceSearch {
  const { live: _, ...search } = parseTraceSearch(parseSearch(view.query))
  return search
}

/** The view that shows just this, if there is one. One that names no columns goes with any. */
export function findView(views: readonly SavedView[], search: TraceSearch): SavedView | undefined {
  const { columns: _, ...anyColumns } = search
  const shows = (view: SavedView, query: string) => queryOfView(searchOfView(view)) === query
  return (
    views.find((view) => shows(view, queryOfView(search))) ??
    views.find((view) => shows(view, queryOfView(anyColumns)))
  )
}

/** Why a view cannot be saved under this name; undefined where it can. */
export function problemOfView(
  name: string,
  query: string,
  views: readonly SavedView[],
): string | undefined {
  if (name === '') return 'Give it a name.'
  if (name.length > limits.nameLength.value) {
    return `A name can have ${limits.nameLength.value} characters at most.`
  }
  if (query.length > limits.viewQueryLength.value) {
    return 'These filters are too long to be saved. Take some away first.'
  }
  const { value: max } = limits.viewsPerPerson
  if (views.length >= max && !views.some((view) => view.name === name)) {
    return `You have ${max} views here, which is as many as there can be. Remove one first.`
  }
  return undefined
}
