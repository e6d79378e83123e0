import type { Instant } from '../domain/instant.ts'
import type { PricingFacts, Usage } from '../domain/span.ts'

/*
 * Token prices in integers: rates are picodollars per token, so that ten calls cost exactly ten times one.
 */

/** Per token, except `request`. */
export interface TokenRates {
  readonly input: number
  readonly cacheRead: number
  /** Cached for five minutes. */
  readonly cacheWrite: number
  readonly cacheWrite1h: number
  readonly output: number
  /** Per request. */
  readonly request: number
}

/** The rates of a model for calls of any length. */
export interface RateCard {
  readonly base: TokenRates
  /** Apply to the whole call if it has more input tokens than `above`; ascending. */
  readonly long: readonly LongRates[]
}

export interface LongRates {
  readonly above: number
  readonly rates: TokenRates
}

/** A rate card and its validity. The last valid card wins, else the first. */
export interface ScheduledCard {
  /** Null if the model is not priced by tokens. */
  readonly card: RateCard | null
  /** The date from which it is valid, or the date of the list. */
  readonly date: string
  /** Without a condition: always valid. */
  readonly condition?: CardCondition
}

export type CardCondition =
  /** From this instant. */
  | { readonly fromMs: number }
  /** Between these seconds of every day, in UTC; over midnight where the second is the smaller. */
  | { readonly fromSecond: number; readonly toSecond: number }

/** Dollars per million tokens; all but the first are optional. */
export interface TokenPrices {
  readonly input: number
  readonly cacheRead?: number | undefined
  readonly cacheWrite?: number | undefined
  readonly cacheWrite1h?: number | undefined
  readonly output?: number | undefined
  /** Dollars per request. */
  readonly request?: number | undefined
}

export const picosPerDollar = 1e12
const picosPerDollarPerMillion = picosPerDollar / 1e6

/** Missing cache prices default to the input price; the 1-hour price defaults to the 5-minute price. */
export function toRates(prices: TokenPrices): TokenRates {
  const rate = (price: number) => Math.round(price * picosPerDollarPerMillion)
  const { input, cacheRead = input, cacheWrite = input, output = 0, request = 0 } = prices
  return {
    input: rate(input),
    cacheRead: rate(cacheRead),
    cacheWrite: rate(cacheWrite),
    cacheWrite1h: rate(prices.cacheWrite1h ?? cacheWrite),
    output: rate(output),
    request: Math.round(request * picosPerDollar),
  }
}

export function cardAt(schedule: readonly ScheduledCard[], at: Instant): ScheduledCard | undefined {
  if (schedule.length < 2) return schedule[0]
  const ms = Number(at / 1_000_000n)
  return schedule.findLast(({ condition }) => holds(condition, ms)) ?? schedule[0]
}

function holds(condition: CardCondition | undefined, ms: number): boolean {
  if (condition === undefined) return true
  if ('fromMs' in condition) return ms >= condition.fromMs
  const second = (((ms % dayMs) + dayMs) % dayMs) / 1000
  const { fromSecond, toSecond } = condition
  return toSecond < fromSecond
    ? second >= fromSecond || second < toSecond
    : second >= fromSecond && second < toSecond
}

const dayMs = 24 * 60 * 60 * 1000

/** Tokens of one call. Missing counts are zero. */
export type CallTokens = Usage & Pick<PricingFacts, 'tokensCacheWrite1h'>

/**
 * The cost of a call in dollars; undefined if its counts contradict each other. `isSum`: the counts are
 * sums over several calls of unknown length, which are priced as short calls.
 */
export function costOfCall(
  card: RateCard,
  tokens: CallTokens,
  { factor, isSum }: { readonly factor: number; readonly isSum: boolean },
): number | undefined {
  const read = tokens.tokensCacheRead ?? 0
  const written = tokens.tokensCacheWrite ?? 0
  const input = tokens.tokensIn ?? read + written
  const uncached = input - read - written
  if (uncached < 0) return undefined
  const written1h = Math.min(tokens.tokensCacheWrite1h ?? 0, written)
  const rates = isSum ? card.base : ratesFor(card, input)
  const picos =
    uncached * rates.input +
    read * rates.cacheRead +
    (written - written1h) * rates.cacheWrite +
    written1h * rates.cacheWrite1h +
    (tokens.tokensOut ?? 0) * rates.output +
    rates.request
  return (picos * factor) / picosPerDollar
}

export function ratesFor(card: RateCard, inputTokens: number): TokenRates {
  return card.long.findLast(({ above }) => inputTokens > above)?.rates ?? card.base
}

/** With every rate multiplied, as a service tier does. */
export function scaleRates({ base, long }: RateCard, factor: number): RateCard {
  const scaled = (rates: TokenRates): TokenRates => ({
    input: rates.input * factor,
    cacheRead: rates.cacheRead * factor,
    cacheWrite: rates.cacheWrite * factor,
    cacheWrite1h: rates.cacheWrite1h * factor,
    output: rates.output * factor,
    request: rates.request * factor,
  })
  return {
    base: scaled(base),
    long: long.map(({ above, rates }) => ({ above, rates: scaled(rates) })),
  }
}
