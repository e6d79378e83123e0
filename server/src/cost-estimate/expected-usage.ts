import { type RateCard, ratesFor } from '../models/token-rates.ts'
import type { RunShape } from './run-shapes.ts'

/*
 * The expected tokens and cost of a run, call by call: each call sends the whole context again, so its length decides the
 * price tier, what the prompt cache has, and whether it fits the context window.
 */

export interface CalledModel {
  readonly card: RateCard
  readonly contextWindow: number | null
  /** What every call sends, before the messages. */
  readonly fixedTokens: number
  /** Tokens of the model per o200k token of messages. */
  readonly messageFactor: number
  readonly reasoningTokens: number
  /** The probability that a call finds the prefix of the call before in the prompt cache. 0: no caching. */
  readonly cacheHitShare: number
  /** The share of the input that a prompt cache had in recorded runs, in place of `cacheHitShare`. */
  readonly cachedShare?: number | undefined
}

export interface Usage {
  readonly calls: number
  readonly inputTokens: number
  readonly cachedTokens: number
  readonly outputTokens: number
  /** Calls whose context does not fit. */
  readonly overflowCalls: number
  readonly cost: CostParts
}

/** In picodollars. */
export interface CostParts {
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
  readonly request: number
}

export function expectedUsage(shape: RunShape, model: CalledModel): Usage {
  const { card, messageFactor } = model
  const reasoning = shape.includesReasoning ? 0 : model.reasoningTokens
  const output = shape.outputTokens * messageFactor + reasoning
  const growth = shape.growthTokens * messageFactor
  const first = model.fixedTokens + shape.openingTokens * messageFactor
  const inputMax = Math.max((model.contextWindow ?? Number.POSITIVE_INFINITY) - output, 0)
  const sum = { calls: 0, input: 0, cached: 0, output: 0, overflow: 0 }
  const cost = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, request: 0 }
  const isCaching = (model.cachedShare ?? model.cacheHitShare) > 0
  let previous = 0
  for (const [at, share] of shape.shares.entries()) {
    const whole = first + growth * at
    const input = Math.min(whole, inputMax)
    const rates = ratesFor(card, input)
    const cached = rates.cacheRead < rates.input ? cachedTokens(previous, input, model) : 0
    // Providers with a price for writing also bill what is new in the cache.
    const isWritten = isCaching && rates.cacheWrite > rates.input && input >= cacheMinTokens
    const written = isWritten ? input - cached : 0
    sum.calls += share
    sum.input += share * input
    sum.cached += share * cached
    sum.output += share * output
    if (whole > inputMax) sum.overflow += share
    cost.input += share * (input - cached - written) * rates.input
    cost.cacheRead += share * cached * rates.cacheRead
    cost.cacheWrite += share * written * rates.cacheWrite
    cost.output += share * output * rates.output
    cost.request += share * rates.request
    previous = input
  }
  return {
    calls: sum.calls,
    inputTokens: sum.input,
    cachedTokens: sum.cached,
    outputTokens: sum.output,
    overflowCalls: sum.overflow,
    cost,
  }
}

/** Providers cache prompts of this length and more, in blocks. */
const cacheMinTokens = 1024
const cacheBlockTokens = 128

/** The first call of a run finds nothing. */
function cachedTokens(
  previous: number,
  input: number,
  { cacheHitShare, cachedShare }: CalledModel,
): number {
  if (cachedShare !== undefined) return cachedShare * input
  if (previous < cacheMinTokens) return 0
  return cacheHitShare * Math.floor(previous / cacheBlockTokens) * cacheBlockTokens
}

export function totalOf({ input, cacheRead, cacheWrite, output, request }: CostParts): number {
  return input + cacheRead + cacheWrite + output + request
}
