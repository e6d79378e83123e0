import type { UnpricedReason } from '@assay/contract/traces.ts'
import type { Instant } from '../domain/instant.ts'
import {
  noPrice,
  type PricedFacts,
  type PricingFacts,
  type Span,
  type SpanHead,
  type SpanPrice,
} from '../domain/span.ts'
import { setNewest } from '../platform/recent-entries.ts'
import { listNames } from './model-names.ts'
import type { ListedModel } from './price-list.ts'
import {
  byPrecedence,
  type CustomPrice,
  cardOfRule,
  isInForce,
  type ModelAlias,
  type PriceRule,
  providerWord,
  type RuleSubject,
  toRuleSearch,
} from './price-rules.ts'
import { type Resolution, resolveModel } from './resolve-model.ts'
import { isSoldForLongCalls, isStandardTier, tierFactor } from './service-tiers.ts'
import { type CallTokens, cardAt, costOfCall, type RateCard, ratesFor } from './token-rates.ts'

/*
 * Computes the cost of spans: by the rules of the project and its organization, else by the price list.
 */

export interface Pricer {
  /** The span with its computed cost. A reported cost is kept. */
  priced(span: Span): Span
  /** Whether pricing the span resolves a model that is not cached, which can take a millisecond. */
  resolvesModel(span: PricedFacts): boolean
  /** The same for a span of which only the pricing input is known. */
  priceSpan(span: PricedFacts): SpanPrice
  find(question: PriceQuestion): FoundPrice
}

export interface PriceQuestion extends Pick<PricingFacts, 'provider' | 'serviceTier'> {
  readonly model: string
  readonly at: Instant
}

export interface FoundPrice {
  /** The model that an alias resolved to. */
  readonly alias: ModelAlias | null
  readonly outcome: Price | { readonly reason: UnpricedReason }
}

export interface Price {
  readonly source: string
  readonly date: string
  readonly rule: CustomPrice | null
  readonly listed: ListedModel | null
  readonly card: RateCard
  /** The multiplier of the service tier. */
  readonly factor: number
  readonly hasLongCalls: boolean
}

/** `rules` is JSON, which also serves as the cache key across threads. */
export function pricerFor(rules: string): Pricer {
  const known = pricers.get(rules)
  if (known !== undefined) return known
  const pricer = openPricer(rules === '' ? [] : (JSON.parse(rules) as PriceRule[]))
  setNewest(pricers, rules, pricer, rememberedPricers)
  return pricer
}

const rememberedPricers = 100
/** Maximum models cached per pricer, a few hundred bytes each. */
const rememberedModels = 10_000
const pricers = new Map<string, Pricer>()

function openPricer(rules: readonly PriceRule[]): Pricer {
  const plans = openPlans(rules.toSorted(byPrecedence))
  const { planFor } = plans

  const find: Pricer['find'] = ({ provider, model, serviceTier, at }) => {
    const plan = planFor(provider, model)
    const listed = () => listedPrice(plan.resolution, serviceTier, at)
    if (plan.rules.length === 0) return { alias: null, outcome: listed() }
    const atMs = Number(at / 1_000_000n)
    const rule = plan.rules.find((one) => isInForce(one, atMs))
    if (rule === undefined) return { alias: null, outcome: listed() }
    if (rule.kind === 'price') return { alias: null, outcome: customPrice(rule, serviceTier) }
    const meant = findTarget(rule, provider, planFor)
    // An alias resolves to a model, never to another alias.
    const own = meant.rules.find((one) => one.kind === 'price' && isInForce(one, atMs))
    const outcome =
      own?.kind === 'price'
        ? customPrice(own, serviceTier)
        : listedPrice(meant.resolution, serviceTier, at)
    return { alias: rule, outcome }
  }

  const priceSpan: Pricer['priceSpan'] = (span) => {
    const { model, provider, serviceTier, startedAt: at, kind } = span
    const hasUsage = isReported(span)
    if (model === null) return hasUsage ? unpriced('no_model') : noPrice
    if (!hasUsage) return modelCalls.has(kind) ? unpriced('no_usage') : noPrice
    const { outcome } = find({ provider, model, serviceTier, at })
    return 'reason' in outcome ? unpriced(outcome.reason) : priceWith(outcome, span)
  }
  return {
    find,
    priceSpan,
    priced(span) {
      if (span.model === null && !isReported(span)) return span
      return withPrice(span, priceSpan(span))
    },
    resolvesModel: (span) =>
      span.model !== null && isReported(span) && !plans.has(span.provider, span.model),
  }
}

/** The span with a computed cost. A reported cost is kept. */
export function withPrice(span: Span, price: SpanPrice): Span {
  return span.costSource === 'reported'
    ? { ...span, ...price }
    : { ...span, ...price, ...ownCost(price) }
}

/** The cost of a span without a reported cost. */
function ownCost({ computedCostUsd }: SpanPrice): Pick<SpanHead, 'costUsd' | 'costSource'> {
  return { costUsd: computedCostUsd, costSource: computedCostUsd === null ? 'unknown' : 'priced' }
}

/** Kinds whose spans are single model calls and should have tokens. */
const modelCalls: ReadonlySet<string> = new Set(['llm', 'embedding', 'reranker'])
/** Kinds whose tokens are sums over the spans below. */
const sums: ReadonlySet<string> = new Set(['agent', 'chain'])

function isReported({
  tokensIn,
  tokensOut,
  tokensCacheRead,
  tokensCacheWrite,
}: CallTokens): boolean {
  return (tokensIn ?? tokensOut ?? tokensCacheRead ?? tokensCacheWrite) !== null
}

function priceWith({ card, factor, hasLongCalls, source, date }: Price, span: PricedFacts) {
  const isSum = sums.has(span.kind)
  const isLong = !isSum && ratesFor(card, span.tokensIn ?? 0) !== card.base
  if (isLong && !hasLongCalls) return unpriced('no_tier_price')
  const cost = costOfCall(card, span, { factor, isSum })
  if (cost === undefined) return unpriced('inconsistent_usage')
  return { computedCostUsd: cost, priceSource: source, priceDate: date, unpricedReason: null }
}

export function unpriced(reason: UnpricedReason): SpanPrice {
  return unpricedByReason[reason]
}

const unpricedByReason: Readonly<Record<UnpricedReason, SpanPrice>> = {
  no_model: { ...noPrice, unpricedReason: 'no_model' },
  no_usage: { ...noPrice, unpricedReason: 'no_usage' },
  inconsistent_usage: { ...noPrice, unpricedReason: 'inconsistent_usage' },
  local_model: { ...noPrice, unpricedReason: 'local_model' },
  unknown_provider: { ...noPrice, unpricedReason: 'unknown_provider' },
  unknown_model: { ...noPrice, unpricedReason: 'unknown_model' },
  no_token_price: { ...noPrice, unpricedReason: 'no_token_price' },
  no_tier_price: { ...noPrice, unpricedReason: 'no_tier_price' },
  too_many_models: { ...noPrice, unpricedReason: 'too_many_models' },
}

type Outcome = FoundPrice['outcome']

function listedPrice(resolution: Resolution, tier: string | null, at: Instant): Outcome {
  if ('reason' in resolution) return resolution
  const { listed } = resolution
  const scheduled = cardAt(listed.schedule, at)
  if (scheduled === undefined) return noTokenPrice
  return remembered(scheduled, tier, () => {
    const { card, date } = scheduled
    if (card === null) return noTokenPrice
    const isStandard = tier === null || isStandardTier(tier)
    const factor = isStandard ? 1 : tierFactor(listed, tier)
    if (factor === undefined) return noTierPrice
    const source = `list:${listed.provider}/${listed.model}`
    const hasLongCalls = isStandard || isSoldForLongCalls(tier)
    return { source, date, rule: null, listed, card, factor, hasLongCalls }
  })
}

function customPrice(rule: CustomPrice, tier: string | null): Outcome {
  return remembered(rule, tier, () => {
    const factor = tier === null || isStandardTier(tier) ? 1 : rule.tiers[tier]
    if (factor === undefined) return noTierPrice
    const source = `${rule.scope}:${rule.id}`
    const date = new Date(rule.fromMs ?? rule.createdMs).toISOString().slice(0, 10)
    const card = cardOfRule(rule)
    return { source, date, rule, listed: null, card, factor, hasLongCalls: true }
  })
}

const noTokenPrice = { reason: 'no_token_price' } as const
const noTierPrice = { reason: 'no_tier_price' } as const

const outcomes = new WeakMap<object, Map<string, Outcome>>()
/** Tier names are untrusted input. */
const rememberedTiers = 20

/** Cached, because a price in a tier is the same for every span. */
function remembered(price: object, tier: string | null, make: () => Outcome): Outcome {
  let byTier = outcomes.get(price)
  if (byTier === undefined) {
    byTier = new Map()
    outcomes.set(price, byTier)
  }
  const key = tier ?? ''
  const known = byTier.get(key)
  if (known !== undefined) return known
  const made = make()
  if (byTier.size < rememberedTiers) byTier.set(key, made)
  return made
}

/** Everything about a model that does not depend on the time of a call. */
interface Plan {
  /** In order of precedence. */
  readonly rules: readonly PriceRule[]
  readonly resolution: Resolution
}

interface Plans {
  planFor(provider: string | null, model: string): Plan
  has(provider: string | null, model: string): boolean
}

function openPlans(rules: readonly PriceRule[]): Plans {
  const plans = new Map<string, Plan>()
  const rulesFor = toRuleSearch(rules)
  const toKey = (provider: string | null, model: string) => `${provider ?? ''}\n${model}`
  return {
    planFor(provider, model) {
      const key = toKey(provider, model)
      const known = plans.get(key)
      if (known !== undefined) return known
      const resolution = resolveModel(provider, model)
      const subject = toSubject(provider, model, resolution)
      const plan = { rules: rulesFor(subject), resolution }
      setNewest(plans, key, plan, rememberedModels)
      return plan
    },
    has: (provider, model) => plans.has(toKey(provider, model)),
  }
}

/**
 * The target of an alias: at the alias's provider, else at the provider that served the call, else by name
 * alone.
 */
function findTarget(
  { target }: ModelAlias,
  provider: string | null,
  planFor: (provider: string | null, model: string) => Plan,
): Plan {
  const there = planFor(target.provider ?? provider, target.model)
  const isFound = target.provider !== null || provider === null || 'listed' in there.resolution
  return isFound ? there : planFor(null, target.model)
}

/** The name as sent, without prefixes, and as listed. */
function toSubject(provider: string | null, model: string, resolution: Resolution): RuleSubject {
  const names = new Set(listNames(model))
  const providers = provider === null ? [] : [providerWord(provider)]
  if ('listed' in resolution) {
    names.add(resolution.listed.model.toLowerCase())
    providers.push(resolution.listed.provider)
  }
  return { names: [...names], providers }
}
