import type { Evaluator } from '@assay/contract/evaluators.ts'
import type { GatewayModel } from '../../model-gateway/gateway-model.ts'
import type { Models } from '../../model-gateway/models.ts'
import { Failure } from '../../platform/failure.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import { type Collection, loadCollections, requireEvaluators } from './evaluators/evaluators.ts'
import { findJudgeModel } from './judges/judge-model.ts'

/*
 * What an evaluation of many traces needs. A Failure also ends one that runs, with its message as the reason.
 */

export async function findCollection(
  organizationId: string,
  collectionId: string,
  accounts: Pick<Accounts, 'evaluators' | 'evaluatorCollections'>,
): Promise<Collection> {
  const [collection] = await loadCollections(organizationId, [collectionId], accounts)
  if (collection === undefined) {
    throw new Failure('NOT_FOUND', 'The evaluator collection does not exist, or was deleted.', {
      details: { field: 'collection_id' },
    })
  }
  requireEvaluators(collection)
  return collection
}

/** Undefined if no evaluator needs one. The cost of a model without a price could not be limited. */
export async function findPricedModel(
  organizationId: string,
  evaluators: readonly Evaluator[],
  configId: string | null,
  models: Pick<Models, 'findConfigured'>,
): Promise<GatewayModel | undefined> {
  const model = await findJudgeModel(organizationId, evaluators, configId, models)
  if (model?.rates === null) {
    throw new Failure(
      'VALIDATION_ERROR',
      'model_config_id must have a model with a known price: enter its prices, 0 for a free model',
    )
  }
  return model
}
