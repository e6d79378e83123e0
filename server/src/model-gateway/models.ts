import type { ModelProvider } from '@assay/contract/model-configs.ts'
import { parseInstant } from '../domain/instant.ts'
import { pricerFor } from '../models/pricer.ts'
import { rulesText } from '../models/stored-rules.ts'
import { type RateCard, toRates } from '../models/token-rates.ts'
import type { Clock } from '../platform/clock.ts'
import type { PlatformModelSettings } from '../platform/model-settings.ts'
import { allowedDestinations, nothingAllowed, plainHost } from '../platform/network-rules.ts'
import { type SecretBox, SecretNotReadable, type SecretPlace } from '../platform/secret-box.ts'
import type { ModelConfigRow } from '../storage/accounts/model-tables.ts'
import type { AccountStores } from '../storage/accounts/stores.ts'
import { type GatewayLimits, type ModelGateway, openModelGateway } from './gateway.ts'
import type { GatewayModel } from './gateway-model.ts'
import { type ModelOutbound, openModelOutbound } from './model-outbound.ts'
import { openPlatformMeters } from './platform-meters.ts'

/*
 * The models that features can call: those of an organization, with its own key, and the operator's.
 */

export interface Models extends ModelGateway {
  /** Undefined if the organization has no such configuration. */
  findConfigured(organizationId: string, configId: string): Promise<GatewayModel | undefined>
  /** The operator's model, on the allowance of the organization. */
  platformModel(organizationId: string): Promise<PlatformModel>
}

export type PlatformModel =
  | { readonly model: GatewayModel }
  /** The reason in a sentence for users. */
  | { readonly unavailable: string }

export interface ModelsPorts {
  readonly accounts: Pick<AccountStores, 'modelConfigs' | 'platformSpend' | 'prices'>
  readonly box: SecretBox
  readonly clock: Clock
  /** To models of organizations. */
  readonly outbound: ModelOutbound
  readonly platformModel: PlatformModelSettings | undefined
  readonly limits?: Partial<GatewayLimits>
}

export function openModels(ports: ModelsPorts): Models {
  const { accounts, box, clock, outbound, platformModel: platform } = ports
  const ratesOf = async (organizationId: string, model: PricedModel) => {
    const rules = await accounts.prices.list({ organizationId, projectId: null })
    return listedRates(model, rulesText(rules), clock)
  }
  const meterOf = openPlatformMeters(ports)
  const platformOutbound =
    platform && openModelOutbound(allowedDestinations(hostsOf(platform)) ?? nothingAllowed)

  return {
    ...openModelGateway(ports.limits),

    async findConfigured(organizationId, configId) {
      const row = await accounts.modelConfigs.find(organizationId, configId)
      if (row === undefined) return undefined
      const { provider, model, base_url: baseUrl } = row
      const apiKey = openKey(row, box)
      const rates = ownRates(row) ?? (await ratesOf(organizationId, row))
      const target = { organizationId, provider, model, baseUrl, apiKey }
      return { ...target, rates, outbound: outbound(organizationId) }
    },

    async platformModel(organizationId) {
      if (platform === undefined || platformOutbound === undefined) {
        return { unavailable: 'This service has no model of its own.' }
      }
      const { provider, model, baseUrl, apiKey } = platform
      // A server of the operator's own has no price; a provider without one would have no limit either.
      const rates =
        listedRates(platform, '', clock) ?? (provider === 'openai-compatible' ? free : null)
      if (rates === null) return { unavailable: "The service's own model has no known price." }
      const meter = meterOf(organizationId, platform.allowanceUsd)
      if (await meter.isUsedUp()) {
        return { unavailable: 'Your organization has used up its allowance of this month.' }
      }
      const target = { organizationId, provider, model, baseUrl, apiKey }
      return { model: { ...target, rates, outbound: platformOutbound(organizationId), meter } }
    },
  }
}

/** The place that the key of a model configuration is sealed for: it does not open in any other row. */
export function modelKeyPlace({
  id,
  organization_id,
}: Pick<ModelConfigRow, 'id' | 'organization_id'>): SecretPlace {
  return {
    table: 'model_configs',
    column: 'api_key',
    organizationId: organization_id,
    rowId: id,
  }
}

/** Null also for a key that was sealed for another row or with another master secret: it must be entered again. */
function openKey(row: ModelConfigRow, box: SecretBox): string | null {
  try {
    return row.api_key === null ? null : box.open(row.api_key, modelKeyPlace(row))
  } catch (error) {
    if (error instanceof SecretNotReadable) return null
    throw error
  }
}

interface PricedModel {
  readonly provider: ModelProvider
  readonly model: string
}

const free: RateCard = { base: toRates({ input: 0 }), long: [] }

/** By the prices of the configuration itself; null if it has none. */
export function ownRates(row: ModelConfigRow): RateCard | null {
  const { input_usd_per_mtok: input, output_usd_per_mtok: output } = row
  if (input === null || output === null) return null
  const cacheRead = row.cache_read_usd_per_mtok ?? undefined
  return { base: toRates({ input, output, cacheRead }), long: [] }
}

/** By the custom prices of the organization, else by the price list. */
function listedRates({ provider, model }: PricedModel, rules: string, clock: Clock) {
  const at = parseInstant(clock.now().toISOString())
  const { outcome } = pricerFor(rules).find({ provider, model, serviceTier: null, at })
  return 'card' in outcome ? outcome.card : null
}

/** The operator chose the address of the platform model, so it may be private. */
function hostsOf({ baseUrl }: PlatformModelSettings): readonly string[] {
  return baseUrl === null ? [] : [plainHost(new URL(baseUrl).hostname)]
}
