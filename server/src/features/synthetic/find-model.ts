import type { GatewayModel } from '../../model-gateway/gateway-model.ts'
import { getConfiguredModel } from '../../model-gateway/get-configured-model.ts'
import type { Models } from '../../model-gateway/models.ts'
import { Failure } from '../../platform/failure.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'

export interface FindModelPorts {
  readonly accounts: Pick<AccountStores, 'modelConfigs'>
  readonly models: Models
}

/**
 * The requested model, else the oldest of the organization, else the operator's. Without any, throws a 503 with
 * `unavailable`, or the reason why the operator's cannot be used.
 */
export async function findModel(
  organizationId: string,
  configId: string | null | undefined,
  unavailable: string | undefined,
  { accounts, models }: FindModelPorts,
): Promise<GatewayModel> {
  if (configId) return await getConfiguredModel(organizationId, configId, models)
  const [oldest] = await accounts.modelConfigs.list(organizationId)
  const configured = oldest && (await models.findConfigured(organizationId, oldest.id))
  if (configured !== undefined) return configured
  const platform = await models.platformModel(organizationId)
  if ('model' in platform) return platform.model
  const message = unavailable ?? `${platform.unavailable} Add a model under Models.`
  throw new Failure('INTERNAL_ERROR', message, { status: 503 })
}
