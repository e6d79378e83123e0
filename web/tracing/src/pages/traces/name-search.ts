import { limits } from '@assay/contract/limits.ts'
import type { TraceSearch } from '../../parts/trace-search.ts'

/*
 * A search for words as a search for a name. Words are searched in spans; the name that a sender gives a trace need not
 * be that of a span.
 */

/** The same search with its words as the name. Undefined without words, or where a name is searched already. */
export function toNameSearch({ q, ...search }: TraceSearch): TraceSearch | undefined {
  if (q === undefined || search.name !== undefined) return undefined
  // A part of a name needs no mark of a prefix.
  const name = q.replaceAll(/\*(?=\s|$)/g, '').trim()
  const isPossible = name !== '' && name.length <= limits.rootNameLength.value
  return isPossible ? { ...search, name } : undefined
}
