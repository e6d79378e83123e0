import { type Synthesis, synthesis } from '@assay/contract/blueprint.ts'
import { type ScenarioSummary, scenarioSummary } from '@assay/contract/scenarios.ts'
import { type SyntheticSource, syntheticSource } from '@assay/contract/synthetic.ts'
import { z } from 'zod'
import { openDraftStore } from './draft-store.ts'

/*
 * A document on its way to an agent. The service stores none of it.
 */

export interface BlueprintDraft {
  /** As typed, until a source is read. */
  readonly text: string
  readonly url: string
  readonly source?: SyntheticSource | undefined
  readonly synthesis?: Synthesis | undefined
  readonly scenarios?: readonly ScenarioSummary[] | undefined
}

export const blueprintDrafts = openDraftStore<BlueprintDraft>(
  'blueprint',
  z.object({
    text: z.string(),
    url: z.string(),
    source: syntheticSource.optional(),
    synthesis: synthesis.optional(),
    scenarios: z.array(scenarioSummary).optional(),
  }),
  { text: '', url: '' },
)
