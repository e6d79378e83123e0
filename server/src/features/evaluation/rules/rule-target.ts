import type { Evaluator } from '@assay/contract/evaluators.ts'
import type { GatewayModel } from '../../../model-gateway/gateway-model.ts'
import type { Models } from '../../../model-gateway/models.ts'
import type { EvaluationRuleRow } from '../../../storage/accounts/evaluation-tables.ts'
import type { Collection } from '../evaluators/evaluators.ts'
import { needsModel } from '../judges/judge-model.ts'

/*
 * What an evaluation rule runs, or why it cannot: its collection and its model can be changed or deleted at any time.
 */

export interface RuleTarget {
  readonly evaluators: readonly Evaluator[]
  /** Undefined if no evaluator needs one. */
  readonly model: GatewayModel | undefined
  /** A sentence for users; null when the rule can run. */
  readonly problem: string | null
}

export async function findRuleTarget(
  row: EvaluationRuleRow,
  collection: Collection | undefined,
  models: Pick<Models, 'findConfigured'>,
): Promise<RuleTarget> {
  const evaluators = collection?.evaluators
  const stopped = (problem: string) => ({ evaluators: evaluators ?? [], model: undefined, problem })
  if (evaluators === undefined) return stopped('The collection was deleted. Choose another one.')
  if (evaluators.length === 0) {
    return stopped('The collection has no evaluators. Add one, or choose another collection.')
  }
  if (!needsModel(evaluators)) return { evaluators, model: undefined, problem: null }
  if (row.model_config_id === null) {
    return stopped('The collection has an evaluator that calls a model. Choose a model.')
  }
  const model = await models.findConfigured(row.organization_id, row.model_config_id)
  if (model === undefined) return stopped('The model was deleted. Choose another one.')
  if (model.rates === null) {
    return stopped('The model has no known price, so its cost cannot be limited. Enter its prices.')
  }
  return { evaluators, model, problem: null }
}
