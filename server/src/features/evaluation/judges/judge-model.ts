import { type Evaluator, isJudge } from '@assay/contract/evaluators.ts'
import type { GatewayModel } from '../../../model-gateway/gateway-model.ts'
import { getConfiguredModel } from '../../../model-gateway/get-configured-model.ts'
import type { Models } from '../../../model-gateway/models.ts'
import { Failure } from '../../../platform/failure.ts'

export function needsModel(evaluators: readonly Evaluator[]): boolean {
  return evaluators.some(isJudge)
}

/** The model that judges call; undefined if no evaluator is one. */
export async function findJudgeModel(
  organizationId: string,
  evaluators: readonly Evaluator[],
  configId: string | null,
  models: Pick<Models, 'findConfigured'>,
): Promise<GatewayModel | undefined> {
  if (!needsModel(evaluators)) return undefined
  if (configId === null) {
    throw new Failure('VALIDATION_ERROR', 'model_config_id is required: a judge calls a model')
  }
  return await getConfiguredModel(organizationId, configId, models)
}
