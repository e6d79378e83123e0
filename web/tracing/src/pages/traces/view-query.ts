import { limits } from '@assay/contract/limits.ts'
import type { SavedView } from '@assay/contract/saved-views.ts'
import { parseSearch, stringifySearch } from '../../search-params.ts'
import { parseTraceSearch, type TraceSearch } from './trace-search.ts'

/*
 * A saved view stores the URL query of a list: its filters and columns, but not whether it was live.
 */

export function queryOfView({ live: _, ...search }: TraceSearch): string {
  const sorted = Object.entries(search).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return stringifySearch(Object.fromEntries(sorted)).slice(1)
}

/** Unknown parameters are dropped. */
export function searchOfView(view: SavedView): TraceSearch {
  const { live: _, ...search } = parseTraceSearch(parseSearch(view.query))
  return search
}

/** The view with these filters and columns, otherwise one with these filters and no columns. */
export function findView(views: readonly SavedView[], search: TraceSearch): SavedView | undefined {
  const { columns: _, ...anyColumns } = search
  const shows = (view: SavedView, query: string) => queryOfView(searchOfView(view)) === query
  return (
    views.find((view) => shows(view, queryOfView(search))) ??
    views.find((view) => shows(view, queryOfView(anyColumns)))
  )
}

/** Why the view cannot be saved under this name, or undefined if it can. */
export function problemOfView(
  name: string,
  query: string,
  views: readonly SavedView[],
): string | undefined {
  if (name === '') return 'Enter a name.'
  if (name.length > limits.nameLength.value) {
    return `Names can have at most ${limits.nameLength.value} characters.`
  }
  if (query.length > limits.viewQueryLength.value) {
    return 'These filters are too long to save. Remove some of them.'
  }
  const { value: max } = limits.viewsPerPerson
  if (views.length >= max && !views.some((view) => view.name === name)) {
    return `You have reached the limit of ${max} views. Delete one first.`
  }
  return undefined
}
