import { type SearchOf, searchSchema } from '@assay/account/routes/search-schema.ts'
import { z } from 'zod'

export const sourceSearch = searchSchema({
  /** What the source is read from; pasted text by default. */
  from: z.enum(['link', 'file']),
})
export type SourceSearch = SearchOf<typeof sourceSearch>
