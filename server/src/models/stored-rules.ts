import type { PriceRuleRow } from '../storage/accounts/model-tables.ts'
import type { PriceRule } from './price-rules.ts'
import type { TokenPrices } from './token-rates.ts'

/*
 * Converts the terms of rules between their stored form, which uses the API's names, and the pricer's.
 */

export type RuleTerms = PriceTerms | AliasTerms

export interface PriceTerms extends StoredPrices {
  readonly request_usd: number | null
  readonly long_context: (StoredPrices & { readonly above_tokens: number }) | null
  readonly service_tiers: Readonly<Record<string, number>> | null
}

export interface AliasTerms {
  readonly target_model: string
  readonly target_provider: string | null
}

export interface StoredPrices {
  readonly input_usd_per_mtok: number
  readonly output_usd_per_mtok: number
  readonly cache_read_usd_per_mtok: number | null
  readonly cache_write_usd_per_mtok: number | null
  readonly cache_write_1h_usd_per_mtok: number | null
}

export function parseTerms({ terms }: PriceRuleRow): RuleTerms {
  return JSON.parse(terms) as RuleTerms
}

/** As `pricerFor` takes them: equal rules give equal text, and no rules give the empty string. */
export function rulesText(rows: readonly PriceRuleRow[]): string {
  if (rows.length === 0) return ''
  return JSON.stringify(rows.map(toRule).sort((a, b) => (a.id < b.id ? -1 : 1)))
}

function toRule(row: PriceRuleRow): PriceRule {
  const head = {
    id: row.id,
    scope: row.project_id === null ? ('organization' as const) : ('project' as const),
    model: row.model.toLowerCase(),
    provider: row.provider?.toLowerCase() ?? null,
    fromMs: row.valid_from === null ? null : Date.parse(row.valid_from),
    toMs: row.valid_to === null ? null : Date.parse(row.valid_to),
    createdMs: Date.parse(row.created_at),
  }
  const terms = parseTerms(row)
  if ('target_model' in terms) {
    const target = { provider: terms.target_provider, model: terms.target_model }
    return { ...head, kind: 'alias', target }
  }
  const { long_context: long, request_usd, service_tiers } = terms
  return {
    ...head,
    kind: 'price',
    prices: { ...tokenPrices(terms), request: request_usd ?? undefined },
    long: long && {
      ...tokenPrices(long),
      request: request_usd ?? undefined,
      above: long.above_tokens,
    },
    tiers: service_tiers ?? {},
  }
}

function tokenPrices(prices: StoredPrices): TokenPrices & { readonly output: number } {
  return {
    input: prices.input_usd_per_mtok,
    output: prices.output_usd_per_mtok,
    cacheRead: prices.cache_read_usd_per_mtok ?? undefined,
    cacheWrite: prices.cache_write_usd_per_mtok ?? undefined,
    cacheWrite1h: prices.cache_write_1h_usd_per_mtok ?? undefined,
  }
}
