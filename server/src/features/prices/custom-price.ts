import type { PriceRule, PriceRuleInput } from '@assay/contract/prices.ts'
import { compareIds } from '../../domain/id-order.ts'
import { providerWord } from '../../models/price-rules.ts'
import {
  type AliasTerms,
  type PriceTerms,
  parseTerms,
  type RuleTerms,
  type StoredPrices,
} from '../../models/stored-rules.ts'
import { newId } from '../../platform/ids.ts'
import type { Timestamp } from '../../storage/accounts/column-types.ts'
import type { PriceRuleRow } from '../../storage/accounts/model-tables.ts'
import type { PriceScope } from '../../storage/accounts/price-store.ts'

/*
 * Converts custom prices and aliases between the API and their rows.
 */

export function newRule(
  rule: PriceRuleInput,
  scope: PriceScope,
  by: string,
  at: Timestamp,
): PriceRuleRow {
  return {
    ...toRow(rule, scope),
    id: newId(),
    created_by: by,
    created_at: at,
    updated_at: at,
  }
}

/** The row with changed contents. */
export function changedRule(row: PriceRuleRow, rule: PriceRuleInput, at: Timestamp): PriceRuleRow {
  const scope = { organizationId: row.organization_id, projectId: row.project_id }
  return { ...row, ...toRow(rule, scope), updated_at: at }
}

type Contents = Omit<PriceRuleRow, 'id' | 'created_by' | 'created_at' | 'updated_at'>

function toRow(rule: PriceRuleInput, { organizationId, projectId }: PriceScope): Contents {
  const { kind, model } = rule
  const provider = rule.provider ?? null
  const validFrom = toTimestamp(rule.valid_from)
  const word = provider === null ? '' : providerWord(provider)
  return {
    organization_id: organizationId,
    project_id: projectId,
    kind,
    model,
    provider,
    valid_from: validFrom,
    valid_to: toTimestamp(rule.valid_to),
    terms: JSON.stringify(kind === 'price' ? priceTerms(rule) : aliasTerms(rule)),
    note: rule.note === undefined || rule.note === '' ? null : rule.note,
    identity: [projectId ?? organizationId, kind, model.toLowerCase(), word, validFrom].join('\n'),
  }
}

/** Timestamps are compared as text, so they need one format. */
function toTimestamp(input: string | null | undefined): Timestamp | null {
  return input === null || input === undefined ? null : new Date(input).toISOString()
}

function priceTerms(rule: PriceRuleInput): PriceTerms {
  const { long_context: long, request_usd = null, service_tiers: tiers } = rule
  return {
    ...storedPrices(rule),
    request_usd,
    long_context: long ? { above_tokens: long.above_tokens, ...storedPrices(long) } : null,
    service_tiers: tiers ? (tiers as Record<string, number>) : null,
  }
}

type PricesInput = { readonly [Key in keyof StoredPrices]?: number | null | undefined }

function storedPrices(input: PricesInput): StoredPrices {
  return {
    input_usd_per_mtok: input.input_usd_per_mtok ?? 0,
    output_usd_per_mtok: input.output_usd_per_mtok ?? 0,
    cache_read_usd_per_mtok: input.cache_read_usd_per_mtok ?? null,
    cache_write_usd_per_mtok: input.cache_write_usd_per_mtok ?? null,
    cache_write_1h_usd_per_mtok: input.cache_write_1h_usd_per_mtok ?? null,
  }
}

function aliasTerms({ target_model, target_provider = null }: PriceRuleInput): AliasTerms {
  return { target_model: target_model ?? '', target_provider }
}

const noTerms: Omit<PriceTerms, keyof StoredPrices> &
  AliasTermsOrNone & { readonly [Key in keyof StoredPrices]: null } = {
  input_usd_per_mtok: null,
  output_usd_per_mtok: null,
  cache_read_usd_per_mtok: null,
  cache_write_usd_per_mtok: null,
  cache_write_1h_usd_per_mtok: null,
  request_usd: null,
  long_context: null,
  service_tiers: null,
  target_model: null,
  target_provider: null,
}

type AliasTermsOrNone = { readonly [Key in keyof AliasTerms]: null }

export function toApiPriceRule(row: PriceRuleRow): PriceRule {
  const { id, kind, model, provider, valid_from, valid_to, note, created_at, updated_at } = row
  const scope = row.project_id === null ? ('organization' as const) : ('project' as const)
  const terms: RuleTerms = parseTerms(row)
  return {
    ...{ id, scope, kind, model, provider, valid_from, valid_to },
    ...noTerms,
    ...terms,
    ...{ note, created_at, updated_at },
  }
}

/** The rule in the form of a request body. */
export function toBody(row: PriceRuleRow): Record<string, unknown> {
  const { kind, model, provider, valid_from, valid_to, note } = row
  return { kind, model, provider, valid_from, valid_to, note, ...parseTerms(row) }
}

/** The project's own first, then by model, provider and `valid_from`. */
export function compareRules(a: PriceRuleRow, b: PriceRuleRow): number {
  if ((a.project_id === null) !== (b.project_id === null)) return a.project_id === null ? 1 : -1
  for (const key of ['model', 'provider', 'valid_from', 'id'] as const) {
    const order = compareIds(a[key] ?? '', b[key] ?? '')
    if (order !== 0) return order
  }
  return 0
}
