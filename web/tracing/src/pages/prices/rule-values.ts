import type { PriceRule } from '@assay/contract/prices.ts'
import type { NewRule } from '../../api/prices.ts'
import { localInput, utcInstant } from '../../filter/local-input.ts'
import { parseNumber } from '../../form/parse-number.ts'

/*
 * A price or an alias in a form, with its members as text. The contract validates the result.
 */

const tokenPrices = [
  'input_usd_per_mtok',
  'output_usd_per_mtok',
  'cache_read_usd_per_mtok',
  'cache_write_usd_per_mtok',
  'cache_write_1h_usd_per_mtok',
] as const
const longContext = ['above_tokens', ...tokenPrices] as const
const serviceTiers = ['batch', 'flex', 'priority'] as const
const texts = ['model', 'provider', 'note', 'target_model', 'target_provider'] as const

type Texts<Name extends string> = Readonly<Record<Name, string>>

export interface RuleValues
  extends Texts<(typeof texts)[number] | (typeof tokenPrices)[number]>,
    Texts<'request_usd' | 'valid_from' | 'valid_to'> {
  readonly scope: PriceRule['scope']
  readonly long_context: Texts<(typeof longContext)[number]>
  readonly service_tiers: Texts<(typeof serviceTiers)[number]>
}

/** The values of a form for a rule, or for a new one of which some members are known. */
export function toRuleValues(rule: Partial<PriceRule>): RuleValues {
  return {
    scope: rule.scope ?? 'project',
    ...toTexts(texts, rule),
    ...toTexts(tokenPrices, rule),
    ...toTexts(['request_usd'], rule),
    valid_from: localInput(rule.valid_from ?? undefined),
    valid_to: localInput(rule.valid_to ?? undefined),
    long_context: toTexts(longContext, rule.long_context),
    service_tiers: toTexts(serviceTiers, rule.service_tiers),
  }
}

/**
 * The rule of a form. Empty fields become null, so that a change removes them; invalid numbers become NaN.
 */
export function toRuleBody(kind: PriceRule['kind'], values: RuleValues): NewRule {
  const text = (name: (typeof texts)[number]) => values[name].trim() || null
  const shared = {
    kind,
    model: values.model.trim(),
    provider: text('provider'),
    valid_from: utcInstant(values.valid_from) ?? null,
    valid_to: utcInstant(values.valid_to) ?? null,
    note: text('note'),
  }
  if (kind === 'alias') {
    const [target_model, target_provider] = [text('target_model'), text('target_provider')]
    return { ...shared, target_model, target_provider }
  }
  const long = toNumbers(longContext, values.long_context)
  const tiers = Object.entries(toNumbers(serviceTiers, values.service_tiers))
  const knownTiers = tiers.filter(([, factor]) => factor !== null)
  return {
    ...shared,
    ...toNumbers(tokenPrices, values),
    request_usd: parseNumber(values.request_usd),
    // The contract reports missing members.
    long_context: Object.values(long).some((value) => value !== null)
      ? (long as NewRule['long_context'])
      : null,
    service_tiers: knownTiers.length === 0 ? null : Object.fromEntries(knownTiers),
  }
}

function toTexts<Name extends string>(names: readonly Name[], rule: object | null | undefined) {
  const members = (rule ?? {}) as Readonly<Record<string, string | number | null | undefined>>
  return Object.fromEntries(names.map((name) => [name, String(members[name] ?? '')])) as Texts<Name>
}

function toNumbers<Name extends string>(names: readonly Name[], values: Texts<Name>) {
  const entries = names.map((name) => [name, parseNumber(values[name])] as const)
  return Object.fromEntries(entries) as Readonly<Record<Name, number | null>>
}
