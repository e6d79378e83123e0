import { flag, oneOf, text } from '@assay/account/routes/search-fields.ts'
import { type SearchOf, searchSchema } from '@assay/account/routes/search-schema.ts'

/*
 * The settings of an estimate in the URL. Numbers are as typed, so that an incomplete one is kept.
 */

export const estimateSearch = searchSchema({
  /** Names separated by commas. */
  models: text,
  /** The models of the organization instead. */
  own: flag,
  /** Without a prompt cache. */
  uncached: flag,
  /** Whose prices apply; standard ones by default. */
  tier: oneOf(['batch', 'flex']),
  scenarios: text,
  /** Includes conversations of several turns. */
  multi: flag,
  turns: text,
  calls: text,
  month: text,
})
export type EstimateSearch = SearchOf<typeof estimateSearch>
