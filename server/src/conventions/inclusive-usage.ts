import type { Usage } from '../domain/span.ts'
import { firstCount } from './attribute-reading.ts'
import type { KeyTable } from './convention.ts'
import type { Attributes } from './decoded-span.ts'

/*
 * Tokens as one sender counts them, brought to one meaning: input includes what was read from and written to
 * the cache, output includes reasoning. Most senders count so; some leave either out.
 */

/** Where nothing else decides: what this sender is known to count beside the input or the output. */
export interface UsageDefaults {
  readonly cacheIsApart?: boolean
  readonly reasoningIsApart?: boolean
}

export interface ReportedUsage {
  readonly input: number | undefined
  readonly output: number | undefined
  readonly total: number | undefined
  readonly cacheRead: number | undefined
  readonly cacheWrite: number | undefined
  readonly reasoning: number | undefined
}

/** The counts under one convention's keys. Names of one count are never added up: senders write several of them. */
export function usageOf(
  reported: Attributes,
  keys: KeyTable,
  usageDefaults: UsageDefaults = {},
): Usage | undefined {
  const count = (of: keyof KeyTable) => firstCount(reported, keys[of] ?? [])
  const usage = {
    input: count('tokensIn'),
    output: count('tokensOut'),
    total: count('tokensTotal'),
    cacheRead: count('tokensCacheRead'),
    cacheWrite: count('tokensCacheWrite'),
    reasoning: count('tokensReasoning'),
  }
  return inclusiveUsage(usage, usageDefaults)
}

/** Undefined when nothing was told. What is told is never made smaller. */
export function inclusiveUsage(
  reported: ReportedUsage,
  usageDefaults: UsageDefaults = {},
): Usage | undefined {
  const { input, output, cacheRead, cacheWrite, reasoning } = reported
  if ((input ?? output ?? cacheRead ?? cacheWrite ?? reasoning) === undefined) return undefined
  const cache = (cacheRead ?? 0) + (cacheWrite ?? 0)
  const { isCacheApart, isReasoningApart } = detectExclusiveParts(reported, cache, usageDefaults)
  return {
    tokensIn: input === undefined ? null : input + (isCacheApart ? cache : 0),
    tokensOut: output === undefined ? null : output + (isReasoningApart ? (reasoning ?? 0) : 0),
    tokensCacheRead: cacheRead ?? null,
    tokensCacheWrite: cacheWrite ?? null,
    tokensReasoning: reasoning ?? null,
  }
}

interface ExclusiveParts {
  readonly isCacheApart: boolean
  readonly isReasoningApart: boolean
}

function detectExclusiveParts(
  reported: ReportedUsage,
  cache: number,
  usageDefaults: UsageDefaults,
): ExclusiveParts {
  const { input = 0, output = 0, total, reasoning = 0 } = reported
  // A part larger than the whole cannot be within it.
  const cacheMust = cache > input
  const reasoningMust = reasoning > output
  const usual: ExclusiveParts = {
    isCacheApart: cacheMust || usageDefaults.cacheIsApart === true,
    isReasoningApart: reasoningMust || usageDefaults.reasoningIsApart === true,
  }
  if (total === undefined || (cache === 0 && reasoning === 0)) return usual
  // A total is proof, unless only an impossible way of adding gives it.
  const sumOf = ({ isCacheApart, isReasoningApart }: ExclusiveParts) =>
    input + output + (isCacheApart ? cache : 0) + (isReasoningApart ? reasoning : 0)
  return (
    [usual, ...countingModes].find(
      (way) =>
        sumOf(way) === total &&
        (way.isCacheApart || !cacheMust) &&
        (way.isReasoningApart || !reasoningMust),
    ) ?? usual
  )
}

const countingModes: readonly ExclusiveParts[] = [
  { isCacheApart: false, isReasoningApart: false },
  { isCacheApart: true, isReasoningApart: false },
  { isCacheApart: false, isReasoningApart: true },
  { isCacheApart: true, isReasoningApart: true },
]
