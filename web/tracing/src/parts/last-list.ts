import { parseSearch, stringifySearch } from '@assay/account/routes/search-params.ts'
import type { Trace } from '@assay/contract/traces.ts'
import { toListSearch } from './trace-mode.ts'
import { type TraceSearch, traceSearch } from './trace-search.ts'

/*
 * The trace list that was last open in this tab, so that a trace leads back to it.
 */

const toStorageKey = (projectId: string) => `assay.list.${projectId}`

export function rememberList(projectId: string, search: TraceSearch): void {
  try {
    sessionStorage.setItem(toStorageKey(projectId), stringifySearch(search))
  } catch {
    // Storage is full or disabled: traces then lead to the list without filters.
  }
}

/** Undefined if no list has been open. */
export function findLastList(projectId: string): TraceSearch | undefined {
  try {
    const text = sessionStorage.getItem(toStorageKey(projectId))
    return text === null ? undefined : traceSearch.parse(parseSearch(text))
  } catch {
    return undefined
  }
}

/** The last list, unless traces of this mode are hidden in it. */
export function findListOf({ project_id, mode }: Pick<Trace, 'project_id' | 'mode'>): TraceSearch {
  const last = findLastList(project_id)
  const { mode: shown = 'live' } = last ?? {}
  return last !== undefined && (shown === 'all' || shown === mode) ? last : toListSearch({ mode })
}
