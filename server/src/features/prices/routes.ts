import type { AnyEndpoint } from '@assay/contract/endpoint.ts'
import { limits } from '@assay/contract/limits.ts'
import {
  createOrganizationPrice,
  createProjectPrice,
  listObservedModels,
  listOrganizationPrices,
  listProjectPrices,
  type PriceRuleInput,
  removeOrganizationPrice,
  removeProjectPrice,
  resolveOrganizationPrice,
  resolveProjectPrice,
  storedRuleInput,
  updateOrganizationPrice,
  updateProjectPrice,
} from '@assay/contract/prices.ts'
import { recordEvent, userActor } from '../../accounts/audit.ts'
import type { ClientFacts, MemberCaller } from '../../accounts/caller.ts'
import { checkListLimit } from '../../accounts/list-limit.ts'
import { formatInstant, lastInstant, parseInstant } from '../../domain/instant.ts'
import type { Bind } from '../../http/call.ts'
import { check } from '../../http/check.ts'
import { type PriceQuestion, type Pricer, pricerFor } from '../../models/pricer.ts'
import type { ProjectPrices } from '../../models/project-prices.ts'
import { rulesText } from '../../models/stored-rules.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import { mapInTurns } from '../../platform/map-in-turns.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { PriceRuleRow } from '../../storage/accounts/model-tables.ts'
import type { PriceScope } from '../../storage/accounts/price-store.ts'
import type { UsedModel } from '../../storage/telemetry/port/pricing.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import { changedRule, compareRules, newRule, toApiPriceRule, toBody } from './custom-price.ts'
import { toApiResolvedPrice } from './resolved.ts'

export interface PricesPorts {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly telemetry: TelemetryStore
  readonly prices: ProjectPrices
  readonly clock: Clock
}

export function registerPrices(ports: PricesPorts): void {
  registerRules(ports)
  registerQuestions(ports)
}

function registerRules(ports: PricesPorts): void {
  const { bind, accounts } = ports
  const toOrganizationScope = ({ organizationId }: MemberCaller): PriceScope => ({
    organizationId,
    projectId: null,
  })

  bind(listOrganizationPrices, async ({ caller }) => {
    const rows = await accounts.prices.list(toOrganizationScope(caller))
    return rows.sort(compareRules).map(toApiPriceRule)
  })
  bind(listProjectPrices, async ({ caller }) => {
    const rows = await accounts.prices.listEffective(caller.projectId)
    return rows.sort(compareRules).map(toApiPriceRule)
  })

  bind(createOrganizationPrice, ({ caller, client, body }) =>
    create(toOrganizationScope(caller), body, { caller, client }, ports),
  )
  bind(createProjectPrice, ({ caller, client, body }) =>
    create(caller, body, { caller, client }, ports),
  )

  bind(updateOrganizationPrice, ({ caller, client, params, body }) =>
    update(
      updateOrganizationPrice,
      toOrganizationScope(caller),
      params.priceId,
      body,
      { caller, client },
      ports,
    ),
  )
  bind(updateProjectPrice, ({ caller, client, params, body }) =>
    update(updateProjectPrice, caller, params.priceId, body, { caller, client }, ports),
  )

  bind(removeOrganizationPrice, ({ caller, client, params }) =>
    remove(toOrganizationScope(caller), params.priceId, { caller, client }, ports),
  )
  bind(removeProjectPrice, ({ caller, client, params }) =>
    remove(caller, params.priceId, { caller, client }, ports),
  )
}

interface By {
  readonly caller: MemberCaller
  readonly client: ClientFacts
}

const notFound = () => new Failure('NOT_FOUND', 'Price or alias not found.')
const isThere = () =>
  new Failure(
    'CONFLICT',
    'A price or alias for this model, provider and start time already exists.',
  )

async function create(scope: PriceScope, rule: PriceRuleInput, by: By, ports: PricesPorts) {
  const { accounts, prices, clock } = ports
  const row = newRule(rule, scope, by.caller.user.id, clock.now().toISOString())
  await accounts.transaction(async (stores) => {
    const { organizationId, projectId } = scope
    await (projectId === null
      ? stores.organizations.lock(organizationId)
      : stores.projects.lock(projectId))
    const owner = projectId === null ? 'An organization' : 'A project'
    checkListLimit(await stores.prices.count(scope), limits.priceRules, owner, 'Remove one first.')
    if (!(await stores.prices.insert(row))) throw isThere()
    await recordChange('price.created', row, by, row.created_at, stores)
  })
  prices.forget(scope.organizationId)
  return toApiPriceRule(row)
}

async function update(
  declared: AnyEndpoint,
  scope: PriceScope,
  id: string,
  change: Readonly<Record<string, unknown>>,
  by: By,
  { accounts, prices, clock }: PricesPorts,
) {
  const at = clock.now().toISOString()
  const row = await accounts.transaction(async (stores) => {
    const before = await stores.prices.find(scope, id)
    if (before === undefined) throw notFound()
    const given = Object.entries(change).filter(([, value]) => value !== undefined)
    const whole = { ...toBody(before), ...Object.fromEntries(given) }
    const rule = check(declared, storedRuleInput, whole) as PriceRuleInput
    const changed = changedRule(before, rule, at)
    if (!(await stores.prices.update(changed))) throw isThere()
    await recordChange('price.updated', changed, by, at, stores)
    return changed
  })
  prices.forget(scope.organizationId)
  return toApiPriceRule(row)
}

async function remove(
  scope: PriceScope,
  id: string,
  by: By,
  { accounts, prices, clock }: PricesPorts,
) {
  await accounts.transaction(async (stores) => {
    const row = await stores.prices.remove(scope, id)
    if (row === undefined) throw notFound()
    await recordChange('price.removed', row, by, clock.now().toISOString(), stores)
  })
  prices.forget(scope.organizationId)
  return { status: 'removed' as const }
}

function recordChange(
  action: 'price.created' | 'price.updated' | 'price.removed',
  { id, organization_id, project_id, kind, model, terms }: PriceRuleRow,
  { caller, client }: By,
  at: string,
  stores: Parameters<typeof recordEvent>[3],
): Promise<void> {
  const details = { project_id, kind, model, terms }
  const event = { action, organizationId: organization_id, targetId: id, details }
  return recordEvent(event, userActor(caller.user, client), at, stores)
}

function registerQuestions({ bind, accounts, telemetry, prices, clock }: PricesPorts): void {
  const response = (pricer: Pricer, { model, provider, service_tier, at }: PriceQuery) => {
    const question: PriceQuestion = {
      model,
      provider: provider === undefined || provider === '' ? null : provider,
      serviceTier: service_tier?.toLowerCase() ?? null,
      at: parseInstant(at ?? clock.now().toISOString()),
    }
    return toApiResolvedPrice(model, pricer.find(question))
  }

  bind(resolveOrganizationPrice, async ({ caller: { organizationId }, query }) => {
    const rows = await accounts.prices.list({ organizationId, projectId: null })
    return response(pricerFor(rulesText(rows)), query)
  })
  bind(resolveProjectPrice, async ({ caller: { projectId }, query }) =>
    response(pricerFor(await prices.readRules(projectId)), query),
  )

  bind(listObservedModels, async ({ caller: { projectId }, query, readOptions }) => {
    const weekAgo = new Date(clock.now().getTime() - weekMs).toISOString()
    const modelQuery = {
      range: {
        from: parseInstant(query.from ?? weekAgo),
        to: query.to === undefined ? lastInstant : parseInstant(query.to),
      },
      traceLimit: limits.observedModelTraces.value,
      limit: limits.observedModels.value,
    }
    const page = await telemetry.listModels(projectId, modelQuery, readOptions)
    const pricer = pricerFor(await prices.readRules(projectId))
    return {
      data: await mapInTurns(page.models, (model) => toApiUsedModel(model, pricer)),
      meta: { trace_count: page.traceCount, is_complete: page.isComplete },
    }
  })
}

const weekMs = 7 * 24 * 60 * 60 * 1000

interface PriceQuery {
  readonly model: string
  readonly provider?: string | undefined
  readonly service_tier?: string | undefined
  readonly at?: string | undefined
}

function toApiCostComparison({ comparedCount, reportedUsd, computedUsd }: UsedModel) {
  if (reportedUsd === null || computedUsd === null) return null
  return { span_count: comparedCount, reported_usd: reportedUsd, computed_usd: computedUsd }
}

function toApiUsedModel(used: UsedModel, pricer: Pricer) {
  const { model, provider, serviceTier, lastStartedAt: at } = used
  return {
    model,
    provider,
    service_tier: serviceTier,
    span_count: used.spanCount,
    model_call_count: used.callCount,
    unpriced_call_count: used.unpricedCount,
    cost_usd: used.costUsd,
    last_seen_at: formatInstant(at),
    compared: toApiCostComparison(used),
    resolved: toApiResolvedPrice(model, pricer.find({ model, provider, serviceTier, at })),
  }
}
