import { findHost } from './model-hosts.ts'
import { type RateCard, type TokenPrices, toRates } from './token-rates.ts'

/*
 * Custom prices and aliases as plain data: how an organization or project overrides the price list.
 */

export type RuleScope = 'project' | 'organization'

interface RuleHead {
  readonly id: string
  readonly scope: RuleScope
  /** The model name in lower case; `*` matches any characters. */
  readonly model: string
  /** Limits the rule to calls served by this provider, in lower case. Null: any provider. */
  readonly provider: string | null
  /** Start of validity in milliseconds since 1970; null: unbounded. */
  readonly fromMs: number | null
  /** Exclusive end of validity; null: unbounded. */
  readonly toMs: number | null
  readonly createdMs: number
}

export interface CustomPrice extends RuleHead {
  readonly kind: 'price'
  /** Dollars per million tokens. */
  readonly prices: TokenPrices & { readonly output: number }
  /** Prices for calls with more input tokens than `aboveTokens`. */
  readonly long: (TokenPrices & { readonly above: number; readonly output: number }) | null
  /** Price multiplier per service tier. */
  readonly tiers: Readonly<Record<string, number>>
}

export interface ModelAlias extends RuleHead {
  readonly kind: 'alias'
  /** The model that the alias resolves to. */
  readonly target: { readonly provider: string | null; readonly model: string }
}

export type PriceRule = CustomPrice | ModelAlias

/**
 * Precedence: project before organization, exact name before pattern, with a provider before without, price
 * before alias, newest first.
 */
export function byPrecedence(a: PriceRule, b: PriceRule): number {
  if (a.scope !== b.scope) return a.scope === 'project' ? -1 : 1
  if (isPattern(a.model) !== isPattern(b.model)) return isPattern(a.model) ? 1 : -1
  if ((a.provider === null) !== (b.provider === null)) return a.provider === null ? 1 : -1
  // The longer of two patterns is more specific.
  if (a.model.length !== b.model.length) return b.model.length - a.model.length
  if (a.kind !== b.kind) return a.kind === 'price' ? -1 : 1
  if (a.fromMs !== b.fromMs) return (b.fromMs ?? -Infinity) - (a.fromMs ?? -Infinity)
  return b.createdMs - a.createdMs || (a.id < b.id ? -1 : 1)
}

export function isInForce({ fromMs, toMs }: PriceRule, atMs: number): boolean {
  return (fromMs === null || atMs >= fromMs) && (toMs === null || atMs < toMs)
}

/** What a rule is matched against: all spellings of the model and all names of its provider. */
export interface RuleSubject {
  readonly names: readonly string[]
  readonly providers: readonly string[]
}

/** Prepares a rule for many subjects: its provider is looked up, and its pattern split, only once. */
export function toRuleMatcher(rule: PriceRule): (subject: RuleSubject) => boolean {
  const provider = rule.provider === null ? null : providerWord(rule.provider)
  const fits = toNameMatcher(rule.model)
  return ({ names, providers }) =>
    (provider === null || providers.includes(provider)) && names.some(fits)
}

/** One canonical name for all names of a provider. */
export function providerWord(provider: string): string {
  const host = findHost(provider)
  return host?.kind === 'listed' ? host.provider : provider.toLowerCase()
}

function isPattern(model: string): boolean {
  return model.includes('*')
}

/** A match searches each part once, after the previous one: `*` alone never requires backtracking. */
export function toNameMatcher(pattern: string): (name: string) => boolean {
  if (!isPattern(pattern)) return (name) => name === pattern
  const [first = '', ...inner] = pattern.split('*')
  const last = inner.pop() ?? ''
  const parts = inner.filter((part) => part !== '')
  const shortest = [first, ...parts, last].join('').length
  return (name) => {
    if (name.length < shortest || !name.startsWith(first) || !name.endsWith(last)) return false
    const end = name.length - last.length
    let at = first.length
    for (const part of parts) {
      const found = name.indexOf(part, at)
      if (found === -1) return false
      at = found + part.length
    }
    return at <= end
  }
}

export function cardOfRule({ prices, long }: CustomPrice): RateCard {
  return {
    base: toRates(prices),
    long: long === null ? [] : [{ above: long.above, rates: toRates(long) }],
  }
}
