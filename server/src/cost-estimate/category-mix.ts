import { type ScenarioCategory, scenarioCategories } from '@assay/contract/scenarios.ts'

/*
 * How many scenarios of a set are of each category.
 */

export type CategoryMix = Readonly<Record<ScenarioCategory, number>>

interface Scenarios {
  readonly scenarioCount: number
  readonly includeMultiTurn: boolean
  /** The share of each category. Default: the mix of generated scenarios. */
  readonly mix?: CategoryMix
}

/** Shares of categories in whole scenarios, by the largest remainder. */
export function allocateCategories({
  scenarioCount,
  includeMultiTurn,
  mix,
}: Scenarios): CategoryMix {
  const shares = mix ?? (includeMultiTurn ? multiTurnMix : singleTurnMix)
  const exact = scenarioCategories.map((category) => shares[category] * scenarioCount)
  const counts = exact.map(Math.floor)
  const missing = scenarioCount - counts.reduce((sum, one) => sum + one, 0)
  const byRemainder = exact
    .map((value, at) => ({ at, remainder: value - Math.floor(value) }))
    .toSorted((a, b) => b.remainder - a.remainder || a.at - b.at)
  for (const { at } of byRemainder.slice(0, missing)) counts[at] = (counts[at] ?? 0) + 1
  const [happy_path = 0, edge_case = 0, refusal = 0, multi_turn = 0] = counts
  return { happy_path, edge_case, refusal, multi_turn }
}

const singleTurnMix = { happy_path: 0.5, edge_case: 0.35, refusal: 0.15, multi_turn: 0 } as const
const multiTurnMix = { happy_path: 0.4, edge_case: 0.25, refusal: 0.1, multi_turn: 0.25 } as const
