import { oneOf } from '@assay/account/routes/search-fields.ts'
import { type SearchOf, searchSchema } from '@assay/account/routes/search-schema.ts'
import { ranges } from '../../filter/time-range.ts'

/*
 * The time range of the observed models in the address.
 */

export const modelRanges = ['24h', '7d', '30d'] as const

export const modelsSearch = searchSchema({
  /** A week by default. */
  range: oneOf(modelRanges),
})

/** The selected range with its label and duration. */
export function resolveRange({ range = '7d' }: SearchOf<typeof modelsSearch>) {
  return { id: range, ...ranges[range] }
}
