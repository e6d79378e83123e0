import { ranges } from '../../filter/time-range.ts'

/*
 * The time range of the observed models in the address.
 */

export const modelRanges = ['24h', '7d', '30d'] as const
type ModelRange = (typeof modelRanges)[number]

export interface ModelsSearch {
  /** A week by default. */
  readonly range?: ModelRange
}

export function parseModelsSearch({ range }: Readonly<Record<string, unknown>>): ModelsSearch {
  const known = modelRanges.find((one) => one === range)
  return known === undefined || known === '7d' ? {} : { range: known }
}

/** The selected range with its label and duration. */
export function resolveRange({ range = '7d' }: ModelsSearch) {
  return { id: range, ...ranges[range] }
}
