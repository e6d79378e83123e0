import type { PriceRule } from '@assay/contract/prices.ts'
import type { NewRule } from '../../api/prices.ts'
import { localInput, utcInstant } from '../../filter/local-input.ts'

/*
 * A price or an alias as it is typed: every member a text, named as the service names it in its refusals.
 */

const tokenPrices = [
  'input_usd_per_mtok',
  'output_usd_per_mtok',
  'cache_read_usd_per_mtok',
  'cache_write_usd_per_mtok',
  'cache_write_1h_usd_per_mtok',
] as const
const tiers = ['batch', 'flex', 'priority'] as const

const ofLong = (name: (typeof tokenPrices)[number]) => `long_context.${name}` as const
const ofTier = (name: (typeof tiers)[number]) => `service_tiers.${name}` as const

const priceFields = [
  ...tokenPrices,
  'request_usd',
  'long_context.above_tokens',
  ...tokenPrices.map(ofLong),
  ...tiers.map(ofTier),
] as const
const aliasFields = ['target_model', 'target_provider'] as const
export const ruleFields = [
  ...(['model', 'provider', 'valid_from', 'valid_to', 'note'] as const),
  ...aliasFields,
  ...priceFields,
] as const

export type RuleField = (typeof ruleFields)[number]
export type RuleTexts = Readonly<Record<RuleField, string>>

export interface RuleDraft {
  readonly kind: PriceRule['kind']
  readonly scope: PriceRule['scope']
  readonly texts: RuleTexts
}

const emptyTexts = Object.fromEntries(ruleFields.map((name) => [name, ''])) as RuleTexts

/** A draft that has nothing but what is known already. */
export function newDraft(
  kind: PriceRule['kind'],
  scope: PriceRule['scope'],
  { model, provider = null }: { readonly model: string; readonly provider?: string | null },
): RuleDraft {
  return { kind, scope, texts: { ...emptyTexts, model, provider: provider ?? '' } }
}

export function draftOf(rule: PriceRule): RuleDraft {
  const { kind, scope, long_context: long, service_tiers: factors } = rule
  const texts: Record<string, string> = { ...emptyTexts }
  const put = (name: RuleField, value: string | number | null | undefined) => {
    texts[name] = value === null || value === undefined ? '' : String(value)
  }
  for (const name of [
    'model',
    'provider',
    'note',
    'request_usd',
    ...aliasFields,
    ...tokenPrices,
  ] as const) {
    put(name, rule[name])
  }
  for (const name of tokenPrices) put(ofLong(name), long?.[name])
  put('long_context.above_tokens', long?.above_tokens)
  for (const name of tiers) put(ofTier(name), factors?.[name])
  put('valid_from', localInput(rule.valid_from ?? undefined))
  put('valid_to', localInput(rule.valid_to ?? undefined))
  return { kind, scope, texts: texts as RuleTexts }
}

export type RuleErrors = Readonly<Partial<Record<RuleField, string>>>

export type ParsedDraft = { readonly body: NewRule } | { readonly errors: RuleErrors }

/** What the service is sent: null for whatever is empty, so that a change takes it away. */
export function parseDraft({ kind, texts }: RuleDraft): ParsedDraft {
  const errors = typingErrors(kind, texts)
  if (Object.keys(errors).length > 0) return { errors }
  const text = (name: RuleField) => (texts[name].trim() === '' ? null : texts[name].trim())
  const head = {
    kind,
    model: texts.model.trim(),
    provider: text('provider'),
    valid_from: utcInstant(texts.valid_from) ?? null,
    valid_to: utcInstant(texts.valid_to) ?? null,
    note: text('note'),
  }
  if (kind === 'alias') {
    return {
      body: {
        ...head,
        target_model: text('target_model'),
        target_provider: text('target_provider'),
      },
    }
  }
  const number = (name: RuleField) => parseNumber(texts[name])
  const prices = Object.fromEntries(tokenPrices.map((name) => [name, number(name)]))
  return {
    body: {
      ...head,
      ...prices,
      request_usd: number('request_usd'),
      long_context: parseLongContext(number),
      service_tiers: parseTiers(number),
    },
  }
}

function typingErrors(kind: RuleDraft['kind'], texts: RuleTexts): RuleErrors {
  const errors: Partial<Record<RuleField, string>> = {}
  if (texts.model.trim() === '') errors.model = 'Is needed'
  const needed = kind === 'alias' ? (['target_model'] as const) : tokenPrices.slice(0, 2)
  for (const name of needed) if (texts[name].trim() === '') errors[name] = 'Is needed'
  if (kind === 'alias') return errors
  for (const name of priceFields) {
    if (Number.isNaN(parseNumber(texts[name]))) errors[name] = 'Must be a number'
  }
  if (!isLong(texts)) return errors
  for (const name of ['above_tokens', 'input_usd_per_mtok', 'output_usd_per_mtok'] as const) {
    if (texts[`long_context.${name}`].trim() === '') {
      errors[`long_context.${name}`] = 'Is needed for long calls'
    }
  }
  return errors
}

function isLong(texts: RuleTexts): boolean {
  return priceFields.some((name) => name.startsWith('long_context.') && texts[name].trim() !== '')
}

function parseLongContext(number: (name: RuleField) => number | null): NewRule['long_context'] {
  const above_tokens = number('long_context.above_tokens')
  if (above_tokens === null) return null
  const [input, output, ...caches] = tokenPrices.map((name) => number(ofLong(name)))
  const [cache_read_usd_per_mtok, cache_write_usd_per_mtok, cache_write_1h_usd_per_mtok] = caches
  return {
    above_tokens,
    input_usd_per_mtok: input ?? 0,
    output_usd_per_mtok: output ?? 0,
    cache_read_usd_per_mtok,
    cache_write_usd_per_mtok,
    cache_write_1h_usd_per_mtok,
  }
}

function parseTiers(number: (name: RuleField) => number | null): NewRule['service_tiers'] {
  const entries = tiers.flatMap((name) => {
    const factor = number(ofTier(name))
    return factor === null ? [] : [[name, factor] as const]
  })
  return entries.length === 0 ? null : Object.fromEntries(entries)
}

/** A number with a point or, as some write it, a comma; null for nothing; NaN for anything else. */
function parseNumber(text: string): number | null {
  const typed = text.trim().replace(/^\$/, '').replace(',', '.')
  if (typed === '') return null
  return /^\d*\.?\d+$|^\d+\.$/.test(typed) ? Number(typed) : Number.NaN
}
