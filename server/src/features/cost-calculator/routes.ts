import { defaultEstimateModels, estimateCost } from '@assay/contract/cost-calculator.ts'
import { recommend } from '@assay/contract/recommendations.ts'
import { estimateCosts } from '../../cost-estimate/estimate-cost.ts'
import { recommendCandidate } from '../../domain/recommendation/recommend.ts'
import type { Bind } from '../../http/call.ts'
import type { AgentCounter } from './agent-counter.ts'
import { type FindModelsPorts, findModels } from './find-models.ts'

export interface CostCalculatorPorts extends FindModelsPorts {
  readonly bind: Bind
  readonly agentCounter: AgentCounter
}

export function registerCostCalculator(ports: CostCalculatorPorts): void {
  const { bind, agentCounter } = ports

  bind(estimateCost, async ({ caller, body, readOptions, signal }) => {
    const { agent_config: agent, model_config_ids: configIds, volumes, caching } = body
    const requested =
      configIds === undefined ? { names: body.models ?? defaultEstimateModels } : { configIds }
    const { models, recordedWith } = await findModels(caller, requested, volumes, ports)
    const counts = await agentCounter.count(readOptions.requester, agent, signal)
    const { scenario_count: scenarioCount, include_multi_turn: includeMultiTurn } = body
    return estimateCosts({
      ...{ counts, models, caching, volumes, recordedWith, scenarioCount, includeMultiTurn },
    })
  })

  bind(recommend, async ({ body }) => recommendCandidate(body))
}
