import { type AgentDraft, agentDrafts } from '../../api/agent-drafts.ts'
import { useStoredDraft } from '../../parts/use-stored-draft.ts'

/** The agent that the person has entered in the project of the page. */
export function useDraft() {
  const { draft, isStored, replaceDraft } = useStoredDraft(agentDrafts)
  return {
    draft,
    isStored,
    replaceDraft,
    changeAgent: (change: Partial<AgentDraft['agent']>) =>
      replaceDraft({ ...draft, agent: { ...draft.agent, ...change } }),
  }
}
