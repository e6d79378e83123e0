import { scenarioCategories } from '@assay/contract/scenarios.ts'
import { z } from 'zod'
import { type SearchOf, searchSchema, text } from '../../search-schema.ts'

/*
 * The pages of a run in the URL.
 */

export const runSteps = ['estimate', 'scenarios', 'results', 'recommendation'] as const
export type RunStep = (typeof runSteps)[number]

export const runSearch = searchSchema({
  /** Defaults to `scenarios`. */
  step: z.enum(runSteps),
  category: z.enum(scenarioCategories),
  /** The ID of the scenario with open details. */
  open: text,
})
export type RunSearch = SearchOf<typeof runSearch>
