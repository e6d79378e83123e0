import { parseSearch, stringifySearch } from '@assay/account/routes/search-params.ts'
import type { Trace } from '@assay/contract/traces.ts'
import { toListSearch } from './trace-mode.ts'
import { type TraceSearch, traceSearch } from './trace-search.ts'

/*
 * The trace list that was last open in this tab, so that a trace leads back to it.
 */

const prefix = 'assay.list.'
const toStorageKey = (projectId: string) => prefix + projectId

export function rememberList(projectId: string, search: TraceSearch): void {
  try {
    sessionStorage.setItem(toStorageKey(projectId), stringifySearch(search))
  } catch {
    // Storage is full or disabled: traces then lead to the list without filters.
  }
}

/** Removes the lists of this tab, at sign-out: their filters may name users and sessions. */
export function forgetLists(): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(prefix)) sessionStorage.removeItem(key)
    }
  } catch {
    // Storage is disabled.
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
