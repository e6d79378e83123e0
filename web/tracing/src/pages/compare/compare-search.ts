import { flag, oneOf, text } from '@assay/account/routes/search-fields.ts'
import { type SearchOf, searchSchema } from '@assay/account/routes/search-schema.ts'

/*
 * The state of the comparison page, as URL search parameters.
 */

export const compareSearch = searchSchema({
  a: text,
  b: text,
  /** Defaults to `spans`. */
  view: oneOf(['spans', 'scores']),
  /** Shows differences only. */
  only: flag,
  /** The open row: `a:<span ID>`, or `b:<span ID>` if A does not have the span. */
  row: text,
  /** The id of the evaluator whose scores are open. */
  evaluator: text,
})
export type CompareSearch = SearchOf<typeof compareSearch>
