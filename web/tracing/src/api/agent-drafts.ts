import { agentToolKinds } from '@assay/contract/agent-config.ts'
import { type Volumes, volumes } from '@assay/contract/cost-calculator.ts'
import { z } from 'zod'
import { openDraftStore } from './draft-store.ts'

/*
 * The agent that a person enters for an estimate.
 *
 * An agent has up to a million characters, which no address can hold. So the address of an estimate has only its
 * settings, and the agent stays in the browser. Once scenarios are generated, the stored run has the agent, and its
 * address can be shared.
 */

/** Not checked: it may be incomplete. */
export interface AgentDraft {
  readonly agent: z.output<typeof agentSchema>
  /** The volumes of the recorded runs that the agent was imported from. */
  readonly imported?: Volumes | undefined
}

const agentSchema = z.object({
  system_prompt: z.string(),
  tone: z.string(),
  memory: z.string(),
  tools: z.array(
    z.object({
      kind: z.enum(agentToolKinds),
      name: z.string(),
      mode: z.enum(['simulated', 'real']),
      description: z.string(),
      content: z.string().optional(),
    }),
  ),
})

export const emptyDraft: AgentDraft = {
  agent: { system_prompt: '', tone: '', memory: '', tools: [] },
}

export const agentDrafts = openDraftStore<AgentDraft>(
  'agent',
  z.object({ agent: agentSchema, imported: volumes.optional() }),
  emptyDraft,
)
