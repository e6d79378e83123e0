import { Outlet } from '@tanstack/react-router'
import { blueprintDrafts } from '../../api/blueprint-drafts.ts'
import {
  requestScenarios,
  requestSource,
  requestSynthesis,
  type ScenariosBody,
  type SourceBody,
  type SynthesisBody,
} from '../../api/synthetic.ts'
import { TabFrame } from '../../page/TabFrame.tsx'
import { useStoredDraft } from '../../parts/use-stored-draft.ts'
import { useProject } from '../../shell/use-project.ts'
import styles from './synthetic.module.css'
import { SyntheticContext } from './synthetic-context.ts'
import { useCancelableRequest } from './use-cancelable-request.ts'
import { useModelChoice } from './use-model-choice.ts'

/** Wraps the pages that turn a document into an agent, and keeps their state and requests. */
export function SyntheticFrame() {
  const { project } = useProject()
  const { draft, isStored, changeDraft, replaceDraft } = useStoredDraft(blueprintDrafts)
  const choice = useModelChoice()
  const reading = useCancelableRequest(
    (body: SourceBody, signal) => requestSource(project.id, body, signal),
    ({ source }) => replaceDraft({ ...blueprintDrafts.empty, source }),
  )
  const writing = useCancelableRequest(
    (body: SynthesisBody, signal) => requestSynthesis(project.id, body, signal),
    (synthesis) => changeDraft({ synthesis, scenarios: undefined }),
  )
  const drafting = useCancelableRequest(
    (body: ScenariosBody, signal) => requestScenarios(project.id, body, signal),
    ({ scenarios }) => changeDraft({ scenarios }),
  )
  function clearDraft(): void {
    for (const request of [reading, writing, drafting]) request.cancel()
    replaceDraft(blueprintDrafts.empty)
  }
  const requests = { reading, writing, drafting }
  const synthetic = { draft, isStored, changeDraft, clearDraft, choice, ...requests }
  return (
    <TabFrame
      label="Synthetic setup"
      section="/p/$projectId/synthetic"
      params={{ projectId: project.id }}
    >
      {!isStored && (
        <p className={styles.unstored} role="status">
          The document and its blueprint do not fit into the storage of the browser. They are lost
          when you reload the page: download the blueprint.
        </p>
      )}
      <SyntheticContext value={synthetic}>
        <Outlet />
      </SyntheticContext>
    </TabFrame>
  )
}
