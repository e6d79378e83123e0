import { text } from '@assay/account/routes/search-fields.ts'
import { searchSchema } from '@assay/account/routes/search-schema.ts'

/** The IDs of the runs in the URL that are compared, or selected for it. */
export const compareRunsSearch = searchSchema({ a: text, b: text })
