import { createContext, use } from 'react'
import type { BlueprintDraft } from '../../api/blueprint-drafts.ts'
import type { ScenariosBody, SourceBody, SynthesisBody } from '../../api/synthetic.ts'
import type { CancelableRequest } from './use-cancelable-request.ts'
import type { ModelChoice } from './use-model-choice.ts'

interface Synthetic {
  readonly draft: BlueprintDraft
  /** False if it is lost on a reload. */
  readonly isStored: boolean
  readonly changeDraft: (change: Partial<BlueprintDraft>) => void
  readonly clearDraft: () => void
  /** Stays chosen after a failure, and from the blueprint to its scenarios. */
  readonly choice: ModelChoice
  /** Requests continue while the person moves between the pages of the section. */
  readonly reading: CancelableRequest<SourceBody>
  readonly writing: CancelableRequest<SynthesisBody>
  readonly drafting: CancelableRequest<ScenariosBody>
}

/** Provided by `SyntheticFrame`. */
export const SyntheticContext = createContext<Synthetic | undefined>(undefined)

export function useSynthetic(): Synthetic {
  const synthetic = use(SyntheticContext)
  if (synthetic === undefined) throw new Error('This page is not a page of the synthetic setup.')
  return synthetic
}
