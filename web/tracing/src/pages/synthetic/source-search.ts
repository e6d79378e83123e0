import { z } from 'zod'
import { type SearchOf, searchSchema } from '../../search-schema.ts'

export const sourceSearch = searchSchema({
  /** What the source is read from; pasted text by default. */
  from: z.enum(['link', 'file']),
})
export type SourceSearch = SearchOf<typeof sourceSearch>
