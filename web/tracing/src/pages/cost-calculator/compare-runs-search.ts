import { searchSchema, text } from '../../search-schema.ts'

/** The IDs of the compared runs in the URL. */
export const compareRunsSearch = searchSchema({ a: text, b: text })
