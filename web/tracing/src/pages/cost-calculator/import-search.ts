import { flag, text } from '@assay/account/routes/search-fields.ts'
import { type SearchOf, searchSchema } from '@assay/account/routes/search-schema.ts'

/*
 * The import of an agent in the URL.
 */

export const importSearch = searchSchema({
  /** The IDs of the selected traces, separated by commas. */
  runs: text,
  /** Shows what they contain. */
  extract: flag,
})
export type ImportSearch = SearchOf<typeof importSearch>

export function selectedRuns({ runs = '' }: ImportSearch): readonly string[] {
  return [...new Set(runs.split(',').filter(Boolean))]
}
