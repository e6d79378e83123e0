import { ranges } from '../../filter/time-range.ts'

/*
 * How far back models are looked for, as it stands in the address.
 */

export const modelRanges = ['24h', '7d', '30d'] as const
type ModelRange = (typeof modelRanges)[number]

export interface ModelsSearch {
  /** A week unless told. */
  readonly range?: ModelRange
}

export function parseModelsSearch({ range }: Readonly<Record<string, unknown>>): ModelsSearch {
  const known = modelRanges.find((one) => one === range)
  return known === undefined || known === '7d' ? {} : { range: known }
}

/** The range in force, in words and in milliseconds. */
export function resolveRange({ range = '7d' }: ModelsSearch) {
  return { id: range, ...ranges[range] }
}
