import { defaultEstimateModels, estimateCost } from '@assay/contract/cost-calculator.ts'
import { recommend } from '@assay/contract/recommendations.ts'
import { type EstimateAgentPorts, estimateAgent } from '../../cost-estimate/estimate-agent.ts'
import { recommendCandidate } from '../../domain/recommendation/recommend.ts'
import type { Bind } from '../../http/call.ts'

export interface CostCalculatorPorts extends EstimateAgentPorts {
  readonly bind: Bind
}

export function registerCostCalculator(ports: CostCalculatorPorts): void {
  const { bind } = ports

  bind(estimateCost, async ({ caller, body, readOptions: { requester }, signal }) => {
    const { agent_config: agent, model_config_ids: configIds, volumes, caching } = body
    const { service_tier: serviceTier } = body
    const { scenario_count: scenarioCount, include_multi_turn: includeMultiTurn } = body
    const requested =
      configIds === undefined ? { names: body.models ?? defaultEstimateModels } : { configIds }
    return await estimateAgent(
      caller,
      { agent, requested, volumes, caching, scenarioCount, includeMultiTurn, serviceTier },
      { requester, signal },
      ports,
    )
  })

  bind(recommend, async ({ body }) => recommendCandidate(body))
}
