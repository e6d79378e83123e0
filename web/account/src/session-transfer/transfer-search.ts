import { text } from '../routes/search-fields.ts'
import { searchSchema } from '../routes/search-schema.ts'

/** The search parameters of the page that transfers the session: `state` of the product that has requested it. */
export const transferSearch = searchSchema({ state: text })
