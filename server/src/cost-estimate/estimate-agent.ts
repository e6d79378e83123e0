import type { AgentConfig } from '@assay/contract/agent-config.ts'
import type { CostEstimate, Volumes } from '@assay/contract/cost-calculator.ts'
import type { Requester } from '../platform/requester.ts'
import type { AgentCounter } from './agent-counter.ts'
import { estimateCosts } from './estimate-cost.ts'
import { type FindModelsPorts, findModels, type RequestedModels } from './find-models.ts'

/*
 * The estimate of an agent in a project: with the prices of the project and the counted tokens of the agent.
 */

export interface EstimateAgentPorts extends FindModelsPorts {
  readonly agentCounter: AgentCounter
}

interface RequestedEstimate {
  readonly agent: AgentConfig
  readonly requested: RequestedModels
  readonly volumes?: Volumes | undefined
  readonly caching: boolean
  readonly scenarioCount: number
  readonly includeMultiTurn: boolean
  readonly serviceTier?: string
}

interface Project {
  readonly organizationId: string
  readonly projectId: string
}

export async function estimateAgent(
  project: Project,
  estimate: RequestedEstimate,
  by: { readonly requester: Requester; readonly signal: AbortSignal },
  ports: EstimateAgentPorts,
): Promise<CostEstimate> {
  const { agent, volumes, caching, scenarioCount, includeMultiTurn } = estimate
  const { models, recordedWith } = await findModels(project, estimate, ports)
  const counts = await ports.agentCounter.count(by.requester, agent, by.signal)
  return estimateCosts({
    ...{ counts, models, caching, volumes, recordedWith, scenarioCount, includeMultiTurn },
  })
}
