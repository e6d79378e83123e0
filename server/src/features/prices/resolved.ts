import type { ResolvedPrice } from '@assay/contract/prices.ts'
import type { UnpricedReason } from '@assay/contract/traces.ts'
import type { FoundPrice, Price } from '../../models/pricer.ts'
import { picosPerDollar, type TokenRates } from '../../models/token-rates.ts'

/*
 * The resolved price of a model name in its API form, with an explanation as a sentence.
 */

export function toApiResolvedPrice(model: string, { alias, outcome }: FoundPrice): ResolvedPrice {
  const isPriced = 'card' in outcome
  return {
    price: isPriced ? toApiPrice(outcome) : null,
    alias: alias && {
      rule_id: alias.id,
      target_model: alias.target.model,
      target_provider: alias.target.provider,
    },
    unpriced_reason: isPriced ? null : outcome.reason,
    why: [
      alias && `${ownerLabels[alias.scope]} has an alias from ${model} to ${alias.target.model}.`,
      isPriced ? formatPriceSource(outcome) : unpricedReasonLabels[outcome.reason],
    ]
      .filter((sentence) => sentence !== null)
      .join(' '),
  }
}

const ownerLabels = { project: 'The project', organization: 'The organization' } as const

function toApiPrice({ source, date, rule, listed, card, factor }: Price) {
  return {
    source,
    date,
    scope: rule?.scope ?? ('list' as const),
    rule_id: rule?.id ?? null,
    listed_provider: listed?.provider ?? null,
    listed_model: listed?.model ?? null,
    service_tier_factor: factor,
    ...toApiRates(card.base),
    request_usd: card.base.request / picosPerDollar,
    long_context: card.long.map(({ above, rates }) => ({
      above_tokens: above,
      ...toApiRates(rates),
    })),
  }
}

function toApiRates(rates: TokenRates) {
  const perMillion = (rate: number) => (rate * 1e6) / picosPerDollar
  return {
    input_usd_per_mtok: perMillion(rates.input),
    output_usd_per_mtok: perMillion(rates.output),
    cache_read_usd_per_mtok: perMillion(rates.cacheRead),
    cache_write_usd_per_mtok: perMillion(rates.cacheWrite),
    cache_write_1h_usd_per_mtok: perMillion(rates.cacheWrite1h),
  }
}

function formatPriceSource({ rule, listed, date, factor }: Price): string {
  const source =
    rule === null
      ? `Priced as ${listed?.model} of ${listed?.provider}, from the price list of ${date}.`
      : `${ownerLabels[rule.scope]} has a custom price for ${rule.model}, valid from ${date}.`
  const tier = factor === 1 ? '' : ` The service tier multiplies it by ${round(factor)}.`
  return `${source}${tier}`
}

function round(factor: number): number {
  return Math.round(factor * 1000) / 1000
}

const unpricedReasonLabels: Readonly<Record<UnpricedReason, string>> = {
  no_model: 'The span has no model.',
  no_usage: 'The span has no token counts.',
  inconsistent_usage: 'The span has more cached tokens than input tokens.',
  local_model:
    'Local models have no list price. Set a price, for example 0, to include them in the cost.',
  unknown_provider:
    'The provider is not in the price list. Set a price for the model, or an alias to a listed model.',
  unknown_model:
    'The model is not in the price list. Set a price for it, or an alias to a listed model.',
  no_token_price: 'The price list has no token price for this model.',
  no_tier_price: 'There is no price for this service tier. Set a price with service tiers.',
  too_many_models: 'Its request had too many distinct model names. Re-price the span.',
}
