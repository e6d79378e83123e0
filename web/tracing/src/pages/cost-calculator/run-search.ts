import { oneOf, text, textThat } from '@assay/account/routes/search-fields.ts'
import { type SearchOf, searchSchema } from '@assay/account/routes/search-schema.ts'
import { scenarioCategories } from '@assay/contract/scenarios.ts'

/*
 * The pages of a run in the URL.
 */

export const runSteps = ['estimate', 'scenarios', 'results', 'recommendation'] as const
export type RunStep = (typeof runSteps)[number]

/** From 0 to 100. */
const weight = textThat((percent) => /^(?:\d{1,2}|100)$/.test(percent))

export const runSearch = searchSchema({
  /** Defaults to `scenarios`. */
  step: oneOf(runSteps),
  category: oneOf(scenarioCategories),
  /** The ID of the scenario with open details. */
  open: text,
  ...{ quality: weight, cost: weight, latency: weight },
  /** Limits of the recommended model, per scenario. The latency is in seconds. */
  ...{ max_cost: text, min_score: text, max_latency: text },
})
export type RunSearch = SearchOf<typeof runSearch>
