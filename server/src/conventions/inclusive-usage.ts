import type { Usage } from '../domain/span.ts'

/*
 * Tokens as one sender counts them, brought to one meaning: input includes what was read from and written to
 * the cache, output includes reasoning. Most senders count so; some leave either out.
 */

export interface ToldUsage {
  readonly input: number | undefined
  readonly output: number | undefined
  readonly total: number | undefined
  readonly cacheRead: number | undefined
  readonly cacheWrite: number | undefined
  readonly reasoning: number | undefined
  /** Where nothing else decides: whether this sender is known to count the cache apart from the input. */
  readonly cacheIsApart: boolean
}

/** Undefined when nothing was told. What is told is never made smaller. */
export function inclusiveUsage(told: ToldUsage): Usage | undefined {
  const { input, output, cacheRead, cacheWrite, reasoning } = told
  const isTold = [input, output, cacheRead, cacheWrite, reasoning].some(
    (count) => count !== undefined,
  )
  if (!isTold) return undefined
  const cache = (cacheRead ?? 0) + (cacheWrite ?? 0)
  const { isCacheApart, isReasoningApart } = whatIsApart(told, cache)
  return {
    tokensIn: input === undefined ? null : input + (isCacheApart ? cache : 0),
    tokensOut: output === undefined ? null : output + (isReasoningApart ? (reasoning ?? 0) : 0),
    tokensCacheRead: cacheRead ?? null,
    tokensCacheWrite: cacheWrite ?? null,
    tokensReasoning: reasoning ?? null,
  }
}

interface Apart {
  readonly isCacheApart: boolean
  readonly isReasoningApart: boolean
}

function whatIsApart(told: ToldUsage, cache: number): Apart {
  const { input = 0, output = 0, total, reasoning = 0 } = told
  // A part larger than the whole cannot be within it.
  const isCacheApart = cache > input
  const isReasoningApart = reasoning > output
  if (isCacheApart || isReasoningApart) return { isCacheApart, isReasoningApart }
  // A total is proof: only one way of adding gives it.
  const ways: readonly [number, Apart][] = [
    [input + output, { isCacheApart: false, isReasoningApart: false }],
    [input + output + cache, { isCacheApart: true, isReasoningApart: false }],
    [input + output + reasoning, { isCacheApart: false, isReasoningApart: true }],
    [input + output + cache + reasoning, { isCacheApart: true, isReasoningApart: true }],
  ]
  const proven = ways.find(([sum]) => sum === total)?.[1]
  return proven ?? { isCacheApart: told.cacheIsApart, isReasoningApart: false }
}
