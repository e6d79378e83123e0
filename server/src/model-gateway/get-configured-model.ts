import { Failure } from '../platform/failure.ts'
import type { GatewayModel } from './gateway-model.ts'
import type { Models } from './models.ts'

/** Throws a Failure with the field of the request if the organization has no such model. */
export async function getConfiguredModel(
  organizationId: string,
  configId: string,
  models: Pick<Models, 'findConfigured'>,
  field = 'model_config_id',
): Promise<GatewayModel> {
  const model = await models.findConfigured(organizationId, configId)
  if (model === undefined) throw modelNotFound(field)
  return model
}

export function modelNotFound(field: string): Failure {
  const message = 'The model configuration does not exist, or was deleted.'
  return new Failure('NOT_FOUND', message, { details: { field } })
}
