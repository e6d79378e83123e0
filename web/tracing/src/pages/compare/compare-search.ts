import { flag, type SearchOf, searchSchema, text } from '@assay/account/routes/search-schema.ts'
import { z } from 'zod'

/*
 * The state of the comparison page, as URL search parameters.
 */

export const compareSearch = searchSchema({
  a: text,
  b: text,
  /** Defaults to `spans`. */
  view: z.enum(['spans', 'scores']),
  /** Shows differences only. */
  only: flag,
  /** The open row: `a:<span ID>`, or `b:<span ID>` if A does not have the span. */
  row: text,
  /** The id of the evaluator whose scores are open. */
  evaluator: text,
})
export type CompareSearch = SearchOf<typeof compareSearch>
