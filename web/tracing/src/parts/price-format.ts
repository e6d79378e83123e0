import type { PriceRule, ResolvedPrice } from '@assay/contract/prices.ts'
import { unknown } from '@assay/ui/number-format.ts'

/*
 * Prices as text.
 */

const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
})

/** `$2.50`, `$0.075`; a dash for none. 0 is a price. */
export function formatPrice(usd: number | null): string {
  return usd === null ? unknown : dollars.format(usd)
}

/** Where the price comes from. */
export function formatPriceSource({ price, alias }: ResolvedPrice): string {
  if (price === null) return 'Unpriced'
  if (price.scope === 'project') return 'Project price'
  if (price.scope === 'organization') return 'Organization price'
  return alias === null ? 'Price list' : 'Price list, by alias'
}

/** The main terms of a rule: `$2.50 in, $10.00 out`, `alias for gpt-4o`. */
export function formatTerms(rule: PriceRule): string {
  if (rule.kind === 'alias') {
    const by = rule.target_provider === null ? '' : ` of ${rule.target_provider}`
    return `alias for ${rule.target_model ?? ''}${by}`
  }
  const parts = [
    `${formatPrice(rule.input_usd_per_mtok)} in`,
    `${formatPrice(rule.output_usd_per_mtok)} out`,
  ]
  if (rule.cache_read_usd_per_mtok !== null) {
    parts.push(`${formatPrice(rule.cache_read_usd_per_mtok)} cached`)
  }
  if (rule.request_usd !== null) parts.push(`${formatPrice(rule.request_usd)} per request`)
  return parts.join(', ')
}

/** The other terms of a rule: long context and service tiers. */
export function formatExtraTerms({
  long_context: long,
  service_tiers: tiers,
}: PriceRule): string[] {
  const above = long?.above_tokens.toLocaleString('en-US')
  const ofTiers = Object.entries(tiers ?? {}).map(([tier, factor]) => `${tier} × ${factor}`)
  return [
    ...(long === null
      ? []
      : [
          `above ${above} tokens ${formatPrice(long.input_usd_per_mtok)} in, ${formatPrice(long.output_usd_per_mtok)} out`,
        ]),
    ...ofTiers,
  ]
}
