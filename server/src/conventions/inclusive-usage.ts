import type { Usage } from '../domain/span.ts'
import { firstCount } from './attribute-reading.ts'
import type { KeyTable } from './convention.ts'
import type { Attributes } from './decoded-span.ts'

/*
 * Tokens as one sender counts them, brought to one meaning: input includes what was read from and written to
 * the cache, output includes reasoning. Most senders count so; some leave either out.
 */

/** Where nothing else decides: what this sender is known to count beside the input or the output. */
export interface Habits {
  readonly cacheIsApart?: boolean
  readonly reasoningIsApart?: boolean
}

export interface ToldUsage {
  readonly input: number | undefined
  readonly output: number | undefined
  readonly total: number | undefined
  readonly cacheRead: number | undefined
  readonly cacheWrite: number | undefined
  readonly reasoning: number | undefined
}

/** The counts under one convention's keys. Names of one count are never added up: senders write several of them. */
export function usageOf(told: Attributes, keys: KeyTable, habits: Habits = {}): Usage | undefined {
  const count = (of: keyof KeyTable) => firstCount(told, keys[of] ?? [])
  const usage = {
    input: count('tokensIn'),
    output: count('tokensOut'),
    total: count('tokensTotal'),
    cacheRead: count('tokensCacheRead'),
    cacheWrite: count('tokensCacheWrite'),
    reasoning: count('tokensReasoning'),
  }
  return inclusiveUsage(usage, habits)
}

/** Undefined when nothing was told. What is told is never made smaller. */
export function inclusiveUsage(told: ToldUsage, habits: Habits = {}): Usage | undefined {
  const { input, output, cacheRead, cacheWrite, reasoning } = told
  if ((input ?? output ?? cacheRead ?? cacheWrite ?? reasoning) === undefined) return undefined
  const cache = (cacheRead ?? 0) + (cacheWrite ?? 0)
  const { isCacheApart, isReasoningApart } = whatIsApart(told, cache, habits)
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

function whatIsApart(told: ToldUsage, cache: number, habits: Habits): Apart {
  const { input = 0, output = 0, total, reasoning = 0 } = told
  // A part larger than the whole cannot be within it.
  const cacheMust = cache > input
  const reasoningMust = reasoning > output
  const usual: Apart = {
    isCacheApart: cacheMust || habits.cacheIsApart === true,
    isReasoningApart: reasoningMust || habits.reasoningIsApart === true,
  }
  if (total === undefined || (cache === 0 && reasoning === 0)) return usual
  // A total is proof, unless only an impossible way of adding gives it.
  const sumOf = ({ isCacheApart, isReasoningApart }: Apart) =>
    input + output + (isCacheApart ? cache : 0) + (isReasoningApart ? reasoning : 0)
  return (
    [usual, ...waysOfCounting].find(
      (way) =>
        sumOf(way) === total &&
        (way.isCacheApart || !cacheMust) &&
        (way.isReasoningApart || !reasoningMust),
    ) ?? usual
  )
}

const waysOfCounting: readonly Apart[] = [
  { isCacheApart: false, isReasoningApart: false },
  { isCacheApart: true, isReasoningApart: false },
  { isCacheApart: false, isReasoningApart: true },
  { isCacheApart: true, isReasoningApart: true },
]
