import { defaultEstimateModels, estimateCost } from '@assay/contract/cost-calculator.ts'
import { recommend } from '@assay/contract/recommendations.ts'
import { type EstimateAgentPorts, estimateAgent } from '../../cost-estimate/estimate-agent.ts'
import { recommendCandidate } from '../../domain/recommendation/recommend.ts'
import type { Bind } from '../../http/call.ts'
import { openEventLoopTurns } from '../../platform/event-loop-turns.ts'

export interface CostCalculatorPorts extends EstimateAgentPorts {
  readonly bind: Bind
}

const waitingRecommendationsMax = 500

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

  const inTurn = openEventLoopTurns({
    waitingMax: waitingRecommendationsMax,
    refusal: 'Too many recommendations wait. Try again shortly.',
  })

  bind(recommend, ({ body, readOptions }) => inTurn(readOptions, () => recommendCandidate(body)))
}
