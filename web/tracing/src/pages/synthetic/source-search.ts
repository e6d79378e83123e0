import { oneOf } from '@assay/account/routes/search-fields.ts'
import { type SearchOf, searchSchema } from '@assay/account/routes/search-schema.ts'

export const sourceSearch = searchSchema({
  /** What the source is read from; pasted text by default. */
  from: oneOf(['link', 'file']),
})
export type SourceSearch = SearchOf<typeof sourceSearch>
