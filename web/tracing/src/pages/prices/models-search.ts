import { type SearchOf, searchSchema } from '@assay/account/routes/search-schema.ts'
import { z } from 'zod'
import { ranges } from '../../filter/time-range.ts'

/*
 * The time range of the observed models in the address.
 */

export const modelRanges = ['24h', '7d', '30d'] as const

export const modelsSearch = searchSchema({
  /** A week by default. */
  range: z.enum(modelRanges),
})

/** The selected range with its label and duration. */
export function resolveRange({ range = '7d' }: SearchOf<typeof modelsSearch>) {
  return { id: range, ...ranges[range] }
}
