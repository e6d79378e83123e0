import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type AgentDraft, saveAgentDraft, useAgentDraft } from '../../api/agent-drafts.ts'
import { sessionQuery } from '../../api/session.ts'
import { useProject } from '../../shell/use-project.ts'

/** The agent that the person has entered in the project of the page. */
export function useDraft() {
  const { project } = useProject()
  const userId = useQuery(sessionQuery).data?.user.id ?? ''
  const draft = useAgentDraft(userId, project.id)
  const [isStored, setStored] = useState(true)
  const replaceDraft = (next: AgentDraft) => setStored(saveAgentDraft(userId, project.id, next))
  return {
    draft,
    /** False if it is lost on a reload. */
    isStored,
    replaceDraft,
    changeAgent: (change: Partial<AgentDraft['agent']>) =>
      replaceDraft({ ...draft, agent: { ...draft.agent, ...change } }),
  }
}
