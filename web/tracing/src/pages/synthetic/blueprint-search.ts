import { oneOf, text } from '@assay/account/routes/search-fields.ts'
import { type SearchOf, searchSchema } from '@assay/account/routes/search-schema.ts'

/*
 * The open part of a blueprint in the URL.
 */

const parts = ['tools', 'records', 'policies', 'tasks', 'checks'] as const

export const blueprintSearch = searchSchema({
  /** The agent by default. */
  part: oneOf(parts),
  /** The table of records; the first by default. */
  entity: text,
  /** The policy whose sentence is highlighted in the source. */
  policy: text,
  /** The task whose calls are shown. */
  task: text,
})
export type BlueprintSearch = SearchOf<typeof blueprintSearch>
export type BlueprintPart = (typeof parts)[number]
