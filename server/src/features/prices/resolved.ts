import type { ResolvedPrice } from '@assay/contract/prices.ts'
import type { FoundPrice, Price } from '../../models/pricer.ts'
import { picosPerDollar, type TokenRates } from '../../models/token-rates.ts'
import { unpricedReasonLabels } from '../../models/unpriced-reasons.ts'

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
