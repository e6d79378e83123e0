import { findHost } from './model-hosts.ts'
import { toPatternSearch } from './name-patterns.ts'
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

/** Prepares rules for many subjects. The search returns those that concern a subject, in the given order. */
export function toRuleSearch(rules: readonly PriceRule[]): (subject: RuleSubject) => PriceRule[] {
  const words = rules.map(({ provider }) => (provider === null ? null : providerWord(provider)))
  const patterns = [...rules.entries()].filter(([, { model }]) => isPattern(model))
  const search = toPatternSearch(patterns.map(([, { model }]) => model))
  return ({ names, providers }) => {
    const matched = new Set(names.flatMap(search).map((at) => patterns[at]?.[0]))
    return rules.filter((rule, at) => {
      const word = words[at] ?? null
      if (word !== null && !providers.includes(word)) return false
      return matched.has(at) || names.includes(rule.model)
    })
  }
}

/** One canonical name for all names of a provider. */
export function providerWord(provider: string): string {
  const host = findHost(provider)
  return host?.kind === 'listed' ? host.provider : provider.toLowerCase()
}

function isPattern(model: string): boolean {
  return model.includes('*')
}

export function cardOfRule({ prices, long }: CustomPrice): RateCard {
  return {
    base: toRates(prices),
    long: long === null ? [] : [{ above: long.above, rates: toRates(long) }],
  }
}
