import type { Volumes } from '@assay/contract/cost-calculator.ts'
import { limits } from '@assay/contract/limits.ts'
import { parseInstant } from '../domain/instant.ts'
import { modelNotFound } from '../model-gateway/get-configured-model.ts'
import { ownRates } from '../model-gateway/models.ts'
import { type FoundPrice, type Pricer, pricerFor } from '../models/pricer.ts'
import type { ProjectPrices } from '../models/project-prices.ts'
import { resolveModel } from '../models/resolve-model.ts'
import { isStandardTier } from '../models/service-tiers.ts'
import { scaleRates } from '../models/token-rates.ts'
import { unpricedReasonLabels } from '../models/unpriced-reasons.ts'
import type { Clock } from '../platform/clock.ts'
import type { ModelConfigRow } from '../storage/accounts/model-tables.ts'
import type { AccountStores } from '../storage/accounts/stores.ts'
import type { EstimatedModel } from './estimate-cost.ts'
import { type ModelTraits, traitsOf } from './model-traits.ts'
import { volumesOfModel } from './recorded-volumes.ts'

/*
 * The models of an estimate with their current prices in a project.
 */

export interface FindModelsPorts {
  readonly accounts: Pick<AccountStores, 'modelConfigs'>
  readonly prices: ProjectPrices
  readonly clock: Clock
}

interface Project {
  readonly organizationId: string
  readonly projectId: string
}

export type RequestedModels =
  | { readonly names: readonly string[] }
  | { readonly configIds: readonly string[] }

export interface FoundModels {
  /** In the order of the request, with the counter factors of the volumes. */
  readonly models: readonly EstimatedModel[]
  /** The model of the volumes. */
  readonly recordedWith: ModelTraits | undefined
}

interface ModelsRequest {
  readonly requested: RequestedModels
  readonly volumes?: Volumes | undefined
  readonly serviceTier?: string
}

export async function findModels(
  project: Project,
  { requested, volumes, serviceTier = 'standard' }: ModelsRequest,
  ports: FindModelsPorts,
): Promise<FoundModels> {
  const pricer = pricerFor(await ports.prices.readRules(project.projectId))
  const pricing: Pricing = { pricer, serviceTier, at: ports.clock.now().toISOString() }
  const named = (model: string) => toEstimated({ model, provider: null }, pricing)
  const factors = new Map<string, number>()
  // A model under several names: the first one has the most calls.
  for (const { model, factor } of (volumes?.counter_factors ?? []).toReversed()) {
    factors.set(named(model).knownAs, factor)
  }
  const found =
    'names' in requested
      ? requested.names.map(named)
      : await findConfigured(project, requested.configIds, pricing, ports)
  const recorded = volumes?.model === undefined ? undefined : named(volumes.model)
  const own = new Map<string, OwnVolumes>()
  for (const one of volumes?.by_model ?? []) {
    const { knownAs } = named(one.model)
    // A model under several names: the one with the most runs counts.
    if (one.runs > (own.get(knownAs)?.runs ?? 0)) own.set(knownAs, one)
  }
  const withRecorded = (one: EstimatedModel): EstimatedModel => ({
    ...one,
    ...recordedOf(one, own.get(one.knownAs), { volumes, recorded }),
    counterFactor: factors.get(one.knownAs),
    ownTraits: traitsOf(one.knownAs, factors.get(one.knownAs)),
  })
  const traits = recorded && traitsOf(recorded.knownAs, factors.get(recorded.knownAs))
  return { models: found.map(withRecorded), recordedWith: traits }
}

type OwnVolumes = NonNullable<Volumes['by_model']>[number]

interface Recorded {
  readonly volumes: Volumes | undefined
  /** The model of the volumes. */
  readonly recorded: EstimatedModel | undefined
}

/** Its own runs if there are enough, and the share of cached input of its own calls, or of the same provider. */
function recordedOf(
  { provider }: EstimatedModel,
  own: OwnVolumes | undefined,
  { volumes, recorded }: Recorded,
): Pick<EstimatedModel, 'ownVolumes' | 'cachedShare'> {
  if (volumes === undefined) return {}
  const hasEnough = own !== undefined && own.runs >= limits.modelVolumesRuns.value
  // Providers cache differently, some only on request.
  const isShared =
    volumes.runs === undefined || recorded === undefined || recorded.provider === provider
  return {
    ownVolumes: hasEnough ? volumesOfModel(volumes, own) : undefined,
    cachedShare: own?.cached_share ?? (isShared ? volumes.cached_share : undefined),
  }
}

async function findConfigured(
  { organizationId }: Project,
  configIds: readonly string[],
  pricing: Pricing,
  { accounts }: FindModelsPorts,
): Promise<EstimatedModel[]> {
  const configs = await accounts.modelConfigs.list(organizationId)
  const byId = new Map(configs.map((config) => [config.id, config]))
  return configIds.map((id) => {
    const config = byId.get(id)
    if (config === undefined) throw modelNotFound('model_config_ids')
    return fromConfig(config, pricing)
  })
}

interface ModelName {
  readonly model: string
  readonly provider: string | null
}

interface Pricing {
  readonly pricer: Pricer
  readonly serviceTier: string
  readonly at: string
}

function toEstimated(
  { model, provider }: ModelName,
  { pricer, serviceTier, at }: Pricing,
): EstimatedModel {
  const question = { model, provider, serviceTier, at: parseInstant(at) }
  const found = pricer.find(question)
  const target = found.alias?.target
  const resolved = resolveModel(target?.provider ?? provider, target?.model ?? model)
  const listed = 'listed' in resolved ? resolved.listed : undefined
  return {
    ...{ model, modelConfigId: null },
    knownAs: listed?.model ?? target?.model ?? model,
    provider: listed?.provider ?? provider,
    contextWindow: listed?.contextWindow ?? null,
    price: toPrice(found),
  }
}

function toPrice({ outcome }: FoundPrice): EstimatedModel['price'] {
  if ('card' in outcome) return { ...outcome, card: scaleRates(outcome.card, outcome.factor) }
  return { reason: outcome.reason, why: unpricedReasonLabels[outcome.reason] }
}

const noTierPrice: EstimatedModel['price'] = {
  reason: 'no_tier_price',
  why: unpricedReasonLabels.no_tier_price,
}

/** Priced like a call of this configuration: by its own prices first. */
function fromConfig(config: ModelConfigRow, pricing: Pricing): EstimatedModel {
  const estimated = { ...toEstimated(config, pricing), modelConfigId: config.id }
  const card = ownRates(config)
  if (card === null) return estimated
  if (!isStandardTier(pricing.serviceTier)) return { ...estimated, price: noTierPrice }
  const price = { card, source: `config:${config.id}`, date: config.updated_at.slice(0, 10) }
  return { ...estimated, price }
}
