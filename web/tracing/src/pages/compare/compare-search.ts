import { flag, type SearchOf, searchSchema, text } from '../../search-schema.ts'

/*
 * The state of the comparison page, as URL search parameters.
 */

export const compareSearch = searchSchema({
  a: text,
  b: text,
  /** Shows differences only. */
  only: flag,
  /** The open row: `a:<span ID>`, or `b:<span ID>` if A does not have the span. */
  row: text,
})
export type CompareSearch = SearchOf<typeof compareSearch>
