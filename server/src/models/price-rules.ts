import { hostOf } from './model-hosts.ts'
import { type RateCard, ratesOf, type TokenPrices } from './token-rates.ts'

/*
 * Prices and names of one's own, as plain data: what an organization or a project says against the price list.
 */

export type RuleScope = 'project' | 'organization'

interface RuleHead {
  readonly id: string
  readonly scope: RuleScope
  /** The model's name, in lower case; `*` stands for any characters. */
  readonly model: string
  /** Only where the call was served by this one; in lower case. Null: by whomever. */
  readonly provider: string | null
  /** From this instant on, in milliseconds since 1970; null: ever since. */
  readonly fromMs: number | null
  /** Up to before this instant; null: for ever. */
  readonly toMs: number | null
  readonly createdMs: number
}

export interface CustomPrice extends RuleHead {
  readonly kind: 'price'
  /** Dollars per million tokens. */
  readonly prices: TokenPrices & { readonly output: number }
  /** For calls with more input tokens. */
  readonly long: (TokenPrices & { readonly above: number; readonly output: number }) | null
  /** What a service tier multiplies the prices by. */
  readonly tiers: Readonly<Record<string, number>>
}

export interface ModelAlias extends RuleHead {
  readonly kind: 'alias'
  /** What the model is in truth. */
  readonly target: { readonly provider: string | null; readonly model: string }
}

export type PriceRule = CustomPrice | ModelAlias

/**
 * A project before its organization, a whole name before a pattern, one provider's before everybody's, a price
 * before an alias, the newest first.
 */
export function byPrecedence(a: PriceRule, b: PriceRule): number {
  if (a.scope !== b.scope) return a.scope === 'project' ? -1 : 1
  if (isPattern(a.model) !== isPattern(b.model)) return isPattern(a.model) ? 1 : -1
  if ((a.provider === null) !== (b.provider === null)) return a.provider === null ? 1 : -1
  // The longer of two patterns says more.
  if (a.model.length !== b.model.length) return b.model.length - a.model.length
  if (a.kind !== b.kind) return a.kind === 'price' ? -1 : 1
  if (a.fromMs !== b.fromMs) return (b.fromMs ?? -Infinity) - (a.fromMs ?? -Infinity)
  return b.createdMs - a.createdMs || (a.id < b.id ? -1 : 1)
}

export function isInForce({ fromMs, toMs }: PriceRule, atMs: number): boolean {
  return (fromMs === null || atMs >= fromMs) && (toMs === null || atMs < toMs)
}

/** What a rule is held against: all names by which the model goes, and all words for who served it. */
export interface RuleSubject {
  readonly names: readonly string[]
  readonly providers: readonly string[]
}

export function concerns(
  { model, provider }: PriceRule,
  { names, providers }: RuleSubject,
): boolean {
  if (provider !== null && !providers.includes(providerWord(provider))) return false
  return names.some((name) => fits(model, name))
}

/** One word for all that mean the same provider. */
export function providerWord(provider: string): string {
  const host = hostOf(provider)
  return host?.kind === 'listed' ? host.provider : provider.toLowerCase()
}

function isPattern(model: string): boolean {
  return model.includes('*')
}

/** Linear in the length of the name, whatever the pattern: every part is sought once, behind the one before. */
function fits(pattern: string, name: string): boolean {
  if (!isPattern(pattern)) return pattern === name
  const parts = pattern.split('*')
  const [first = ''] = parts
  const last = parts.at(-1) ?? ''
  if (name.length < first.length + last.length) return false
  if (!name.startsWith(first) || !name.endsWith(last)) return false
  const end = name.length - last.length
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at)
    if (found === -1 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}

export function cardOfRule({ prices, long }: CustomPrice): RateCard {
  return {
    base: ratesOf(prices),
    long: long === null ? [] : [{ above: long.above, rates: ratesOf(long) }],
  }
}
