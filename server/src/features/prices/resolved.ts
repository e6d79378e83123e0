import type { ResolvedPrice } from '@assay/contract/prices.ts'
import type { UnpricedReason } from '@assay/contract/traces.ts'
import type { FoundPrice, Price } from '../../models/pricer.ts'
import { picosPerDollar, type TokenRates } from '../../models/token-rates.ts'

/*
 * Which price a name gets, as the interface shows it and as a sentence.
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
      alias && `${ownerLabels[alias.scope]} says that ${model} is ${alias.target.model}.`,
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
  const whose =
    rule === null
      ? `The price list has it as ${listed?.model} of ${listed?.provider}`
      : `${ownerLabels[rule.scope]} has a price of its own for ${rule.model}`
  const tier = factor === 1 ? '' : ` Its service tier costs ${round(factor)} times as much.`
  return `${whose}, as of ${date}.${tier}`
}

function round(factor: number): number {
  return Math.round(factor * 1000) / 1000
}

const unpricedReasonLabels: Readonly<Record<UnpricedReason, string>> = {
  no_model: 'No model is named.',
  no_usage: 'No tokens were counted.',
  inconsistent_usage: 'More tokens were cached than sent.',
  local_model:
    'It runs on a machine of your own: set a price, 0 for example, if you want it counted.',
  unknown_provider:
    'Whoever served it is not in the price list: set a price for the model, or an alias that says what it is.',
  unknown_model:
    'No price is known by that name: set one, or an alias that says which model it is.',
  no_token_price: 'The price list has no price by tokens for it.',
  no_tier_price: 'It is not known what its service tier costs: set a price with service tiers.',
}
